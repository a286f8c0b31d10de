import { isCorrect, isCounted, type SampleResult } from '../words/row.ts';

/** Rows by key, in order of first appearance. Its type says that no group is empty. */
export function groupBy<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): ReadonlyMap<string, [Row, ...Row[]]> {
  return Map.groupBy(rows, keyOf) as Map<string, Row[]> as Map<string, [Row, ...Row[]]>;
}

type SuiteIdentity = Pick<SampleResult, 'suite' | 'dataset' | 'agent' | 'prompt'>;

/**
 * A unique string for suite, dataset, agent and prompt, whatever characters they contain: their lengths
 * say where each ends. JSON takes ten times as long, and each row has its key made several times.
 */
export function toSuiteKey({ suite, dataset, agent, prompt }: SuiteIdentity): string {
  const lengths = `${suite.length},${dataset.length},${agent.length}`;
  return `${lengths},${prompt === undefined ? '' : 'p'},${suite}${dataset}${agent}${prompt ?? ''}`;
}

/** Rows by suite, dataset, agent and prompt, in order of first appearance. */
export function groupByVariant<Row extends SuiteIdentity>(
  rows: readonly Row[],
): ReadonlyMap<string, [Row, ...Row[]]> {
  return groupBy(rows, toSuiteKey);
}

let collator: Intl.Collator | null = null;

/** Orders names as people do: "level 2" before "level 10". Only identical names compare as 0. */
export function compareNaturally(left: string, right: string): number {
  // The collator calls some different strings equal ("é" composed and decomposed).
  return compareWords(left, right) || (left < right ? -1 : Number(left > right));
}

function compareWords(left: string, right: string): number {
  const [one, other] = [NUMBERED.exec(left), NUMBERED.exec(right)];
  // A collator takes 6 ms to make, in each process of a run, and most groups are levels.
  if (one !== null && other !== null && one[1] === other[1])
    return Number(one[2]) - Number(other[2]);
  collator ??= new Intl.Collator('en', { numeric: true });
  return collator.compare(left, right);
}

/** Words and a number, as in "level 10". */
const NUMBERED = /^([a-z ]*)(\d{1,9})$/i;

/** What is in a cluster: what shares a text, a table or a repository. Without one it is its own. */
export type Clustered = Readonly<{ cluster?: string | undefined }>;

/** The trials of one question: how many count in accuracy, and how many of those are right. */
export type Tally = Clustered & Readonly<{ correct: number; counted: number }>;

/** Whether none is in a cluster with others, as far as is known. */
export function areAlone(items: readonly Clustered[]): boolean {
  return items.every(({ cluster }) => cluster === undefined);
}

/** The members of each cluster, in order of first appearance. */
export function groupByCluster<Item extends Clustered>(
  items: readonly Item[],
): readonly (readonly [Item, ...Item[]])[] {
  if (areAlone(items)) return items.map((item) => [item]);
  // An index is no text, so it is never the name of a cluster.
  const clusters = Map.groupBy(items, ({ cluster }, index) => cluster ?? index);
  return [...clusters.values()] as [Item, ...Item[]][];
}

/** How many clusters the counted questions are in; nothing where none has a cluster. */
export function countClusters(tallies: readonly Tally[]): Readonly<{ clusters?: number }> {
  const counted = tallies.filter((tally) => tally.counted > 0);
  if (areAlone(counted)) return {};
  return { clusters: groupByCluster(counted).length };
}

/** The names of the groupings: the one that `group` has, if one has, and the others. */
export function listGroupings(results: readonly SampleResult[]) {
  const names = [...new Set(results.flatMap(({ groups = {} }) => Object.keys(groups)))];
  const isFirst = (by: string) => results.every((row) => readSlice(row, by) === row.group);
  return { first: names.find(isFirst), others: names.filter((by) => !isFirst(by)) };
}

/** The group of a row in a grouping; "none" where its record has none. */
export function readSlice({ groups = {} }: Pick<SampleResult, 'groups'>, by: string): string {
  return Object.hasOwn(groups, by) ? (groups[by] ?? 'none') : 'none';
}

/**
 * The tally of each question by id, in order of first appearance where trials are counted. Zeros if
 * no trial counts. `worthOf` returns what a trial is worth, 0 to 1; null if it does not count.
 */
export function tallyQuestions(
  results: readonly SampleResult[],
  worthOf = toWorth,
): ReadonlyMap<string, Tally> {
  const tallies = new Map<string, { correct: number; counted: number; cluster?: string }>();
  // Whole numbers add up exactly in any order, fractions to the same digits in one alone.
  const ordered =
    worthOf === toWorth ? results : results.toSorted((one, other) => one.trial - other.trial);
  for (const row of ordered) {
    const value = worthOf(row);
    const correct = value ?? 0;
    const counted = value === null ? 0 : 1;
    const known = tallies.get(row.id);
    if (known === undefined) tallies.set(row.id, { correct, counted, cluster: row.cluster });
    else {
      known.correct += correct;
      known.counted += counted;
    }
  }
  return tallies;
}

function toWorth(row: SampleResult): number | null {
  return isCounted(row) ? Number(isCorrect(row)) : null;
}

/**
 * A sum that does not depend on the order of its terms: a merge of shards has results in another
 * order.
 */
export function sumAnyOrder(values: Iterable<number>): number {
  return new Float64Array(values).sort().reduce((sum, value) => sum + value, 0);
}
