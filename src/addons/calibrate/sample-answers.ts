import { hash } from 'node:crypto';
import { basename, join, resolve } from 'node:path';
import {
  LABEL_COLUMNS,
  type LabelRow,
  renderLabelPage,
} from '../../../reporters/html/label-page.ts';
import { readTrace } from '../../agents/returned-answer.ts';
import { shuffle } from '../../data/selection.ts';
import { readComparedRun } from '../../figures/compare-runs.ts';
import { findRun } from '../../store/find-run.ts';
import { writeLines } from '../../store/line-file.ts';
import { readManifest } from '../../store/manifest.ts';
import { type LoggedQuestion, readQuestions, toTracePath } from '../../store/run-folder.ts';
import { hiddenFrom, hideCriterion } from '../../words/audience.ts';
import { quoteDialogue } from '../../words/conversation.ts';
import { toCsv } from '../../words/csv.ts';
import type { SampleResult } from '../../words/row.ts';
import { cutLong, plural, quote, showPath, toText } from '../../words/show.ts';
import { didYouMean } from '../../words/similar-names.ts';
import { withoutThoughts } from '../../words/thoughts/thoughts.ts';
import { readJudgedRows, toRowName } from './labels.ts';

/** What to write of a run's answers. */
type Wanted = Readonly<{
  /** How many answers, by which seed. */
  n: number;
  seed: number;
  suite: string | undefined;
  criterion: string | undefined;
  showGated: boolean;
  /** The file: a table if its name ends in ".csv", else a page; by default label.html of the run. */
  out: string | undefined;
}>;

/**
 * `viva label RUN`: writes a sample of a run's answers without their verdicts, as a page or as CSV.
 * `dir` is EVAL_DIR. Throws if there is no answer to write.
 */
export function writeSample(
  run: string,
  dir: string,
  wanted: Wanted,
  { print, warn }: Readonly<Record<'print' | 'warn', (line: string) => void>>,
): void {
  const { n, seed, showGated, out } = wanted;
  const folder = findRun(run, dir, 'RUN');
  const all = listAnswers(folder, run, wanted);
  // The file is for other eyes, so it is treated as CI treats reports.
  const isHidden = hiddenFrom({ ci: true }, readManifest(folder).suites);
  const isOpen = ({ suite }: Answer) => !isHidden(suite);
  const shown = showGated ? all : all.filter(isOpen);
  const hidden = all.length - shown.length;
  const leftOut = `${plural(hidden, 'answer is', 'answers are')} left out, because the records may be gated. Add --show-gated to write them, and keep the file private.`;
  if (shown.length === 0) throw new Error(leftOut);
  if (hidden > 0) warn(leftOut);
  const drawn = inPasses(shuffle(drawWithinGroups(shown, n, seed), seed));
  const rows = toRows(drawn, folder);
  const file = resolve(out ?? join(folder, 'label.html'));
  const isPrivate = !drawn.every(isOpen);
  writeLines(
    file,
    file.endsWith('.csv')
      ? [toCsv([LABEL_COLUMNS, ...rows.map((row) => LABEL_COLUMNS.map((name) => row[name]))])]
      : renderLabelPage({ title: 'Label answers', file: 'labels.csv', isPrivate, rows }),
  );
  print(`wrote ${showPath(file)}: ${plural(drawn.length, 'answer')} to label`);
}

/** An answer that is labelled by one criterion. */
type Answer = Pick<SampleResult, 'suite' | 'dataset' | 'id' | 'group'> &
  Readonly<{
    /** Its name in files of labels. */
    name: string;
    output: string;
    criterion: string;
    reference: string;
    /** The file of what was said; null for a single question. */
    trace: string | null;
  }>;

/**
 * The answers that judges passed or failed; with a criterion those judged by it, or all if none
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
    .map((row) => toAnswer(row, row.output, row.judge.criterion, row.judge.reference ?? ''))
    .filter(isWanted);
  const answers =
    criterion === undefined ? judged : listByCriterion(folder, judged, criterion).filter(isWanted);
  if (answers.length > 0) return [...new Map(answers.map((each) => [each.name, each])).values()];
  const which = criterion === undefined ? ' that a judge passed or failed' : '';
  const remedy =
    criterion === undefined ? ' Say with --criterion TEXT by what answers are labelled.' : '';
  throw new Error(`${run} has no answer${which}.${remedy}`);
}

function listByCriterion(
  folder: string,
  judged: readonly Answer[],
  criterion: string,
): readonly Answer[] {
  const ofCriterion = judged.filter(
    (row) => hideCriterion(row.criterion) === hideCriterion(criterion),
  );
  if (ofCriterion.length > 0) return ofCriterion;
  const results = readComparedRun(folder).variants.flatMap((variant) => variant.results);
  return results.flatMap((row) =>
    row.output === null
      ? []
      : toAnswer(row, toText(row.output, 2), criterion, toText(row.target ?? '', 2)),
  );
}

function toAnswer(
  row: Omit<SampleResult, 'output' | 'judge'>,
  output: string,
  criterion: string,
  reference: string,
): Answer {
  const { suite, dataset, id, group } = row;
  const name = toRowName({ ...row, output }, criterion);
  const trace = row.conversation === undefined ? null : toTracePath(row);
  return { suite, dataset, id, group, name, output, criterion, reference, trace };
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
  const suites = [...new Set(answers.map(({ suite }) => suite))];
  const questions = new Map(suites.map((suite) => [suite, readQuestions(folder, suite)]));
  const ask = ({ id, suite, trace }: Answer) =>
    readDialogue(folder, trace) ?? describeQuestion(questions.get(suite)?.get(id));
  return answers.map((answer) => toLabelRow(answer, ask(answer), basename(folder)));
}

function toLabelRow(answer: Answer, question: string, run: string): LabelRow {
  const { id, suite, output, criterion, reference, name } = answer;
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
  };
}

/** What was said before the last reply of a conversation, as its judges read it. */
function readDialogue(folder: string, trace: string | null): string | null {
  const { messages } = (trace === null ? null : readTrace(join(folder, trace))) ?? {};
  return messages === undefined ? null : quoteDialogue(messages);
}

/** A question with its options and the names of its files. */
function describeQuestion(question: LoggedQuestion | undefined): string {
  const { input = '', choices = [], attachments = [] } = question ?? {};
  const options = choices.map(([name, text]) => `${name}. ${text}`);
  return [toText(input, 2), ...options, ...attachments.map((name) => `[file: ${name}]`)].join('\n');
}
