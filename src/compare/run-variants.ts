import { quote } from '../words/show.ts';
import { didYouMean, namePrompt, nameVariant, type Variant } from '../words/wording.ts';
import { type ComparedRun, compareVariants, type SuiteComparison } from './compare-runs.ts';
import { type ComparedVariant, listIds } from './differences.ts';

/** Of more variants of a suite, each is compared with the first one alone: the pairs are many. */
const MOST_PAIRED = 6;

/**
 * Compares the variants of each suite of a run in pairs. The earlier one is the baseline; the pairs
 * with the first one come first.
 */
export function comparePairs(variants: readonly ComparedVariant[]): readonly SuiteComparison[] {
  const bySuite = Map.groupBy(variants, ({ suite, dataset }) => JSON.stringify([suite, dataset]));
  return [...bySuite.values()].flatMap((own) =>
    own
      .slice(0, own.length > MOST_PAIRED ? 1 : own.length)
      .flatMap((a, index) => own.slice(index + 1).map((b) => compareVariants(a, b))),
  );
}

/**
 * A run with only those variants that a name means: an agent, a prompt, its file, or both as tables
 * name them. Throws if it means none; `argument` names the run for the error.
 */
export function pickVariants(run: ComparedRun, name: string, argument: string): ComparedRun {
  const { variants } = run;
  for (const nameOf of NAMES) {
    const named = variants.filter((variant) => nameOf(variant) === name);
    if (named.length > 0) return { ...run, variants: named };
  }
  const agents = variants.map(({ agent }) => agent);
  const known = [...new Set([...agents, ...variants.flatMap(({ prompt }) => prompt ?? [])])];
  throw new Error(
    `${argument} must name an agent or prompt of ${run.name}, got ${quote(name)}.${didYouMean(name, known)}\n` +
      `It has: ${listIds(known, 600)}.`,
  );
}

const NAMES: readonly ((variant: Variant) => string | undefined)[] = [
  nameVariant,
  ({ agent }) => agent,
  ({ prompt }) => prompt,
  (variant) => namePrompt(variant) || undefined,
];
