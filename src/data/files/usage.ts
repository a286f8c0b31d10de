import type { Progress, Usage } from '../../words/answer.ts';
import { omitNullish } from '../../words/fields.ts';

export function sumUsage(counts: readonly Usage[]): Usage {
  const total = (key: Exclude<keyof Usage, 'cache_write_tokens'>) =>
    counts.reduce((soFar, usage) => soFar + usage[key], 0);
  const written = counts.reduce((sum, { cache_write_tokens = 0 }) => sum + cache_write_tokens, 0);
  return {
    input_tokens: total('input_tokens'),
    output_tokens: total('output_tokens'),
    cached_tokens: total('cached_tokens'),
    reasoning_tokens: total('reasoning_tokens'),
    ...(written > 0 && { cache_write_tokens: written }),
  };
}

/** What two calls used together: what one of them does not report is unknown for both. */
export function addSpent(first: Progress, second: Progress): Progress {
  const [a, b] = [first.usage, second.usage];
  return omitNullish({
    model: second.model ?? first.model,
    usage: a && b && sumUsage([a, b]),
    costUsd: addKnown(first.costUsd, second.costUsd),
    costEstimated: first.costEstimated ?? second.costEstimated,
    requests: first.requests && second.requests && [...first.requests, ...second.requests],
    steps: addKnown(first.steps, second.steps),
    waitedMs: (first.waitedMs ?? 0) + (second.waitedMs ?? 0),
  });
}

/** The sum of two amounts; undefined if one is not known. */
export function addKnown(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}
