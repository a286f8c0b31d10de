import type { SampleResult } from '../types.ts';
import type { ComparedSide } from './compared-side.ts';

/** What an agent's answers, or the verdicts on them, depend on. */
export type Change = 'prompt' | 'agent' | 'dataset' | 'limits' | 'predictions';

/** What was edited between two sides of the same agent; nothing is said of what a side does not tell. */
export function findChanges(a: ComparedSide, b: ComparedSide): readonly Change[] {
  const [before, after] = [a.conditions, b.conditions];
  const known = before !== null && after !== null;
  const changed: Readonly<Record<Change, boolean>> = {
    prompt: a.prompt_hash !== b.prompt_hash,
    agent: known && (before.fingerprint !== after.fingerprint || before.cache_key !== after.cache_key),
    predictions: known && after.fingerprint === null && saysOtherwise(a.results, b.results),
    dataset: a.dataset_hash !== b.dataset_hash,
    limits: known && (before.max_steps !== after.max_steps || !isSame(before.deadlines, after.deadlines)),
  };
  return CHANGES.filter((change) => changed[change]);
}

const CHANGES = ['prompt', 'agent', 'predictions', 'dataset', 'limits'] as const;

/** An agent without a fingerprint repeats a recording: what it says tells whether that is another one. */
function saysOtherwise(a: readonly SampleResult[], b: readonly SampleResult[]): boolean {
  const before = new Map(a.map((row) => [toKey(row), row]));
  return b.some((row) => {
    const old = before.get(toKey(row));
    return old !== undefined && (old.output !== row.output || old.reason !== row.reason);
  });
}

function toKey({ id, trial, question_hash }: SampleResult): string {
  return JSON.stringify([id, trial, question_hash]);
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
