import { isCorrect, isCounted } from '../states.ts';
import type { SampleResult } from '../types.ts';

/** Rows by key, in order of first appearance. Its type says that no group is empty. */
export function groupBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string): ReadonlyMap<string, [Row, ...Row[]]> {
  return Map.groupBy(rows, keyOf) as Map<string, Row[]> as Map<string, [Row, ...Row[]]>;
}

type SuiteIdentity = Pick<SampleResult, 'suite' | 'dataset' | 'agent' | 'prompt'>;

/** A unique string for suite, dataset, agent and prompt, whatever characters they contain. */
export function toSuiteKey({ suite, dataset, agent, prompt }: SuiteIdentity): string {
  return JSON.stringify([suite, dataset, agent, prompt]);
}

const collator = new Intl.Collator('en', { numeric: true });

/** Orders names as people do: "level 2" before "level 10". Only identical names compare as 0. */
export function compareNaturally(left: string, right: string): number {
  // The collator calls some different strings equal ("é" composed and decomposed).
  return collator.compare(left, right) || (left < right ? -1 : Number(left > right));
}

/** The trials of one question: how many count in accuracy, and how many of those are right. */
export type Tally = { readonly correct: number; readonly counted: number };

/** The tally of each question by id, in order of first appearance. Zeros if no trial counts. */
export function tallyQuestions(results: readonly SampleResult[]): ReadonlyMap<string, Tally> {
  return new Map([...groupBy(results, ({ id }) => id)].map(([id, trials]) => [id, tallyTrials(trials)]));
}

export function tallyTrials(trials: readonly SampleResult[]): Tally {
  return { correct: trials.filter(isCorrect).length, counted: trials.filter(isCounted).length };
}

/** A sum that does not depend on the order of its terms: a merge of shards has results in another order. */
export function sumAnyOrder(values: Iterable<number>): number {
  return Float64Array.from(values)
    .sort()
    .reduce((sum, value) => sum + value, 0);
}
