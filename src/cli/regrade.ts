import { createRequire } from 'node:module';
import { findGrader, findRuleOf } from '../figures/find-grader.ts';
import { compareNaturally } from '../figures/groups.ts';
import { EXTENSION } from '../package.ts';
import type { SuiteManifest } from '../store/manifest.ts';
import type { LoggedQuestion } from '../store/run-folder.ts';
import { omitNullish } from '../words/fields.ts';
import { listAccepted, type SampleResult } from '../words/row.ts';
import type { Json } from '../words/sample.ts';
import { toText, tryOrUndefined } from '../words/show.ts';

type GradedRow = SampleResult & Readonly<{ output: Json; target: Json }>;

function isGraded(row: SampleResult): row is GradedRow {
  return row.output !== null && row.target !== null;
}

const load = createRequire(import.meta.url);

function regradeChoice(row: GradedRow, question: Partial<LoggedQuestion> = {}): Regraded['now'] {
  // Loaded on first use: few runs are graded again.
  const { gradeMcq }: typeof import('../scoring/mcq/grade-mcq.ts') = load(
    `../scoring/mcq/grade-mcq${EXTENSION}`,
  );
  const shown = listShown(question);
  const { state, answer, scores } = gradeMcq(
    toText(row.output),
    toShownLabels(toText(row.target), shown),
    {
      choices: Object.fromEntries(shown.map(({ label, text }) => [label, text])),
      ...omitNullish({ multiple: row.multiple, accepts: row.accepts }),
    },
    { extract: row.how !== 'as given' },
  );
  const ownLabels = new Map(shown.map((option) => [option.label, option.own]));
  const renamed = answer === null ? null : rename(toText(answer), ownLabels);
  return { state, answer: renamed, ...omitNullish({ scores }) };
}

/** An option by the label that the agent saw, and by the dataset's own. */
type Shown = Readonly<{ label: string; own: string; text: string }>;

/** The options as an agent saw them. Where they were shuffled, labels stayed and texts moved. */
function listShown({ choices = [], labels }: Partial<LoggedQuestion>): readonly Shown[] {
  return choices.map(([own, text], index) => ({ label: labels?.[index] ?? own, own, text }));
}

/** An expected answer in the labels that the agent saw; rows have the dataset's own. */
function toShownLabels(target: string, shown: readonly Shown[]): string {
  return rename(target, new Map(shown.map(({ own, label }) => [own, label])));
}

/** Labels such as "A,D" by other names, in the order of the alphabet. */
function rename(labels: string, names: ReadonlyMap<string, string>): string {
  return labels
    .split(',')
    .map((label) => names.get(label) ?? label)
    .sort(compareNaturally)
    .join(',');
}

/**
 * A row and what the grader of today says of it; undefined if its expected answer names no option.
 */
export type Regraded = Readonly<{
  row: SampleResult;
  now: Pick<SampleResult, 'state' | 'answer' | 'scores'> | undefined;
}>;

/** Grades the outputs of a suite again. Null for a suite that its own code judges. */
export function regradeSuite(
  entry: Pick<SuiteManifest, 'matcher'>,
  rows: readonly SampleResult[],
  questions: ReadonlyMap<string, LoggedQuestion>,
): readonly Regraded[] | null {
  const grader = findGrader(entry);
  if (grader === null) return null;
  const graded = rows.filter(isGraded);
  if (grader === 'mcq') {
    return graded.map((row) => ({
      row,
      now: tryOrUndefined(() => regradeChoice(row, questions.get(row.id))),
    }));
  }
  const { gradeGaia }: typeof import('../scoring/gaia/grade-gaia.ts') = load(
    `../scoring/gaia/grade-gaia${EXTENSION}`,
  );
  const rule = findRuleOf(graded) ?? 'official';
  return graded.map((row) => {
    const options = { rule, extract: row.how !== 'as given' };
    return { row, now: gradeGaia(toText(row.output), listAccepted(row), options) };
  });
}
