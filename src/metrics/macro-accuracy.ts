import type { GroupSummary } from '../types.ts';

/** Every level of GAIA: a mean of fewer would pass for the published figure. */
const LEVELS = ['level 1', 'level 2', 'level 3'];

/**
 * Plain mean of the groups' accuracies ("all" is not among `groups`): null unless at least two groups are there and
 * each has an accuracy. Groups that are levels must include levels 1 to 3.
 */
export function computeMacroAccuracy(groups: readonly GroupSummary[]): number | null {
  const names = groups.map(({ group }) => group);
  const areLevels = names.every((name) => /^level \d+$/.test(name));
  if (groups.length < 2 || (areLevels && LEVELS.some((level) => !names.includes(level)))) return null;
  const accuracies = groups.map(({ accuracy }) => accuracy).filter((accuracy) => accuracy !== null);
  if (accuracies.length < groups.length) return null;
  return accuracies.reduce((sum, accuracy) => sum + accuracy, 0) / groups.length;
}
