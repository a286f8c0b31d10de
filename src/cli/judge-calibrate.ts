import { hash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { formatMeasured, formatRate } from '../../reporters/format-figures.ts';
import { readFingerprints, writeCalibration } from '../compare/calibrations.ts';
import { readComparedRun } from '../compare/compared-run.ts';
import { readRecords } from '../data/files/read-records.ts';
import { type RawRecord, RecordError } from '../data/files/record.ts';
import { groupBy } from '../figures/groups.ts';
import {
  calibrate,
  countLabels,
  type LabelCounts,
  listCriteria,
  toJudgeKey,
} from '../figures/judge-calibration.ts';
import { findMajority } from '../judge/judge.ts';
import { findRun } from '../store/find-run.ts';
import { gateSettingsOf, readManifest } from '../store/manifest.ts';
import { resultKey, type TrialIdentity } from '../store/trial-meta.ts';
import { hideCriterion, hidesDataset, type PrivacySettings } from '../words/audience.ts';
import { isFields } from '../words/fields.ts';
import type { CriterionVerdicts, SampleResult } from '../words/row.ts';
import { escapeLine, lineIf, partOf, plural, quote, showPath, toText } from '../words/show.ts';
import {
  type Command,
  type CommandContext,
  parseOne,
  RUN_HELP,
  readRunSettings,
  UsageError,
} from './command.ts';

/** `viva judge calibrate`: measures a judge against people's labels. */
export const judge: Command = {
  summary: 'measures a judge against the labels of people',
  usage: `calibrate labels.csv [--run RUN], with labels from "viva label"${RUN_HELP}`,
  run: async (context) => {
    const [word, ...args] = context.args;
    if (word === 'calibrate') return calibrateJudge({ ...context, args });
    throw new UsageError(
      `Expected "calibrate", got ${word === undefined ? 'nothing' : quote(word)}.`,
    );
  },
};

/** Fewer labels leave intervals that say little: with 50 labels of a kind, 90 % is 79 to 96 %. */
const ENOUGH = 100;

/**
 * `viva judge calibrate labels.csv`: compares a judge's verdicts with people's labels, and keeps
 * the figures.
 */
async function calibrateJudge({ args, env, print }: CommandContext): Promise<number> {
  const { values, text: file } = parseOne(args, OPTIONS, 'One file of labels');
  const settings = readRunSettings(env);
  const say = (line: string) => print(escapeLine(line, 1000));
  const { records } = await readRecords(resolve(file));
  const isLabelled = (record: RawRecord) => readLabel(file, record) !== null;
  const given = records.filter(isLabelled);
  const left = records.length - given.length;
  if (given.length === 0)
    throw new Error(`${showPath(file)} has no label yet. Write pass or fail into "label".`);
  if (left > 0) say(`${partOf(left, records.length, 'row', 'has', 'have')} no label yet`);
  // --run replaces all runs that the file names.
  const byRun = Map.groupBy(given, (record) => values.run ?? readCell(record, 'run'));
  const labelled = [...byRun].flatMap(([run, own]) => {
    if (run === '') throw new UsageError('The file names no run: name it with --run.');
    const argument = values.run === undefined ? 'The column "run"' : '--run';
    return matchRows(file, own, openRun(findRun(run, settings.dir, argument), settings));
  });
  const unmatched = given.length - new Set(labelled.map(({ record }) => record)).size;
  if (unmatched > 0)
    say(`${plural(unmatched, 'label is', 'labels are')} of answers without a verdict in this run`);
  // A row that is labelled twice, as in samples that overlap, has its last label.
  const last = new Map(labelled.map((each) => [toKey(each), each]));
  for (const own of groupBy([...last.values()], ({ row }) => toJudgeKey(row.judge)).values()) {
    const [first] = own;
    const counts = countLabels(own.map(({ row, label }) => [label, row.verdict]));
    const folders = [...new Set(own.map(({ folder }) => folder))];
    for (const line of [...describeJudge(first, counts), ...describeDisagreements(own)]) say(line);
    const kept = writeCalibration(settings.dir, first.row.judge, counts, {
      runs: folders.map((folder) => basename(folder)),
      fingerprints: Object.assign(
        {},
        ...folders.map((folder) => readFingerprints(readManifest(folder))),
      ),
    });
    say(`  kept: ${showPath(kept)}`);
  }
  return 0;
}

function toKey({ row }: Labelled): string {
  return `${toRowName(row, row.judge.criterion)} ${toJudgeKey(row.judge)}`;
}

const OPTIONS = { run: { type: 'string' } } as const;

export type Label = 'pass' | 'fail';

/** A judged answer with the label that a person gave it. */
type Labelled = Readonly<{
  record: RawRecord;
  row: JudgedRow;
  label: Label;
  folder: string;
  isHidden: boolean;
}>;

type OpenRun = Readonly<{
  folder: string;
  rows: readonly JudgedRow[];
  /** The same by their names in files of labels. */
  byName: ReadonlyMap<string, readonly JudgedRow[]>;
  isHidden(row: JudgedRow): boolean;
}>;

function openRun(folder: string, { ci, showGated }: PrivacySettings): OpenRun {
  const settings = { ...gateSettingsOf(readManifest(folder)), ci, showGated };
  const rows = readJudgedRows(folder);
  return {
    folder,
    rows,
    byName: Map.groupBy(rows, (row) => toRowName(row, row.judge.criterion)),
    isHidden: (row) => hidesDataset(row, settings),
  };
}

/** The labels of one run with their rows. */
function matchRows(file: string, records: readonly RawRecord[], run: OpenRun): readonly Labelled[] {
  const { folder } = run;
  const matched = records.map((record) => ({ record, rows: findRows(record, run) }));
  const unmatched = matched.filter(({ rows }) => rows.length === 0);
  const [first] = unmatched;
  // A row may name an answer without a verdict of this judge; an id may be anything.
  const isWrong = unmatched.length === matched.length || readCell(first?.record, 'row') === '';
  if (first !== undefined && isWrong) throw toUnmatched(file, first.record, folder);
  return matched.flatMap(({ record, rows }) => {
    const label = readLabel(file, record);
    return label === null
      ? []
      : rows.map((row) => ({ record, row, label, folder, isHidden: run.isHidden(row) }));
  });
}

function toUnmatched(file: string, record: RawRecord, folder: string): RecordError {
  const problem = `is not one judged answer of the run ${basename(folder)}`;
  const remedy = 'Keep the columns id and row as viva wrote them, or name the run with --run.';
  const { line } = record;
  return new RecordError({
    file,
    line,
    field: 'id',
    problem,
    value: readCell(record, 'id'),
    remedy,
  });
}

/** A cell of a file of labels; '' if it is not there. */
export function readCell(record: RawRecord | undefined, name: string): string {
  const cell = isFields(record?.value) ? record.value[name] : '';
  return typeof cell === 'string' ? cell.trim() : '';
}

/** The label of a row; null without one. Throws a RecordError for another word. */
export function readLabel(file: string, record: RawRecord): Label | null {
  const label = readCell(record, 'label').toLowerCase();
  if (label === 'pass' || label === 'fail') return label;
  if (label === '') return null;
  const remedy = 'Leave it empty where you cannot tell.';
  const { line } = record;
  throw new RecordError({
    file,
    line,
    field: 'label',
    problem: 'must be pass or fail',
    value: label,
    remedy,
  });
}

/**
 * By its name, which several judges of one criterion share; in a file of another origin by its id,
 * if only one row has it.
 */
function findRows(record: RawRecord, { rows, byName }: OpenRun): readonly JudgedRow[] {
  const name = readCell(record, 'row');
  if (name !== '') return byName.get(name) ?? [];
  const own = rows.filter((row) => row.id === readCell(record, 'id'));
  return own.length === 1 ? own : [];
}

function describeJudge(
  { row: { suite, judge }, isHidden }: Labelled,
  counts: LabelCounts,
): readonly string[] {
  const { labels, tpr, tnr, agreement, kappa } = calibrate(counts);
  const { models, prompt_hash, criterion } = judge;
  const lacking = [tpr === null ? 'pass' : '', tnr === null ? 'fail' : ''].filter(
    (label) => label !== '',
  );
  const few = `fewer than ${ENOUGH} labels: the intervals are wide, and the corrected accuracy is uncertain`;
  return [
    `${suite}: judge ${models.join(', ')} (prompt ${prompt_hash.slice(0, 8)}), criterion: ${isHidden ? '(hidden)' : criterion}`,
    `  ${plural(labels, 'label')}: ${tpr?.n ?? 0} pass, ${tnr?.n ?? 0} fail`,
    `  TPR ${formatMeasured(tpr)}: of the answers that people pass, the judge passes ${counts.passed.as_pass}`,
    `  TNR ${formatMeasured(tnr)}: of the answers that people fail, the judge fails ${counts.failed.as_fail}`,
    `  agreement ${formatRate(agreement)}, Cohen's kappa ${kappa?.toFixed(2) ?? '-'}`,
    ...lineIf(labels < ENOUGH, `  ${few}`),
    ...lacking.map((label) => `  no answer is labelled ${label}: accuracy cannot be corrected`),
    ...lineIf(
      tpr !== null && tnr !== null && tpr.value + tnr.value <= 1,
      '  TPR + TNR is not above 1: the judge is no better than chance, and accuracy is not corrected',
    ),
  ];
}

function describeDisagreements(labelled: readonly Labelled[]): readonly string[] {
  const differing = labelled.filter(({ row, label }) => row.verdict !== label);
  return [
    ...lineIf(differing.length > 0, `  ${plural(differing.length, 'disagreement')} to read:`),
    ...differing.map(({ row, label, isHidden }) => {
      const reasons = isHidden ? '(its reason is hidden)' : row.judge.reasons.join(' | ');
      return `    ${row.id}: label ${label}, verdict ${row.verdict}: ${reasons}`;
    }),
  ];
}

/** An answer that judges passed or failed by one criterion. */
export type JudgedRow = Omit<SampleResult, 'output' | 'judge'> &
  Readonly<{
    output: string;
    judge: CriterionVerdicts;
    verdict: Label;
  }>;

/**
 * The verdicts of a run, one for each answer and criterion. A tie or "cannot tell" is not a verdict
 * to measure.
 */
export function readJudgedRows(folder: string): readonly JudgedRow[] {
  return readComparedRun(folder).variants.flatMap(({ results }) =>
    results.flatMap((row) =>
      listCriteria(row).flatMap((judge): readonly JudgedRow[] => {
        const verdict = findMajority(judge.verdicts.map((each) => ({ verdict: each })));
        return verdict === null || row.output === null
          ? []
          : [{ ...row, output: toText(row.output, 2), judge, verdict }];
      }),
    ),
  );
}

/**
 * Names an answer and a criterion in a file of labels, also after a spreadsheet has changed its
 * other cells, and whoever judged it. It begins with a letter, so that no spreadsheet takes it for
 * a number.
 */
export function toRowName(row: TrialIdentity & { readonly output: string }, criterion: string) {
  const identity = JSON.stringify([resultKey(row), row.output, hideCriterion(criterion)]);
  return `r${hash('sha256', identity).slice(0, 15)}`;
}
