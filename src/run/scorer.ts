import { isFields } from '../records/record.ts';

/**
 * What a scorer of autoevals and the like gives: a number from 0 to 1, or null for no verdict.
 * `metadata.rationale` or `metadata.reason` says why.
 */
export type ScorerResult = {
  readonly score: number | null;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
};

export function isScorerResult(value: unknown): value is ScorerResult {
  if (!isFields(value)) return false;
  const { score, metadata } = value;
  return (score === null || typeof score === 'number') && (metadata == null || isFields(metadata));
}

/** The words of a scorer. */
export function rationaleOf({ metadata = {} }: ScorerResult): string | undefined {
  const said = metadata['rationale'] ?? metadata['reason'];
  return typeof said === 'string' && said.trim() !== '' ? said.trim() : undefined;
}
