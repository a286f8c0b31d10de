import { open } from 'node:fs/promises';
import { toErrorCode } from '../data/files/read-file.ts';
import { AgentError, type ErrorKind } from '../words/answer.ts';
import type { Attachment } from '../words/sample.ts';
import { quote } from '../words/show.ts';
import { messageOf } from '../words/thrown.ts';
import { AUDIO, PART_CHARACTERS, showMedia, showPart, showPdf } from './media.ts';
import { detectKind } from './readers/file-kind.ts';
import { readDocument } from './readers/index.ts';
import { listMembers, ReadError } from './readers/zip.ts';
import { optionalCount, requiredText, type Tool, type ToolContext } from './tool.ts';

/**
 * Attachments of every kind: as they are if the model's API accepts them, else as text in
 * parts.
 */
export const readAttachment: Tool = {
  name: 'read_attachment',
  description:
    'Reads a file that is attached to the question. Pictures and short PDFs are shown to you if you can see them, ' +
    'recordings are transcribed; other files come as text: Word, Excel (with formulas and colours), PowerPoint, PDF, ' +
    'csv, json, xml, source code and the like. A zip gives the list of its files, which are read by the names given ' +
    `there ("a.zip/b.csv"). Returns at most ${PART_CHARACTERS} characters at a time: ask for the next part with part.`,
  schema: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'Name of the attachment, as the question gives it.' },
      part: { type: 'integer', description: 'Which part of a long text, from 1 (default 1).' },
    },
    required: ['name'],
  },
  run: async (args, context) => {
    const name = requiredText(args, 'name');
    const part = optionalCount(args, 'part');
    const bytes = await openAttachment(name, context);
    const shown = showMedia(name, bytes, context);
    if (shown !== null) return shown;
    const { text, pages } = AUDIO.includes(detectKind(bytes))
      ? { text: await transcribeAttachment(name, context), pages: undefined }
      : await readAttachmentText(name, context);
    // A PDF is read before it is shown, because an API refuses a broken one with an error that ends
    // the conversation.
    const isShown = pages !== undefined && part === null;
    const pdf = isShown ? showPdf({ name, bytes, kind: 'pdf' }, pages, context) : null;
    return pdf ?? showPart(name, text, part ?? 1);
  },
};

/**
 * The text of an attachment of any kind. Rejects with a sentence for the model if it has no text.
 */
export const readAttachmentText = memoizePerSample(async (name, context) => {
  return readDocument(await openAttachment(name, context), name, context);
});

/** The most bytes that transcription services accept. */
const MAX_AUDIO_BYTES = 25_000_000;

/**
 * Temporary failures. They end the sample, since an answer without the recording would say nothing
 * about the agent.
 */
const PASSING: readonly ErrorKind[] = ['rate_limit', 'server', 'network'];

/** The words of a recording, one sentence per line. */
const transcribeAttachment = memoizePerSample(async (name, context) => {
  const { transcribe, signal, giveUp } = context;
  const bytes = await openAttachment(name, context);
  const kind = detectKind(bytes);
  const what = `${quote(name)} is a recording (${kind})`;
  if (transcribe === undefined)
    throw new Error(`${what}, which this agent can neither hear nor transcribe.`);
  if (bytes.length > MAX_AUDIO_BYTES) {
    throw new Error(
      `${what} of ${bytes.length} bytes; at most ${MAX_AUDIO_BYTES} are transcribed.`,
    );
  }
  try {
    return (await transcribe(`recording.${kind}`, bytes)).replace(/([.!?]) /g, '$1\n');
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AgentError && PASSING.includes(error.kind)) giveUp?.(error);
    throw new Error(`${what}; transcribing it failed: ${messageOf(error)}`, { cause: error });
  }
});

/**
 * Does the work once for each sample and file, and again only after a failure. A model may read a
 * file page by page, but the file is parsed, or transcribed and paid for, once.
 */
function memoizePerSample<T>(work: (name: string, context: ToolContext) => Promise<T>) {
  const done = new WeakMap<ToolContext, Map<string, Promise<T>>>();
  return (name: string, context: ToolContext): Promise<T> => {
    const files = done.get(context) ?? new Map<string, Promise<T>>();
    done.set(context, files);
    const result = files.get(name) ?? work(name, context);
    files.set(name, result);
    result.catch(() => files.delete(name));
    return result;
  };
}

const MAX_BYTES = 50_000_000;
const MAX_DEPTH = 3;

/**
 * The bytes of an attachment: a model never names a path. "a.zip/b/c.csv" is the member "b/c.csv"
 * of "a.zip", which is unpacked in memory only. Rejects with a sentence for the model.
 */
async function openAttachment(name: string, { attachments }: ToolContext): Promise<Uint8Array> {
  const attachment = attachments.find(
    (each) => name === each.name || name.startsWith(`${each.name}/`),
  );
  if (attachment === undefined) {
    const names = attachments.map((each) => quote(each.name)).join(', ');
    const remedy = names === '' ? 'This question has no attachment.' : `Attachments: ${names}.`;
    throw new Error(`there is no attachment ${quote(name)}. ${remedy}`);
  }
  const bytes = await readLimited(attachment);
  try {
    return takeMember(bytes, name.slice(attachment.name.length + 1), MAX_DEPTH);
  } catch (error) {
    if (error instanceof ReadError)
      throw new Error(`${quote(attachment.name)} ${error.message}.`, { cause: error });
    throw error;
  }
}

async function readLimited({ name, path }: Attachment): Promise<Uint8Array> {
  const file = await open(path).catch((error) => {
    // The message has no path, which would show the model where the dataset is.
    const remedy = 'Do not change the files of a dataset during a run, then run again.';
    throw new AgentError(
      'machine',
      `${quote(name)} can no longer be read (${toErrorCode(error)}). ${remedy}`,
    );
  });
  try {
    const { size } = await file.stat();
    if (size <= MAX_BYTES) return await file.readFile();
    throw new Error(`${quote(name)} has ${size} bytes; more than ${MAX_BYTES} are not read.`);
  } finally {
    await file.close();
  }
}

/**
 * The member at a path, also in an archive inside an archive; the archive itself for an empty path.
 */
function takeMember(bytes: Uint8Array, path: string, depth: number): Uint8Array {
  if (path === '') return bytes;
  if (depth === 0)
    throw new ReadError(`has archives in archives; they are opened ${MAX_DEPTH} deep`);
  const member = listMembers(bytes).find(
    ({ name }) => path === name || path.startsWith(`${name}/`),
  );
  if (member === undefined) {
    throw new ReadError(`has no file ${quote(path)}. Read it by its own name to see its files`);
  }
  return takeMember(member.read(MAX_BYTES), path.slice(member.name.length + 1), depth - 1);
}
