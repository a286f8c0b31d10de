import type { CutShort } from './types.ts';

const LIMITS: readonly CutShort[] = ['max_tokens', 'context_window', 'incomplete'];

/** The reason of a row as the limit at which its output was cut short; null for every other reason. */
export function toCutShort(reason: string | null): CutShort | null {
  return LIMITS.find((limit) => limit === reason) ?? null;
}
