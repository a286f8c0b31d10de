import { isGaiaItself } from '../data/gaia.ts';
import { isHubSource } from '../data/hub/hub-source.ts';
import { isLeakAddress, isLeakText } from '../tools/web/leak-guard.ts';
import type { TraceCall, TraceStep } from '../words/answer.ts';
import type { SeenCopy } from '../words/row.ts';
import type { Dataset, Sample } from '../words/sample.ts';
import { UNSEEN } from '../words/unseen.ts';

/** A dataset whose questions may be on the web, and how its copies are known. */
export type Benchmark = Readonly<{
  isGaia: boolean;
  /** Whether a passage stands above each question. Its source is no copy of the question. */
  hasContext: boolean;
}>;

/**
 * The benchmark that a dataset is: GAIA, a dataset of the Hub, or a file of multiple choice with the
 * fields of a public one. Null for all others: tools may rightly hold the texts of own questions.
 */
export function toBenchmark({ name, source, layout }: Dataset): Benchmark | null {
  const isGaia = isGaiaItself({ dataset: name, source: source ?? null });
  const isPublic = isGaia || isHubSource(source?.uri ?? '') || (layout?.known ?? null) !== null;
  if (!isPublic || name === 'sample') return null;
  return { isGaia, hasContext: layout?.hasContext === true };
}

/** So many words of a question in a row stand nowhere else by chance. */
const WORDS = 12;

/** A question of fewer words than these is never certain. */
const LEAST = 8;

/**
 * Looks for copies of a benchmark in what the tools of a trace returned, as far as the trace has it.
 * Undefined if no tool returned anything, so that nothing could be seen.
 */
export function findCopy(
  steps: readonly TraceStep[],
  { input }: Pick<Sample, 'input'>,
  { isGaia, hasContext }: Benchmark,
): SeenCopy | undefined {
  const calls = steps.flatMap(({ tool_calls }) => tool_calls).filter(hasShown);
  if (calls.length === 0) return undefined;
  const question = typeof input === 'string' ? input : '';
  const own = hasContext ? question.slice(question.lastIndexOf('\n\n') + 1) : question;
  const parts = listParts(own);
  if (parts.length > 0 && calls.some((call) => showsPart(call, parts))) return 'text';
  return isGaia && calls.some(showsPage) ? 'page' : 'none';
}

/** Attachments are the question's own. A call that failed, as a refused page does, showed nothing. */
function hasShown({ name, result, failed }: TraceCall): boolean {
  return !failed && result !== null && result !== '' && name !== 'read_attachment';
}

/**
 * Words that the call itself was given are no find: a search repeats its query, and a helper its
 * task.
 */
function showsPart({ arguments: given, result }: TraceCall, parts: readonly Part[]): boolean {
  const text = result ?? '';
  const lower = text.toLowerCase();
  // Ligatures, soft hyphens and wide letters hide a word until they are undone.
  const isPlain = /^[\0-\x7f]*$/.test(text);
  const possible = parts.filter(
    ({ blocks }) => !isPlain || blocks.some((words) => hasAll(lower, words)),
  );
  if (possible.length === 0) return false;
  const shown = toWords(text);
  const found = possible.flatMap(({ runs }) => runs.filter((run) => shown.includes(run)));
  if (found.length === 0) return false;
  const query = toWords(given);
  return found.some((run) => !query.includes(run));
}

function hasAll(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}

function showsPage({ arguments: given, result }: TraceCall): boolean {
  return isLeakText(result ?? '') || listAddresses(given).some(isLeakAddress);
}

function listAddresses(text: string): readonly URL[] {
  const addresses = text.match(/https?:\/\/[^\s"'<>\\)]{1,2000}/g) ?? [];
  return addresses.flatMap((address) => URL.parse(address) ?? []);
}

/** A part of a question without a quotation. */
type Part = Readonly<{
  /** All its runs of twelve words, or the whole of a short question. */
  runs: readonly string[];
  /** Words of which a text with a run has all of one block. They are found faster than runs. */
  blocks: readonly (readonly string[])[];
}>;

/** What a question quotes is left out: it may stand in the source that the question asks about. */
function listParts(question: string): readonly Part[] {
  const own = question.replaceAll(QUOTED, '\0').split('\0').map(toWords);
  const parts = own.map((part) => part.split(' ').filter((word) => word !== ''));
  const isShort = parts.length === 1 && countWords(parts[0] ?? []) < WORDS;
  return parts.flatMap((words) => {
    const least = sizeOf(words, isShort ? LEAST : WORDS);
    if (words.length < least) return [];
    const size = isShort ? words.length : least;
    const starts = Array.from({ length: words.length - size + 1 }, (_, start) => start);
    const runs = starts.map((start) => ` ${words.slice(start, start + size).join(' ')} `);
    return { runs, blocks: toBlocks(words, Math.floor(size / 2)) };
  });
}

/** Each run of twice the size contains a whole block. */
function toBlocks(words: readonly string[], size: number): readonly (readonly string[])[] {
  return Array.from({ length: Math.floor(words.length / size) }, (_, index) =>
    words
      .slice(index * size, (index + 1) * size)
      .filter((word) => /^[a-z0-9]{4,}$/.test(word))
      .toSorted((a, b) => b.length - a.length),
  );
}

const QUOTED =
  /"[^"\n]{1,500}"|“[^“”]{1,500}”|„[^„“”]{1,500}[“”]|«[^«»]{1,500}»|「[^「」]{1,500}」/g;

/** Chinese and Japanese have no spaces between words: two characters are about one. */
function countWords(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + (CHARACTER.test(word) ? 0.5 : 1), 0);
}

/** How many in a row are so many words. */
function sizeOf(words: readonly string[], wanted: number): number {
  return countWords(words) < words.length * 0.75 ? 2 * wanted : wanted;
}

const CHARACTER = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const CHARACTERS = new RegExp(CHARACTER, 'gu');

/**
 * The words of a text in lower case, with a space before and after each: whatever stands between
 * them, also as JSON escapes it.
 */
function toWords(text: string): string {
  const read = text.includes('\\') ? text.replace(ESCAPED, readEscaped) : text;
  const plain = read.normalize('NFKC').replace(UNSEEN, '').toLowerCase();
  const apart = CHARACTER.test(plain) ? plain.replace(CHARACTERS, ' $& ') : plain;
  return ` ${apart.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim()} `;
}

const ESCAPED = /\\{1,8}(?:u([0-9a-fA-F]{4})|[nrt])/g;

function readEscaped(_: string, code: string | undefined): string {
  return code === undefined ? ' ' : String.fromCharCode(Number.parseInt(code, 16));
}
