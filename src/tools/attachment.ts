import { open } from 'node:fs/promises';
import { toErrorCode } from '../records/read-text.ts';
import { quote } from '../text/show.ts';
import { AgentError, type Attachment, type ErrorKind } from '../types.ts';
import { detectKind, type FileKind } from './readers/file-kind.ts';
import { readDocument } from './readers/index.ts';
import { ReadError } from './readers/reader.ts';
import { leadsOutside, listMembers } from './readers/zip.ts';
import { messageOf, remember, type ToolContext } from './tool.ts';

/** An attachment, or a file in one that is an archive. */
export type AttachedFile = {
  /** As the model named it. */
  readonly name: string;
  readonly bytes: Uint8Array;
};

const MAX_BYTES = 50_000_000;
const MAX_DEPTH = 3;

/**
 * The attachment of this name: a model never names a path. "a.zip/b/c.csv" is the member "b/c.csv" of "a.zip", which
 * stays in memory. Throws a sentence for the model.
 */
export async function openAttachment(name: string, { attachments }: ToolContext): Promise<AttachedFile> {
  const attachment = attachments.find((known) => name === known.name || name.startsWith(`${known.name}/`));
  if (attachment === undefined) throw new Error(describeMissing(name, attachments));
  const bytes = await readBytes(attachment);
  try {
    return { name, bytes: takeMember(bytes, name.slice(attachment.name.length + 1), MAX_DEPTH) };
  } catch (error) {
    if (error instanceof ReadError) throw new Error(`${quote(attachment.name)} ${error.message}.`, { cause: error });
    throw error;
  }
}

/** The text of an attachment, whatever kind of document it is. Throws a sentence for the model when it has none. */
export const readAttachmentText = remember(async (name, context) => {
  const { bytes } = await openAttachment(name, context);
  return readDocument(bytes, name, context);
});

function describeMissing(name: string, attachments: readonly Attachment[]): string {
  const known = attachments.map((attachment) => quote(attachment.name)).join(', ');
  const remedy = known === '' ? 'This question has no attachment.' : `Attachments: ${known}.`;
  return `there is no attachment ${quote(name)}. ${remedy}`;
}

async function readBytes({ name, path }: Attachment): Promise<Uint8Array> {
  await using file = await open(path).catch((error) => {
    // The file was there when the question was asked. Its path stays unsaid: it tells where the dataset lies.
    const remedy = 'Do not change the files of a run while it goes on, and run again.';
    throw new AgentError('machine', `${quote(name)} can no longer be read (${toErrorCode(error)}). ${remedy}`);
  });
  const { size } = await file.stat();
  if (size <= MAX_BYTES) return file.readFile();
  throw new Error(`${quote(name)} has ${size} bytes; more than ${MAX_BYTES} are not read.`);
}

/** The member that a path leads to, through archives in archives; the archive itself for an empty path. */
function takeMember(bytes: Uint8Array, path: string, depth: number): Uint8Array {
  if (path === '') return bytes;
  if (depth === 0) throw new ReadError(`holds archives in archives; they are opened ${MAX_DEPTH} deep`);
  const member = listMembers(bytes).find(({ name }) => path === name || path.startsWith(`${name}/`));
  if (member === undefined) {
    throw new ReadError(`holds no file ${quote(path)}. Read it by its own name to see its files`);
  }
  if (leadsOutside(member.name)) {
    throw new ReadError(`holds ${quote(member.name)}, which is not read: its name leads out of the archive`);
  }
  return takeMember(member.read(MAX_BYTES), path.slice(member.name.length + 1), depth - 1);
}

const AUDIO: readonly FileKind[] = ['mp3', 'wav', 'm4a', 'flac', 'ogg'];

export function isAudio(kind: FileKind): boolean {
  return AUDIO.includes(kind);
}

/** What the transcription services take. */
const MAX_AUDIO_BYTES = 25_000_000;

/** Failures that may pass: an answer without the recording would say nothing about the agent. */
const PASSING: readonly ErrorKind[] = ['rate_limit', 'server', 'network'];

/** What is said in a recording, one sentence per line. Throws a sentence for the model when that cannot be known. */
export const transcribeAttachment = remember(async (name, context) => {
  const { transcribe, signal, giveUp } = context;
  const { bytes } = await openAttachment(name, context);
  const kind = detectKind(bytes);
  const what = `${quote(name)} is a recording (${kind})`;
  if (transcribe === undefined) throw new Error(`${what}, which this agent can neither hear nor have transcribed.`);
  if (bytes.length > MAX_AUDIO_BYTES) {
    throw new Error(`${what} of ${bytes.length} bytes; at most ${MAX_AUDIO_BYTES} are transcribed.`);
  }
  try {
    const said = await transcribe(`recording.${kind}`, bytes);
    return said.replace(/([.!?]) /g, '$1\n');
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AgentError && PASSING.includes(error.kind)) giveUp?.(error);
    throw new Error(`${what}; transcribing it failed: ${messageOf(error)}`, { cause: error });
  }
});
