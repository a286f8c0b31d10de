import { partOf } from '../text/plural.ts';

const ALL = 'all';

/**
 * The groups of records by what they say themselves (null for nothing). When no record says anything all are "all";
 * when only some do, the others form a group of their own, since "all" in a report is the whole.
 */
export function nameGroups(said: readonly (string | null)[], what: string): { groups: string[]; notes: string[] } {
  const silent = said.filter((name) => !isName(name)).length;
  if (silent === said.length) return { groups: said.map(() => ALL), notes: [] };
  const groups = said.map((name) => (isName(name) ? name : `no ${what}`));
  const have = partOf(silent, said.length, 'record', 'has', 'have');
  return { groups, notes: silent === 0 ? [] : [`${have} no ${what}.`] };
}

function isName(name: string | null): name is string {
  return name !== null && name.toLowerCase() !== ALL;
}
