import type { EvalConfig } from '../config.ts';
import { shuffle } from '../datasets/seeded-shuffle.ts';
import { matchesAny, selectSamples } from '../datasets/selection.ts';
import type { Dataset, Sample } from '../types.ts';

/**
 * The samples to run. Where several suites run, an id of one is no mistake in another: what matches nothing here is
 * recorded, and the report refuses what matches nothing anywhere.
 */
export function chooseSamples(
  { hasLevels = false }: { readonly hasLevels?: boolean },
  { samples }: Dataset,
  { config: { levels, ids, seed, limit }, suites }: { readonly config: EvalConfig; readonly suites: number },
): { readonly samples: readonly Sample[]; readonly unmatchedIds: readonly string[] } {
  const unmatchedIds = suites === 1 ? [] : (ids ?? []).filter((pattern) => !matchesAny(pattern, samples));
  const matchedIds = ids?.filter((pattern) => !unmatchedIds.includes(pattern)) ?? null;
  if (matchedIds?.length === 0) return { samples: [], unmatchedIds };
  const selection = {
    ...(levels === null || !hasLevels ? {} : { levels }),
    ...(matchedIds === null ? {} : { ids: matchedIds }),
    ...(seed === null ? {} : { seed }),
    ...(limit === null ? {} : { limit }),
  };
  return { samples: selectSamples(samples, selection), unmatchedIds };
}

/** A budget may end a run anywhere: what it leaves out must not depend on the order of the file. */
export function inStartOrder(samples: readonly Sample[], { maxCost, seed }: EvalConfig): readonly Sample[] {
  return maxCost === null || seed !== null ? samples : shuffle(samples, BUDGET_SEED);
}

const BUDGET_SEED = 1;
