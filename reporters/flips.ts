import type { SuiteComparison } from '../src/compare/comparison.ts';
import type { Change } from '../src/compare/find-changes.ts';
import { plural } from '../src/text/plural.ts';
import { toFlipLines } from './comparison-rows.ts';
import { formatPoints, judgeP } from './differences.ts';

/** What a turn of watch mode changed against an earlier one, in a few lines; nothing where they share no question. */
export function toFlipRemarks({
  suite,
  a,
  b,
  figures,
  changes,
  changed_questions,
}: SuiteComparison): readonly string[] {
  const { questions, difference, p_value, flips, shifts, unpaired } = figures;
  if (p_value === null) return [];
  const edits = changes.length === 0 ? '' : ` (${changes.map((change) => EDITS[change]).join(', ')})`;
  const left = [unpaired.only_a, unpaired.only_b, unpaired.unfinished, changed_questions].some((ids) => ids.length > 0);
  const scope = left ? `the ${plural(questions, 'question')} that both turns have` : plural(questions, 'question');
  const subject = `${suite}, ${b.agent}: against ${a.run}${edits}, on ${scope}`;
  const changed = [flips.fixed, flips.broken, shifts.improved, shifts.worsened].some((ids) => ids.length > 0);
  if (!changed) return [`${subject}: no verdict changed`];
  const counts = `${flips.fixed.length} fixed, ${flips.broken.length} broken`;
  return [`${subject}: ${counts}, ${formatPoints(difference)}, ${judgeP(p_value)}`, ...toFlipLines(figures)];
}

const EDITS: Readonly<Record<Change, string>> = {
  prompt: 'another prompt',
  agent: 'the agent was edited',
  predictions: 'other predictions',
  dataset: 'the dataset was edited',
  limits: 'another deadline or step limit',
};
