import type { SuiteManifest } from '../store/manifest.ts';
import { isCorrect, type SampleResult } from '../words/row.ts';

/** The built-in grader of a suite; null for one that its own code judges. */
export function findGrader({ matcher }: Pick<SuiteManifest, 'matcher'>): 'gaia' | 'mcq' | null {
  return BUILT_IN.get(matcher) ?? null;
}

const BUILT_IN: ReadonlyMap<string | null, 'gaia' | 'mcq'> = new Map([
  ['toMatchGaiaAnswer', 'gaia'],
  ['toMatchMcqAnswer', 'mcq'],
]);

/**
 * GAIA's rule that decided: the official one, unless only another agrees with all verdicts; null
 * where no rule was applied.
 */
export function findRuleOf(rows: readonly SampleResult[]): string | null {
  const ruled = rows.filter(({ rules }) => rules !== null);
  if (ruled.length === 0) return null;
  const names = ['official', ...Object.keys(ruled[0]?.rules ?? {})];
  return (
    names.find((name) => ruled.every((row) => row.rules?.[name] === isCorrect(row))) ?? 'official'
  );
}
