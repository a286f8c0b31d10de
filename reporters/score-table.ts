import type { GroupSummary, SuiteSummary } from '../src/words/figures.ts';
import {
  formatCorrected,
  formatCorrectedInterval,
  formatScore,
  formatScoreInterval,
  hasCorrected,
} from './format-figures.ts';
import { type Table, toTable } from './tables.ts';

/**
 * The named scores of a suite, a row each, with their means by group for `most` groups of all
 * groupings together; null without one.
 */
export function toScoreTable(suite: SuiteSummary, most = MOST_GROUPS): Table | null {
  const { scores = {} } = suite.groups.at(-1) ?? {};
  const entries = Object.entries(scores);
  if (entries.length === 0) return null;
  const shown = pickGroupings(suite, most);
  const isCorrected = entries.some(([, figures]) => hasCorrected(figures));
  const corrected = isCorrected ? ['corrected', 'corrected 95 % interval'] : [];
  const head = ['score', 'n', 'mean', '95 % interval', ...corrected];
  const rows = entries.map(([name, figures]) => [
    name,
    String(figures.n),
    formatScore(figures),
    formatScoreInterval(figures),
    ...(isCorrected ? [formatCorrected(figures), formatCorrectedInterval(figures)] : []),
    ...shown.flatMap(({ groups }) => groups.map((group) => formatScore(group.scores?.[name]))),
  ]);
  const heads = shown.flatMap(({ by, groups }) =>
    groups.map(({ group }) => (by === undefined ? group : `${by} ${group}`)),
  );
  return toTable([...head, ...heads], rows);
}

/** With more, the table would be wider than a terminal. The report has them all. */
const MOST_GROUPS = 4;

/** The groupings whose groups have room beside each other. */
function pickGroupings({ groups, grouped_by: by, slices = [] }: SuiteSummary, most: number) {
  let room = most;
  const shown: Readonly<{ by: string | undefined; groups: readonly GroupSummary[] }>[] = [];
  for (const grouping of [{ by, groups: groups.slice(0, -1) }, ...slices]) {
    const { length } = grouping.groups;
    if (length > room) continue;
    shown.push(grouping);
    room -= length;
  }
  return shown;
}
