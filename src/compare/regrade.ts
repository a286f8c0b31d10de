import { createRequire } from 'node:module';
import { compareNaturally } from '../metrics/groups.ts';
import { EXTENSION } from '../package.ts';
import { omitNullish } from '../records/record.ts';
import { isCorrect } from '../states.ts';
import type { SuiteManifest } from '../store/manifest.ts';
import type { LoggedQuestion } from '../store/run-folder.ts';
import { toText, tryOrUndefined } from '../text/show.ts';
import type { Json, SampleResult } from '../types.ts';

type GradedRow = SampleResult & { readonly output: Json; readonly target: Json };

function isGraded(row: SampleResult): row is GradedRow {
  return row.output !== null && row.target !== null;
}

const load = createRequire(import.meta.url);

/**
 * The grade of today. Null if the run does not say which options the agent saw, and in which order.
 */
function regradeChoice(row: GradedRow, question: Partial<LoggedQuestion> = {}): Regraded['now'] {
  const shown = findShown(row, question);
  if (shown === null) return null;
  // Loaded on first use: few runs are graded again.
  const { gradeMcq }: typeof import('../scoring/mcq/grade-mcq.ts') = load(
    `../scoring/mcq/grade-mcq${EXTENSION}`,
  );
  const { choices, own } = shown;
  const multiple = row.multiple == null ? {} : { multiple: row.multiple };
  const target = toShownLabels(toText(row.target), shown);
  const extract = row.how !== 'as given';
  const { state, answer, scores } = gradeMcq(
    toText(row.output),
    target,
    { choices, ...multiple },
    { extract },
  );
  const renamed = answer === null ? null : rename(toText(answer), own);
  return { state, answer: renamed, ...omitNullish({ scores }) };
}

/** The options that an agent saw by their labels, and the dataset's own label of each. */
type Shown = {
  readonly choices: Readonly<Record<string, string>>;
  readonly own: ReadonlyMap<string, string>;
};

/**
 * The options as an agent saw them. Where they were shuffled, labels stayed and texts moved: the
 * hash of the question says so. Null if it confirms no order.
 */
export function findShown(
  row: Pick<SampleResult, 'presented' | 'multiple' | 'question_hash'>,
  { input = '', choices, attachments = [] }: Partial<LoggedQuestion>,
): Shown | null {
  if (choices === undefined) return null;
  const labels = choices.map(([label]) => label);
  const { hashQuestion }: typeof import('../run/prompt.ts') = load(`../run/prompt${EXTENSION}`);
  const multiple = row.multiple == null ? {} : { multiple: row.multiple };
  const orders = [labels, labels.toSorted(compareNaturally)].map((shown): Shown => {
    return {
      choices: Object.fromEntries(choices.map(([, text], index) => [shown[index] ?? '', text])),
      own: new Map(labels.map((label, index) => [shown[index] ?? '', label])),
    };
  });
  const found = orders.findLast((shown) => {
    const question = {
      input,
      choices: shown.choices,
      ...multiple,
      attachments: attachments.map((name) => ({ name })),
    };
    return hashQuestion(question) === row.question_hash;
  });
  // A row without a target does not say that its options were shuffled.
  return found ?? (row.presented === undefined ? (orders[0] ?? null) : null);
}

/** An expected answer in the labels that the agent saw; rows have the dataset's own. */
export function toShownLabels(target: string, { own }: Shown): string {
  return rename(target, new Map([...own].map(([label, ownLabel]) => [ownLabel, label])));
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
 * A row and what the grader of today says of it: null if the order of its options is not known,
 * undefined if its expected answer names no option.
 */
export type Regraded = {
  readonly row: SampleResult;
  readonly now: Pick<SampleResult, 'state' | 'answer' | 'scores'> | null | undefined;
};

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
    const [output, target] = [toText(row.output), toText(row.target)];
    return { row, now: gradeGaia(output, target, { rule, extract: row.how !== 'as given' }) };
  });
}

/** The built-in grader of a suite; null for one that its own code judges. */
export function findGrader({ matcher }: Pick<SuiteManifest, 'matcher'>): 'gaia' | 'mcq' | null {
  return BUILT_IN.get(matcher) ?? null;
}

const BUILT_IN: ReadonlyMap<string | null, 'gaia' | 'mcq'> = new Map([
  ['toMatchGaiaAnswer', 'gaia'],
  ['toMatchMcqAnswer', 'mcq'],
]);

/**
 * GAIA's rule that decided: the official one, unless only another agrees with all verdicts; null
 * where no rule was applied.
 */
export function findRuleOf(rows: readonly SampleResult[]): string | null {
  const ruled = rows.filter(({ rules }) => rules !== null);
  if (ruled.length === 0) return null;
  const names = ['official', ...Object.keys(ruled[0]?.rules ?? {})];
  return (
    names.find((name) => ruled.every((row) => row.rules?.[name] === isCorrect(row))) ?? 'official'
  );
}
