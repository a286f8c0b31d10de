import { optionalCount, requiredText } from './arguments.ts';
import { readAttachmentText } from './attachment-text.ts';
import type { Tool } from './tool.ts';

const MAX_LINES = 1_000;
const MAX_CHARACTERS = 40_000;

/** Text attachments, a page of lines at a time. */
export const readAttachment: Tool = {
  name: 'read_attachment',
  description:
    'Reads a text file that is attached to the question (txt, csv, json, xml, source code and the like). Returns at ' +
    `most ${MAX_LINES} lines or ${MAX_CHARACTERS} characters; ask for further lines with first_line.`,
  schema: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'Name of the attachment, as the question gives it.' },
      first_line: { type: 'integer', description: 'First line to read, from 1 (default 1).' },
      last_line: { type: 'integer', description: 'Last line to read.' },
    },
    required: ['name'],
  },
  run: async (args, context) => {
    const name = requiredText(args, 'name');
    const first = optionalCount(args, 'first_line') ?? 1;
    const last = optionalCount(args, 'last_line') ?? Number.POSITIVE_INFINITY;
    const lines = splitLines(await readAttachmentText(name, context));
    if (lines.length === 0) return `${name} is empty.`;
    if (first > lines.length || last < first) throw new Error(describeRange(name, first, last, lines.length));
    return toPage(name, lines, first, Math.min(last, lines.length, first + MAX_LINES - 1));
  },
};

function splitLines(text: string): readonly string[] {
  const lines = text.split(/\r\n|\n|\r/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function describeRange(name: string, first: number, last: number, count: number): string {
  return `${name} has lines 1 to ${count}, but lines ${first} to ${last} were asked for. Ask for lines that it has.`;
}

/** As many of the wanted lines as fit; of a line that does not fit alone, its beginning. */
function toPage(name: string, lines: readonly string[], first: number, last: number): string {
  const page: string[] = [];
  let characters = 0;
  for (const line of lines.slice(first - 1, last)) {
    characters += line.length + 1;
    if (characters > MAX_CHARACTERS && page.length > 0) break;
    page.push(line.slice(0, MAX_CHARACTERS).toWellFormed());
  }
  const end = first + page.length - 1;
  const cut = (lines[first - 1]?.length ?? 0) > MAX_CHARACTERS ? ', the rest of the line is left out' : '';
  const more = end < lines.length ? `, go on with first_line ${end + 1}` : '';
  return `[${name}: lines ${first} to ${end} of ${lines.length}${cut}${more}]\n${page.join('\n')}`;
}
