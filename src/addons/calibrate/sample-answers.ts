import { hash } from 'node:crypto';
import { basename, join, resolve } from 'node:path';
import type { LabelPage, WantedLabels } from '../../../reporters/page/data.ts';
import { readTrace } from '../../agents/returned-answer.ts';
import { shuffle } from '../../data/selection.ts';
import { readComparedRun } from '../../figures/compare-runs.ts';
import { listShown, toShownLabels } from '../../figures/shown-options.ts';
import { isOfCriterion } from '../../judge/scale.ts';
import { findRun } from '../../store/find-run.ts';
import { writeLines } from '../../store/line-file.ts';
import { readManifest } from '../../store/manifest.ts';
import { type LoggedQuestion, readQuestions, toTracePath } from '../../store/run-folder.ts';
import { hiddenFrom, hideCriterion } from '../../words/audience.ts';
import { quoteDialogue } from '../../words/conversation.ts';
import { toCsv } from '../../words/csv.ts';
import type { SampleResult } from '../../words/row.ts';
import { SEED, type ValueParser, wholeNumber } from '../../words/setting-values.ts';
import { cutLong, plural, quote, showPath, toText } from '../../words/show.ts';
import { didYouMean } from '../../words/similar-names.ts';
import { withoutThoughts } from '../../words/thoughts/thoughts.ts';
import { type LabelRow, listColumns, readJudgedRows, toRowName } from './labels.ts';

/** Which of a run's answers to label. */
type Wanted = Readonly<{
  /** How many answers, by which seed. */
  n: number;
  seed: number;
  suite: string | undefined;
  criterion: string | undefined;
  showGated: boolean;
}>;

/**
 * `viva label RUN`: writes a sample of a run's answers without their verdicts as CSV: to `out`, or as
 * labels.csv of the run. `dir` is EVAL_DIR. Throws if there is no answer to write.
 */
export function writeSample(
  run: string,
  dir: string,
  { out, ...wanted }: Wanted & { readonly out: string | undefined },
  { print, warn }: Readonly<Record<'print' | 'warn', (line: string) => void>>,
): void {
  const folder = findRun(run, dir, 'RUN');
  const { rows, hidden } = drawSample(folder, wanted);
  const why = `${describeHidden(hidden)} Add --show-gated to write them, and keep the file private.`;
  if (rows.length === 0) throw new Error(why);
  if (hidden > 0) warn(why);
  const file = resolve(out ?? join(folder, 'labels.csv'));
  writeLines(file, [toLabelFile(rows)]);
  print(`wrote ${showPath(file)}: ${plural(rows.length, 'answer')} to label`);
}

/** The same sample as the text of a file of labels, for the page of labels. */
export function listLabels(
  folder: string,
  { sample, seed, suite, criterion, isGated }: WantedLabels,
): LabelPage {
  const { rows, hidden } = drawSample(folder, {
    n: parseOr(wholeNumber(1, 1_000_000), sample, 100),
    seed: parseOr(SEED, seed, 0),
    suite: suite || undefined,
    criterion: criterion || undefined,
    showGated: isGated,
  });
  return {
    csv: toLabelFile(rows),
    note: hidden === 0 ? undefined : describeHidden(hidden),
  };
}

function parseOr(parser: ValueParser<number>, text: string, otherwise: number): number {
  if (text === '') return otherwise;
  const value = parser.parse(text);
  if (value !== undefined) return value;
  throw new Error(`Expected ${parser.allowed}, got ${quote(text)}.`);
}

function describeHidden(count: number): string {
  return `${plural(count, 'answer is', 'answers are')} left out, because the records may be gated.`;
}

function toLabelFile(rows: readonly LabelRow[]): string {
  const columns = listColumns(rows);
  return toCsv([columns, ...rows.map((row) => columns.map((name) => row[name]))]);
}

/** The answers of a sample, and how many must not be shown. */
function drawSample(folder: string, wanted: Wanted) {
  const { n, seed, showGated } = wanted;
  const all = listAnswers(folder, basename(folder), wanted);
  // The file is for other eyes, so it is treated as CI treats reports.
  const isHidden = hiddenFrom({ ci: true }, readManifest(folder).suites);
  const shown = showGated ? all : all.filter(({ suite }) => !isHidden(suite));
  const drawn = inPasses(shuffle(drawWithinGroups(shown, n, seed), seed));
  return { rows: toRows(drawn, folder), hidden: all.length - shown.length };
}

/** An answer that is labelled by one criterion. */
type Answer = Pick<SampleResult, 'suite' | 'dataset' | 'id' | 'group' | 'presented'> &
  Readonly<{
    /** Its name in files of labels. */
    name: string;
    output: string;
    criterion: string;
    reference: string;
    /** The highest grade; absent for verdicts. */
    scale?: number | undefined;
    /** The file of what was said; null for a single question. */
    trace: string | null;
  }>;

/**
 * The answers that judges passed, failed or graded; with a criterion those judged by it, or all if none
 * was. Throws if there is none.
 */
function listAnswers(
  folder: string,
  run: string,
  { suite, criterion }: Pick<Wanted, 'suite' | 'criterion'>,
): readonly Answer[] {
  const suites = readManifest(folder).suites.map((entry) => entry.suite);
  if (suite !== undefined && !suites.includes(suite))
    throw new Error(
      `--suite must be a suite of the run, got ${quote(suite)}.${didYouMean(suite, suites)}`,
    );
  const isWanted = (row: Answer) => suite === undefined || row.suite === suite;
  const judged = readJudgedRows(folder)
    .map((row) => {
      const { criterion, reference, scale } = row.judge;
      return { ...toAnswer(row, row.output, criterion, reference ?? ''), scale };
    })
    .filter(isWanted);
  const answers =
    criterion === undefined ? judged : listByCriterion(folder, judged, criterion).filter(isWanted);
  if (answers.length > 0) return [...new Map(answers.map((each) => [each.name, each])).values()];
  const which = criterion === undefined ? ' that a judge passed, failed or graded' : '';
  const remedy =
    criterion === undefined ? ' Say with --criterion TEXT what to label answers by.' : '';
  throw new Error(`${run} has no answer${which}.${remedy}`);
}

function listByCriterion(
  folder: string,
  judged: readonly Answer[],
  criterion: string,
): readonly Answer[] {
  const ofCriterion = judged.filter(
    (row) =>
      isOfCriterion(row.criterion, criterion) ||
      hideCriterion(row.criterion) === hideCriterion(criterion),
  );
  if (ofCriterion.length > 0) return ofCriterion;
  const results = readComparedRun(folder).variants.flatMap((variant) => variant.results);
  const questions = readAllQuestions(folder, results);
  return results.flatMap((row) => {
    if (row.output === null) return [];
    const target = toText(row.target ?? '', 2);
    const shown = listShown(questions.get(row.suite)?.get(row.id), row);
    // As judges are told it: the answer names the labels that its agent saw.
    const reference = row.presented === undefined ? target : toShownLabels(target, shown);
    return toAnswer(row, toText(row.output, 2), criterion, reference);
  });
}

function toAnswer(
  row: Omit<SampleResult, 'output' | 'judge'>,
  output: string,
  criterion: string,
  reference: string,
): Answer {
  const { suite, dataset, id, group, presented } = row;
  const name = toRowName({ ...row, output }, criterion);
  const trace = row.conversation === undefined ? null : toTracePath(row);
  return { suite, dataset, id, group, presented, name, output, criterion, reference, trace };
}

/**
 * So many rows at random, each with the same chance, and from each suite, criterion and group in
 * proportion: rows are shuffled, put in the order of their groups, and taken at equal distances from
 * a random start. All if there are fewer.
 */
export function drawWithinGroups<Row extends Pick<Answer, 'suite' | 'criterion' | 'group'>>(
  rows: readonly Row[],
  n: number,
  seed: number,
): readonly Row[] {
  const groups = Map.groupBy(shuffle(rows, seed), ({ suite, criterion, group }) =>
    JSON.stringify([suite, criterion, group]),
  );
  const ordered = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, members]) => members);
  const step = rows.length / n;
  const start = Number.parseInt(hash('sha256', `start ${seed}`).slice(0, 8), 16) / 2 ** 32;
  if (step <= 1) return ordered;
  return Array.from(
    { length: n },
    (_, index) => ordered[Math.floor((index + start) * step)],
  ).filter((row) => row !== undefined);
}

/** The answers of one criterion after those of another: who labels has one question in mind. */
function inPasses(answers: readonly Answer[]): readonly Answer[] {
  return [...Map.groupBy(answers, ({ criterion }) => criterion).values()].flat();
}

/** The most characters of a spreadsheet's cell are 32,767; a browser lays out as many at once. */
const LONGEST_CELL = 30_000;

function toRows(answers: readonly Answer[], folder: string): readonly LabelRow[] {
  const questions = readAllQuestions(folder, answers);
  const ask = (answer: Answer) =>
    readDialogue(folder, answer.trace) ??
    describeQuestion(questions.get(answer.suite)?.get(answer.id), answer);
  return answers.map((answer) => toLabelRow(answer, ask(answer), basename(folder)));
}

function readAllQuestions(folder: string, rows: readonly Pick<SampleResult, 'suite'>[]) {
  const suites = [...new Set(rows.map(({ suite }) => suite))];
  return new Map(suites.map((suite) => [suite, readQuestions(folder, suite)]));
}

function toLabelRow(answer: Answer, question: string, run: string): LabelRow {
  const { id, suite, output, criterion, reference, name, scale } = answer;
  const shorten = (text: string) => cutLong(text, LONGEST_CELL);
  return {
    id,
    suite,
    question: shorten(question),
    output: shorten(withoutThoughts(output)),
    reference: shorten(reference),
    criterion: shorten(criterion),
    label: '',
    run,
    row: name,
    scale: `${scale ?? ''}`,
  };
}

/** What was said before the last reply of a conversation, as its judges read it. */
function readDialogue(folder: string, trace: string | null): string | null {
  const { messages } = (trace === null ? null : readTrace(join(folder, trace))) ?? {};
  return messages === undefined ? null : quoteDialogue(messages);
}

/** A question with its options, as the agent saw them, and the names of its files. */
function describeQuestion(question: LoggedQuestion | undefined, answer: Answer): string {
  const { input = '', attachments = [] } = question ?? {};
  const options = listShown(question, answer).map(({ label, text }) => `${label}. ${text}`);
  return [toText(input, 2), ...options, ...attachments.map((name) => `[file: ${name}]`)].join('\n');
}
