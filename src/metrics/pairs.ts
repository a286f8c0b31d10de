import type { SampleResult } from '../types.ts';
import { groupBy } from './group-by.ts';
import { type Tally, tallyTrials } from './tally.ts';
import { toTupleKey } from './tuple-key.ts';

/** One question in one run: its results (one per trial) and how many of them are right. */
type Side = Tally & { readonly results: readonly SampleResult[] };

/** One question in both runs; `group` as run b names it. */
export type Pair = { readonly id: string; readonly group: string; readonly a: Side; readonly b: Side };

export type Pairing = {
  /** Finished in both runs: every trial ran and at least one is graded. */
  readonly finished: readonly Pair[];
  readonly unfinished: readonly Pair[];
  /** Ids of the questions that only one run has. */
  readonly onlyA: readonly string[];
  readonly onlyB: readonly string[];
};

/** Pairs the questions of two runs by suite, dataset and id, in the order of run b; the trials of one are pooled. */
export function pairQuestions(a: readonly SampleResult[], b: readonly SampleResult[]): Pairing {
  const questionsA = groupBy(a, toQuestionKey);
  const questionsB = groupBy(b, toQuestionKey);
  const pairs: Pair[] = [];
  for (const [key, results] of questionsB) {
    const [{ id, group }] = results;
    const before = questionsA.get(key);
    if (before !== undefined) pairs.push({ id, group, a: toSide(before), b: toSide(results) });
  }
  return {
    finished: pairs.filter(isFinished),
    unfinished: pairs.filter((pair) => !isFinished(pair)),
    onlyA: idsMissingFrom(questionsB, questionsA),
    onlyB: idsMissingFrom(questionsA, questionsB),
  };
}

function toQuestionKey({ suite, dataset, id }: SampleResult): string {
  return toTupleKey(suite, dataset, id);
}

function toSide(results: readonly SampleResult[]): Side {
  return { results, ...tallyTrials(results) };
}

function isFinished({ a, b }: Pair): boolean {
  return [a, b].every(({ graded, results }) => graded > 0 && results.every(({ state }) => state !== 'not_run'));
}

type Questions = ReadonlyMap<string, readonly [SampleResult, ...SampleResult[]]>;

function idsMissingFrom(other: Questions, questions: Questions): readonly string[] {
  return [...questions].filter(([key]) => !other.has(key)).map(([, [{ id }]]) => id);
}
