import { isDeepStrictEqual } from 'node:util';
import { evaluateAsWritten, evaluateNow, readAnsweredRun } from '../../reporters/past-run.ts';
import { isQuotable } from '../../reporters/quotation.ts';
import { toQuotationLines } from '../../reporters/quotation-lines.ts';
import { quoteRun, whyUnquotable } from '../../reporters/quote-run.ts';
import { hideForPublic, readSummary, renderSummary } from '../../reporters/summary-file.ts';
import { drawOrders } from '../data/shuffle-choices.ts';
import type { RunOutcome } from '../figures/evaluate-run.ts';
import { findGrader } from '../figures/find-grader.ts';
import { readVersion } from '../package.ts';
import { findRun } from '../store/find-run.ts';
import { GRADER_VERSION, type SuiteManifest } from '../store/manifest.ts';
import { type LoggedQuestion, readQuestions } from '../store/run-folder.ts';
import type { StoredRun } from '../store/run-reader.ts';
import { field, isFields } from '../words/fields.ts';
import type { SampleResult } from '../words/row.ts';
import { cut, escapeLine, lineIf, listIds, partOf, plural, showPath } from '../words/show.ts';
import { type Command, parseOne, RUN_HELP, readRunSettings } from './command.ts';
import { type Regraded, regradeSuite } from './regrade.ts';

/** `viva verify RUN`: checks a run against its own rows, and says what may be quoted; asks nobody. */
export const verify: Command = {
  usage: `RUN${RUN_HELP}`,
  page: 'results.md#publish-a-figure',
  run: async ({ args, env, print }) => {
    const { text } = parseOne(args, {});
    const settings = readRunSettings(env);
    const folder = findRun(text, settings.dir, 'RUN');
    const { notes, problems, lacking, outcome } = checkQuotes(folder, settings);
    const printSafely = (line: string) => print(escapeLine(line, 1000));
    for (const note of notes) printSafely(`  ${note}`);
    for (const problem of problems) printSafely(`MISMATCH: ${problem}`);
    if (lacking.length > 0) {
      printSafely(`Nothing of ${showPath(folder)} may be quoted: ${lacking.join('; ')}.`);
      return 1;
    }
    const quotations = quoteRun(outcome);
    for (const line of quotations.flatMap(toQuotationLines)) printSafely(line);
    return quotations.every(isQuotable) ? 0 : 1;
  },
};

/** Checks a run, and why no figure of it may be quoted: nothing if `lacking` is empty. */
export function checkQuotes(
  folder: string,
  settings: ReturnType<typeof readRunSettings>,
): Checked & Readonly<{ lacking: readonly string[]; outcome: RunOutcome }> {
  const checked = checkRun(readAnsweredRun(folder));
  const outcome = evaluateNow(readAnsweredRun(folder, settings), settings.dir);
  const isOther = checked.problems.length > 0;
  const lacking = [...whyUnquotable(outcome), ...lineIf(isOther, 'it does not match its rows')];
  return { ...checked, lacking, outcome };
}

/** A sentence each, without a text of a record. */
type Checked = Readonly<{
  /** What does not agree with the rows. */
  problems: readonly string[];
  /** What was checked, and what could not be. */
  notes: readonly string[];
}>;

/**
 * Grades the outputs of a run again, and compares its summary.json with the figures of its rows.
 * Throws an Error if the run ended and has no summary.json, or one that cannot be read.
 */
export function checkRun(run: StoredRun): Checked {
  // EVAL_IDS may leave nothing of a suite.
  const suites = run.manifest.suites.filter(({ questions }) => questions.length > 0);
  const parts = [...suites.map((entry) => checkVerdicts(run, entry)), checkFigures(run)];
  return {
    problems: parts.flatMap(({ problems }) => problems),
    notes: parts.flatMap(({ notes }) => notes),
  };
}

function checkVerdicts({ folder, results }: StoredRun, entry: SuiteManifest): Checked {
  const { suite } = entry;
  const questions = readQuestions(folder, suite);
  if (findGrader(entry) === 'mcq' && questions.size === 0)
    return {
      problems: [`${suite}: its file of questions is missing or cannot be read`],
      notes: [],
    };
  const rows = results.filter((row) => row.suite === suite);
  const strays = rows.filter((row) => isStray(row, questions.get(row.id))).map(({ id }) => id);
  const orders = partOf(strays.length, rows.length, 'result', 'names', 'name');
  const ordered = lineIf(
    strays.length > 0,
    `${suite}: ${orders} another order of the options than its seed gives: ${listIds([...new Set(strays)], 400)}`,
  );
  const graded = regradeSuite(entry, rows, questions);
  if (graded === null) {
    const note = 'its verdicts are not checked, because code in the eval file grades them';
    return { problems: ordered, notes: [`${suite}: ${note}`] };
  }
  const unreadable = graded.filter(({ now }) => now === undefined).map(({ row }) => row.id);
  const changes = graded.flatMap(describeChange);
  const differ = partOf(changes.length, graded.length, 'verdict', 'differs', 'differ');
  const grader = `today's grader (version ${GRADER_VERSION})`;
  return {
    problems: [
      ...ordered,
      ...lineIf(
        unreadable.length > 0,
        `${suite}: expected answers that name no option: ${listIds(unreadable, 400)}`,
      ),
      ...lineIf(
        changes.length > 0,
        `${suite}: ${differ} from those of ${grader}: ${listIds(changes, 400)}`,
      ),
    ],
    notes: [`${suite}: ${plural(graded.length - unreadable.length, 'output')} graded again`],
  };
}

/** Whether a row names an order that its seed does not give: in another one, another letter is right. */
function isStray(
  { id, trial, presented }: SampleResult,
  question: LoggedQuestion | undefined,
): boolean {
  if (presented === undefined || question === undefined) return false;
  const choices = Object.fromEntries(question.choices ?? []);
  const order = drawOrders({ id, choices }, presented.seed)?.(trial);
  return !isDeepStrictEqual(presented.order, order);
}

/** "q1 (incorrect, now correct)"; nothing if the grade is the same. */
function describeChange({ row, now }: Regraded): readonly string[] {
  if (now === undefined) return [];
  const { id, state, answer } = row;
  if (state !== now.state) return [`${id} (${state}, now ${now.state})`];
  if (answer !== now.answer) return [`${id} (another answer)`];
  const toKey = ({ scores = {} }: Pick<typeof row, 'scores'>) =>
    JSON.stringify(Object.entries(scores).sort());
  return lineIf(toKey(row) !== toKey(now), `${id} (another score)`);
}

/** The most figures that are named. */
const MOST_NAMED = 20;

function checkFigures(run: StoredRun): Checked {
  const { folder, manifest, end } = run;
  // Nothing of a killed run may be quoted anyway.
  if (end.ended_at === null) return { problems: [], notes: [] };
  const stored = readSummary(folder);
  if (stored === null) throw new Error(`${showPath(folder)} has no summary.json to check.`);
  const { missing, ...written } = evaluateAsWritten(run);
  const figures: unknown = JSON.parse(renderSummary(hideForPublic(written)));
  const differing = compareFigures(stored, figures);
  const { viva = '?' } = manifest.versions;
  const isOther = viva !== readVersion() && differing.length > 0;
  return {
    problems: [
      ...differing.slice(0, MOST_NAMED),
      ...lineIf(
        differing.length > MOST_NAMED,
        `${plural(differing.length - MOST_NAMED, 'further figure')} of summary.json`,
      ),
    ],
    notes: [
      ...lineIf(
        missing !== undefined,
        `the run ${missing} is not beside it, so their comparison is not checked`,
      ),
      ...lineIf(isOther, `viva ${viva} made the figures, and viva ${readVersion()} checks them`),
    ],
  };
}

/**
 * Names each value of summary.json that the rows do not give, as in "gaia · replay · level 1:
 * accuracy 0.5 in summary.json, 0.4 by the rows". `subject` and `name` say where in the file they are.
 */
function compareFigures(there: unknown, here: unknown, subject = '', name = ''): readonly string[] {
  const [a, b] = [there, here].map(showFigure);
  const inside = ['suites', 'groups'].includes(name) ? subject : join(subject, name);
  if (Array.isArray(there) && Array.isArray(here) && a === b)
    return pairByName(there, here).flatMap(([item, before, now]) =>
      compareFigures(before, now, join(inside, item)),
    );
  if (isFields(there) && isFields(here))
    return [...new Set([...Object.keys(here), ...Object.keys(there)])].flatMap((key) =>
      compareFigures(field(there, key), field(here, key), inside, key),
    );
  // A long text is cut where it is shown.
  const isSame = a === b && (typeof there === 'object' || there === here);
  const place = `${subject}${subject === '' ? '' : ': '}${name}`.trim();
  return lineIf(!isSame, `${place} ${a} in summary.json, ${b} by the rows`);
}

/** The items of two lists by their names, or by their places where they have none of their own. */
function pairByName(
  there: readonly unknown[],
  here: readonly unknown[],
): readonly (readonly [name: string, there: unknown, here: unknown])[] {
  const toEntries = (items: readonly unknown[]) =>
    items.map((item, index) => [nameItem(item) || String(index + 1), item] as const);
  const [before, now] = [new Map(toEntries(there)), new Map(toEntries(here))];
  const isNamed = before.size === there.length && now.size === here.length;
  if (isNamed)
    return [...new Set([...now.keys(), ...before.keys()])].map((name) => [
      name,
      before.get(name),
      now.get(name),
    ]);
  const length = Math.max(there.length, here.length);
  return Array.from({ length }, (_, index) => [String(index + 1), there[index], here[index]]);
}

function join(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' · ');
}

const NAMES = ['suite', 'agent', 'prompt', 'group', 'measure', 'score', 'by', 'bucket', 'label'];

/** What tells an item of a list from others: "gaia · replay" of a suite, "level 1" of a group. */
function nameItem(item: unknown): string {
  // A verdict names its gate, and a comparison its runs.
  const named = [item, field(item, 'gate'), field(item, 'b')];
  const words = NAMES.map((key) => named.map((one) => field(one, key)).find(isText));
  return join(...words.filter(isText));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** A list of values is one figure, such as an interval. */
function showFigure(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (isFields(value)) return 'an entry';
  const isNested =
    Array.isArray(value) && value.some((item) => item !== null && typeof item === 'object');
  return isNested ? 'a list' : cut(JSON.stringify(value), 100);
}
