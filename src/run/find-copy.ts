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
  /** All of the dataset. What several of them say is no copy of one. */
  questions: readonly Question[];
}>;

type Question = Pick<Sample, 'input'>;

/**
 * The benchmark that a dataset is: GAIA, a dataset of the Hub, or a file of multiple choice with the
 * fields of a public one. Null for all others: tools may rightly hold the texts of own questions.
 */
export function toBenchmark({ name, source, layout, samples }: Dataset): Benchmark | null {
  const isGaia = isGaiaItself({ dataset: name, source: source ?? null });
  const isPublic = isGaia || isHubSource(source?.uri ?? '') || (layout?.known ?? null) !== null;
  if (!isPublic || name === 'sample') return null;
  return { isGaia, hasContext: layout?.hasContext === true, questions: samples };
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
  question: Question,
  benchmark: Benchmark,
): SeenCopy | undefined {
  const calls = steps.flatMap(({ tool_calls }) => tool_calls).filter(hasShown);
  if (calls.length === 0) return undefined;
  const own = readOwn(question, benchmark);
  const parts = listParts(own);
  const found = parts.length === 0 ? [] : calls.flatMap((call) => findRuns(call, parts));
  if (leaveOutShared([...new Set(found)], own, benchmark).length > 0) return 'text';
  return benchmark.isGaia && calls.some(showsPage) ? 'page' : 'none';
}

/** The text of a question, without a passage above it. */
function readOwn({ input }: Question, { hasContext }: Omit<Benchmark, 'questions'>): string {
  const text = typeof input === 'string' ? input : '';
  return hasContext ? text.slice(text.lastIndexOf('\n\n') + 1) : text;
}

/**
 * The runs that no other question has: a stem that many share, or an instruction, may stand
 * anywhere. The same question may be in the dataset twice.
 */
function leaveOutShared(
  runs: readonly string[],
  own: string,
  benchmark: Benchmark,
): readonly string[] {
  let left = runs.map((run) => ({ run, words: longestWords(run.split(' ')) }));
  for (const question of left.length === 0 ? [] : benchmark.questions) {
    const other = readOwn(question, benchmark);
    if (other === own) continue;
    const lower = other.toLowerCase();
    if (isPlain(other) && left.every(({ words }) => !hasAll(lower, words))) continue;
    const said = toWords(other);
    left = left.filter(({ run }) => !said.includes(run));
  }
  return left.map(({ run }) => run);
}

/** Attachments are the question's own. A call that failed, as a refused page does, showed nothing. */
function hasShown({ name, result, failed }: TraceCall): boolean {
  return !failed && result !== null && result !== '' && name !== 'read_attachment';
}

/**
 * Words that the call itself was given are no find: a search repeats its query, and a helper its
 * task.
 */
function findRuns(
  { arguments: given, result }: TraceCall,
  parts: readonly Part[],
): readonly string[] {
  const text = result ?? '';
  const lower = text.toLowerCase();
  // Ligatures, soft hyphens and wide letters hide a word until they are undone.
  const isSure = isPlain(text);
  const possible = parts.filter(
    ({ blocks }) => !isSure || blocks.some((words) => hasAll(lower, words)),
  );
  if (possible.length === 0) return [];
  const shown = toWords(text);
  const found = possible.flatMap(({ runs }) => runs.filter((run) => shown.includes(run)));
  if (found.length === 0) return [];
  const query = toWords(given);
  return found.filter((run) => !query.includes(run));
}

/** Whether words stand in a text as they are read. */
function isPlain(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
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
    longestWords(words.slice(index * size, (index + 1) * size)),
  );
}

/** The words that no text without them can say, in the order in which few texts have them. */
function longestWords(words: readonly string[]): readonly string[] {
  return words
    .filter((word) => /^[a-z0-9]{4,}$/.test(word))
    .toSorted((a, b) => b.length - a.length);
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
