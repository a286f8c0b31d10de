import type { ProvidedBaseline } from './baseline.ts';
import { findPartner, type SideIdentity } from './find-partner.ts';

/**
 * Throws when a suite that is about to run has nothing to be compared with. A baseline that lacks the suite altogether
 * is no mistake where other suites run beside it.
 */
export function checkBaseline(
  baseline: ProvidedBaseline | null,
  sides: readonly SideIdentity[],
  { suites }: { readonly suites: number },
): void {
  if (baseline === null) return;
  const isThere = baseline.sides.some(({ suite }) => sides.some((side) => side.suite === suite));
  if (!isThere && suites > 1) return;
  const partners = sides.map((side) => findPartner(side, baseline.sides, sides));
  const [first] = partners;
  if (typeof first !== 'string' || partners.some((partner) => typeof partner !== 'string')) return;
  throw new Error(
    `EVAL_BASELINE names ${JSON.stringify(baseline.name)} (A), with which this run (B) has nothing in common: ${first} ` +
      'Name a run on the same dataset, or leave EVAL_BASELINE out.',
  );
}
