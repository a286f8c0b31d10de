import { lineIf } from '../src/text/show.ts';
import type { GroupSummary, SuiteSummary } from '../src/types.ts';
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
  const { shown } = pickGroupings(suite, most);
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

/** Where the means are that the table has no room for. */
export function toScoreLines(suite: SuiteSummary): readonly string[] {
  const { scores } = suite.groups.at(-1) ?? {};
  const names = pickGroupings(suite, MOST_GROUPS).hidden.map(({ by = 'group' }) => by);
  return lineIf(
    scores !== undefined && names.length > 0,
    `means of the scores by ${names.join(', ')}: see report.html`,
  );
}

/** With more, the table would be wider than a terminal. */
const MOST_GROUPS = 4;

/** The groupings whose groups have room beside each other, and the others. */
function pickGroupings({ groups, grouped_by: by, slices = [] }: SuiteSummary, most: number) {
  let room = most;
  const shown: Readonly<{ by: string | undefined; groups: readonly GroupSummary[] }>[] = [];
  const hidden: typeof shown = [];
  for (const grouping of [{ by, groups: groups.slice(0, -1) }, ...slices]) {
    const { length } = grouping.groups;
    (length > room ? hidden : shown).push(grouping);
    if (length <= room) room -= length;
  }
  return { shown, hidden };
}
