import { lastBox } from './boxed.ts';
import { type Mention, readMention } from './mention.ts';
import { cutSentence } from './sentence.ts';

/** A bare "Answer:" may open a whole essay; more than this is not taken for the answer. */
const MAX_BARE_LENGTH = 200;
const BULLET = /^(?:>[ \t]{0,3}|[-•*+][ \t]{1,3}(?=\S))+/;
const LEAD = /^(?:(?:so|thus|therefore|hence),? )?$/i;
const RULE = /^[ \t]*(?:-{3,}|\*{3,}|_{3,}|={3,})[ \t]*$/;
const BLOCKS: ReadonlyMap<string, string> = new Map([
  ['$$', '$$'],
  ['\\[', '\\]'],
]);

/** What follows a place that announces an answer. `start` is the place itself. */
export type Announced = { readonly start: number; readonly content: string };

/** What follows `FINAL ANSWER:`, `Answer:` at the start of a line and headings like them, the last one first. */
export function* markedAnswers(text: string): Generator<Announced> {
  let regionEnd = text.length;
  for (const mention of mentionsFromEnd(text)) {
    if (mention.kind !== 'marker') continue;
    const content = readAnswer(text.slice(mention.end, regionEnd), mention);
    regionEnd = mention.start;
    if (mention.final || content.length <= MAX_BARE_LENGTH) yield { start: mention.start, content };
  }
}

/** What follows "the (final) answer is" in prose, up to the end of the sentence; the last one first. */
export function* statedAnswers(text: string): Generator<string> {
  let regionEnd = text.length;
  for (const mention of mentionsFromEnd(text)) {
    if (mention.kind === 'statement') {
      yield readAnswer(text.slice(mention.end, regionEnd), mention);
    }
    regionEnd = mention.start;
  }
}

/** Without a leading "The answer is". */
export function dropLeadIn(content: string): string {
  const at = content.slice(0, 60).search(/answer/i);
  const mention = at === -1 ? null : readMention(content, at);
  if (mention?.kind !== 'statement' || !LEAD.test(content.slice(0, mention.start))) return content;
  return readAnswer(content.slice(mention.end), mention);
}

function* mentionsFromEnd(text: string): Generator<Mention> {
  const places = Array.from(text.matchAll(/answer(?=[s*_`\s:：]|$)/gi), (found) => found.index);
  for (const at of places.reverse()) {
    const mention = readMention(text, at);
    if (mention !== null) yield mention;
  }
}

function readAnswer(region: string, { open, spoken }: Mention): string {
  const answer = readRegion(region, open);
  return spoken ? cutSentence(answer) : answer;
}

// The rest of the line; if that is blank, the last box or else the first line that says something.
function readRegion(region: string, open: string): string {
  const lines = region.split(/\r\n|\n|\r/);
  const inline = lines[0]?.trim() ?? '';
  if (inline !== '' && !opensBlock(inline)) return closeAt(inline, open);
  const first = lines.findIndex((line) => line.trim() !== '' && !RULE.test(line));
  const box = lastBox(region);
  if (box !== null) return box;
  const line = lines[first]?.trim() ?? '';
  return opensBlock(line) ? readBlock(line, lines.slice(first + 1)) : closeAt(line.replace(BULLET, ''), open);
}

function opensBlock(line: string): boolean {
  return BLOCKS.has(line) || isFence(line);
}

function isFence(line: string): boolean {
  return /^```\w{0,20}$/.test(line);
}

function readBlock(opening: string, rest: readonly string[]): string {
  const closing = BLOCKS.get(opening) ?? '```';
  const end = rest.findIndex((line) => line.trim() === closing);
  const block = (end === -1 ? rest : rest.slice(0, end)).join('\n').trim();
  return isFence(opening) || block === '' ? block : `${opening}${block}${closing}`;
}

function closeAt(content: string, open: string): string {
  const closing = open.replaceAll('“', '”');
  const end = content.lastIndexOf(closing);
  return end === -1 ? content : content.slice(0, end);
}
