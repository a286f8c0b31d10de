import type { Usage } from '../types.ts';

/** The tokens of several replies. */
export function sumUsage(counts: readonly Usage[]): Usage {
  const total = (key: keyof Usage) => counts.reduce((soFar, usage) => soFar + usage[key], 0);
  return {
    input_tokens: total('input_tokens'),
    output_tokens: total('output_tokens'),
    cached_tokens: total('cached_tokens'),
    reasoning_tokens: total('reasoning_tokens'),
  };
}
