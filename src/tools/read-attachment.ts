import { type AttachedFile, isAudio, openAttachment, readAttachmentText, transcribeAttachment } from './attachment.ts';
import { playAudio, showImage, showPdf } from './media.ts';
import { detectKind } from './readers/file-kind.ts';
import { optionalCount, requiredText, type Tool, type ToolContext, type ToolOutput } from './tool.ts';

const MAX_LINES = 1_000;
const MAX_CHARACTERS = 40_000;

/** Attachments of every kind: as they are where the model's API takes them, else as text, a page of lines at a time. */
export const readAttachment: Tool = {
  name: 'read_attachment',
  description:
    'Reads a file that is attached to the question. Pictures and short PDFs are shown to you if you can see them, ' +
    'recordings are transcribed; other files come as text: Word, Excel (with formulas and colours), PowerPoint, PDF, ' +
    'csv, json, xml, source code and the like. A zip gives the list of its files, which are read by the names given ' +
    `there ("a.zip/b.csv"). Returns at most ${MAX_LINES} lines or ${MAX_CHARACTERS} characters; ask for further lines ` +
    'with first_line.',
  schema: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'Name of the attachment, as the question gives it.' },
      first_line: { type: 'integer', description: 'First line of text to read, from 1 (default 1).' },
      last_line: { type: 'integer', description: 'Last line to read.' },
    },
    required: ['name'],
  },
  run: async (args, context) => {
    const name = requiredText(args, 'name');
    const first = optionalCount(args, 'first_line');
    const last = optionalCount(args, 'last_line');
    const shown = await readFile(await openAttachment(name, context), first !== null || last !== null, context);
    if (typeof shown !== 'string') return shown;
    return toPage(name, splitLines(shown), first ?? 1, last ?? Number.POSITIVE_INFINITY);
  },
};

/** The file for the model's own eyes or ears, or its text. Asking for lines is asking for text. */
async function readFile(file: AttachedFile, asText: boolean, context: ToolContext): Promise<ToolOutput> {
  const kind = detectKind(file.bytes);
  const shown = showImage(file, kind, context) ?? playAudio(file, kind, context);
  if (shown !== null) return shown;
  if (isAudio(kind)) return transcribeAttachment(file.name, context);
  // Read it also when it is only shown: a broken PDF must not reach an API, where it would end the conversation.
  const { text, pages } = await readAttachmentText(file.name, context);
  const pdf = kind === 'pdf' && !asText ? showPdf(file, pages ?? 0, context) : null;
  return pdf ?? text;
}

/** Lines that fit no page are broken into pieces that do, so that a model can read all of a file. */
function splitLines(text: string): readonly string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  return lines.flatMap((line) => (line.length <= MAX_CHARACTERS ? line : breakLine(line)));
}

function breakLine(line: string): readonly string[] {
  const pieces: string[] = [];
  for (let begin = 0; begin < line.length; begin += pieces.at(-1)?.length ?? 0) {
    // A character of two units stays whole.
    pieces.push(line.slice(begin, begin + MAX_CHARACTERS).replace(/(?<=.)[\uD800-\uDBFF]$/s, ''));
  }
  return pieces;
}

/** As many of the wanted lines as fit, and at least one. */
function toPage(name: string, lines: readonly string[], first: number, last: number): string {
  if (lines.length === 0) return `${name} is empty.`;
  if (first > lines.length || last < first) {
    const asked = `lines ${first} to ${last} were asked for`;
    throw new Error(`${name} has lines 1 to ${lines.length}, but ${asked}. Ask for lines that it has.`);
  }
  const page: string[] = [];
  let characters = 0;
  for (const line of lines.slice(first - 1, Math.min(last, first + MAX_LINES - 1))) {
    characters += line.length + 1;
    if (characters > MAX_CHARACTERS && page.length > 0) break;
    page.push(line.toWellFormed());
  }
  const end = first + page.length - 1;
  const more = end < lines.length ? `, go on with first_line ${end + 1}` : '';
  return `[${name}: lines ${first} to ${end} of ${lines.length}${more}]\n${page.join('\n')}`;
}
