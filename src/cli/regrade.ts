import { createRequire } from 'node:module';
import { findGrader, findRuleOf } from '../figures/find-grader.ts';
import { listShown, toOwnLabels, toShownLabels } from '../figures/shown-options.ts';
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

function regradeChoice(row: GradedRow, question: LoggedQuestion | undefined): Regraded['now'] {
  // Loaded on first use: few runs are graded again.
  const { gradeMcq }: typeof import('../scoring/mcq/grade-mcq.ts') = load(
    `../scoring/mcq/grade-mcq${EXTENSION}`,
  );
  const shown = listShown(question, row);
  const { state, answer, scores } = gradeMcq(
    toText(row.output),
    toShownLabels(toText(row.target), shown),
    {
      choices: Object.fromEntries(shown.map(({ label, text }) => [label, text])),
      ...omitNullish({ multiple: row.multiple, accepts: row.accepts }),
    },
    { extract: row.how !== 'as given' },
  );
  const renamed = answer === null ? null : toOwnLabels(toText(answer), shown);
  return { state, answer: renamed, ...omitNullish({ scores }) };
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
