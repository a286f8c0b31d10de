import type { TokenCounts } from './turn.ts';

/** More than any request can take; what a server or an agent says above it is no count. */
export const MAX_TOKENS = 1_000_000_000;

/**
 * What a server says that one request took; null when it does not count, or counts what cannot be: an input or output
 * that is missing, no whole number, negative or beyond all measure, or more cached tokens than there were. A wrong count
 * would be a wrong cost, and a budget would hold by it. `cacheApart`: the input leaves out what a cache held or took.
 */
export function toTokenCounts(
  { input_tokens: input, output_tokens: output, ...said }: Readonly<Record<keyof TokenCounts, unknown>>,
  { cacheApart = false }: { readonly cacheApart?: boolean } = {},
): TokenCounts | null {
  const cached = said.cached_tokens ?? 0;
  const written = said.cache_write_tokens ?? 0;
  const reasoning = said.reasoning_tokens ?? 0;
  if (!isCount(input) || !isCount(output) || !isCount(cached) || !isCount(written) || !isCount(reasoning)) return null;
  if (!cacheApart && cached > input) return null;
  return {
    input_tokens: cacheApart ? input + cached + written : input,
    output_tokens: output,
    cached_tokens: cached,
    reasoning_tokens: reasoning,
    cache_write_tokens: written,
  };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_TOKENS;
}
