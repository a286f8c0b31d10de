import { listIds } from '../src/compare/differences.ts';
import { listShown, type Regraded, regradeSuite, toShownLabels } from '../src/compare/regrade.ts';
import { hashDataset, hashQuestion } from '../src/run/prompt.ts';
import { GRADER_VERSION, type SuiteManifest } from '../src/store/manifest.ts';
import { type LoggedQuestion, readQuestions } from '../src/store/run-folder.ts';
import type { StoredRun } from '../src/store/stored-run.ts';
import { omitNullish } from '../src/words/fields.ts';
import { hasRun, type SampleResult } from '../src/words/row.ts';
import { lineIf, partOf, plural, toText } from '../src/words/show.ts';
import { checkFiles } from './verify-files.ts';

/**
 * What does not agree within a run folder, and what could not be checked: a sentence each. No text
 * of a record is in them.
 */
export type Verification = Readonly<{
  problems: readonly string[];
  notes: readonly string[];
}>;

/** What is taken as the run stored it. The lines that may be quoted say so. */
export type Unchecked = Readonly<{
  /** The rows that could not be graded again. */
  verdicts: readonly SampleResult[];
  /**
   * The suites whose dataset could not be hashed again, which would show an edited expected answer.
   */
  targets: readonly string[];
}>;

/**
 * Grades the outputs of a run again, checks hashes, and compares its files with what its rows make.
 */
export function verifyRun(run: StoredRun): Verification & { readonly unchecked: Unchecked } {
  const { folder, manifest, results } = run;
  // EVAL_IDS may leave nothing of a suite.
  const chosen = manifest.suites.filter(({ questions }) => questions.length > 0);
  const suites = chosen.map((entry) => {
    const { suite } = entry;
    const rows = results.filter((row) => row.suite === suite);
    const questions = readQuestions(folder, suite);
    const grades = checkGrades(entry, rows, questions);
    const dataset = checkQuestions(entry, rows, questions);
    const checks = [grades, dataset].map((check) => prefix(suite, check));
    return { ...joinAll(checks), stored: grades.stored, targets: lineIf(!dataset.isHashed, suite) };
  });
  const unchecked = {
    verdicts: suites.flatMap(({ stored }) => stored),
    targets: suites.flatMap(({ targets }) => targets),
  };
  return { ...joinAll([...suites, checkFiles(run)]), unchecked };
}

function joinAll(parts: readonly Verification[]): Verification {
  return {
    problems: parts.flatMap(({ problems }) => problems),
    notes: parts.flatMap(({ notes }) => notes),
  };
}

function prefix(suite: string, { problems, notes }: Verification): Verification {
  const name = (text: string) => `${suite}: ${text}`;
  return { problems: problems.map(name), notes: notes.map(name) };
}

type Questions = ReadonlyMap<string, LoggedQuestion>;

function checkGrades(entry: SuiteManifest, rows: readonly SampleResult[], questions: Questions) {
  const graded = regradeSuite(entry, rows, questions);
  if (graded === null) {
    const stored = rows.filter(({ output, target }) => output !== null && target !== null);
    const note = 'its verdicts are not checked, because code in the eval file grades them';
    return { problems: [], notes: [note], stored };
  }
  const unreadable = graded.filter(({ now }) => now === undefined).map(({ row }) => row.id);
  const differing = graded.filter(
    ({ row, now }) =>
      now !== undefined &&
      (row.state !== now.state || row.answer !== now.answer || !isScoredAs(row, now)),
  );
  const differ = partOf(differing.length, graded.length, 'verdict', 'differs', 'differ');
  const described = listIds(differing.map(describeChange), 400);
  const again = graded.length - unreadable.length;
  return {
    problems: [
      ...lineIf(
        unreadable.length > 0,
        `expected answers that name no option: ${listIds(unreadable, 240)}`,
      ),
      ...lineIf(
        differing.length > 0,
        `${differ} from those of today's grader (version ${GRADER_VERSION}): ${described}`,
      ),
    ],
    notes: [`${plural(again, 'output')} graded again`],
    stored: [],
  };
}

function isScoredAs(row: SampleResult, now: Pick<SampleResult, 'scores'>): boolean {
  const toText = ({ scores = {} }: Pick<SampleResult, 'scores'>) =>
    JSON.stringify(Object.entries(scores).sort());
  return toText(row) === toText(now);
}

function describeChange({ row, now }: Regraded): string {
  const { id, state, answer } = row;
  if (state !== now?.state) return `${id} (${state}, now ${now?.state})`;
  return `${id} (another ${answer === now.answer ? 'score' : 'answer'})`;
}

type DatasetCheck = Verification & { readonly isHashed: boolean };

function checkQuestions(
  entry: SuiteManifest,
  rows: readonly SampleResult[],
  questions: Questions,
): DatasetCheck {
  if (questions.size === 0) {
    return {
      problems: ['its file of questions is missing or cannot be read'],
      notes: [],
      isHashed: false,
    };
  }
  const asked = rows.filter(hasRun).map((row) => toAsked(row, questions.get(row.id)));
  const changed = asked.filter((sample) => hashQuestion(sample) !== sample.question_hash);
  const ids = [...new Set(changed.map(({ id }) => id))];
  const differ = plural(ids.length, 'question does', 'questions do');
  const problem = `${differ} not have the hash of the rows: ${listIds(ids, 240)}`;
  const { problems, notes, isHashed } = checkDataset(entry, asked);
  return { problems: [...lineIf(ids.length > 0, problem), ...problems], notes, isHashed };
}

function skip(what: string, why: string): DatasetCheck {
  return { problems: [], notes: [`${what} are not checked, because ${why}`], isHashed: false };
}

/** The hash of a dataset covers all of it, so it can be checked where all of it was asked. */
function checkDataset(
  { questions, dataset_hash, group_sizes }: SuiteManifest,
  asked: readonly Asked[],
): DatasetCheck {
  const byId = Map.groupBy(asked, ({ id }) => id);
  const ids = questions.map(({ id }) => id);
  const samples = ids.flatMap((id) => byId.get(id)?.slice(0, 1) ?? []);
  const unequal = ids.filter(
    (id) => new Set(byId.get(id)?.map(({ target }) => JSON.stringify(target))).size > 1,
  );
  const several = `rows of one question have different expected answers: ${listIds(unequal, 240)}`;
  const whole = group_sizes.reduce((sum, [, size]) => sum + size, 0);
  const isHashed = samples.length === whole;
  const isSame = !isHashed || hashDataset(samples) === dataset_hash;
  return {
    problems: [
      ...lineIf(unequal.length > 0, several),
      ...lineIf(!isSame, `the dataset does not have the hash ${dataset_hash}`),
    ],
    notes: isHashed ? [] : skip('expected answers', 'not all of the dataset was asked').notes,
    isHashed,
  };
}

type Asked = ReturnType<typeof toAsked>;

/**
 * A sample as it was asked and hashed, with its options in the order shown.
 */
function toAsked(row: SampleResult, question: Partial<LoggedQuestion> = {}) {
  const { id, target, multiple, question_hash } = row;
  const { input = '', choices, attachments = [], turns, user } = question;
  const shown = listShown(question);
  return {
    ...{ id, question_hash, input },
    target:
      target === null || row.presented === undefined
        ? target
        : toShownLabels(toText(target), shown),
    ...(choices && {
      choices: Object.fromEntries(shown.map(({ label, text }) => [label, text])),
    }),
    ...(multiple == null ? {} : { multiple }),
    attachments: attachments.map((name) => ({ name })),
    ...omitNullish({ turns, user }),
  };
}
