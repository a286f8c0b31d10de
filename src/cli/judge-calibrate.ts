import { hash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { formatMeasured, formatRate } from '../../reporters/format-figures.ts';
import { readFingerprints, writeCalibration } from '../compare/calibrations.ts';
import { readComparedRun } from '../compare/compared-run.ts';
import { findMajority } from '../judge/judge.ts';
import { groupBy } from '../metrics/groups.ts';
import { calibrate, listCriteria, toJudgeKey } from '../metrics/judge-calibration.ts';
import type { LabelCounts } from '../metrics/kappa.ts';
import { readRecords } from '../records/read-records.ts';
import { isFields, type RawRecord, RecordError } from '../records/record.ts';
import { findRun } from '../store/find-run.ts';
import { gateSettingsOf, readManifest } from '../store/manifest.ts';
import { resultKey, type TrialIdentity } from '../store/trial-meta.ts';
import { hideCriterion, hidesDataset } from '../text/hide-records.ts';
import { escapeLine, lineIf, partOf, plural, showPath, toText } from '../text/show.ts';
import type { CriterionVerdicts, SampleResult } from '../types.ts';
import { type CommandContext, parseOne, readRunSettings, UsageError } from './command.ts';

/** Fewer labels leave intervals that say little: with 50 labels of a kind, 90 % is 79 to 96 %. */
const ENOUGH = 100;

/**
 * `viva judge calibrate labels.csv`: compares a judge's verdicts with people's labels, and keeps
 * the figures.
 */
export async function calibrateJudge({ args, env, print }: CommandContext): Promise<number> {
  const { values, text: file } = parseOne(args, OPTIONS, 'one file of labels');
  const { dir, ci, showGated } = readRunSettings(env);
  const say = (line: string) => print(escapeLine(line, 1000));
  const { records } = await readRecords(resolve(file));
  const { labelled, unmatched } = matchRows(
    file,
    records,
    openRuns(dir, values.run, { ci, showGated }),
  );
  const unlabelled =
    records.length - records.filter((record) => readCell(record, 'label') !== '').length;
  if (labelled.length === 0)
    throw new Error(`${showPath(file)} has no label yet. Write pass or fail into "label".`);
  if (unlabelled > 0)
    say(`${partOf(unlabelled, records.length, 'row', 'has', 'have')} no label yet`);
  if (unmatched > 0)
    say(`${plural(unmatched, 'label is', 'labels are')} of answers without a verdict in this run`);
  for (const own of groupBy(labelled, ({ row }) => toJudgeKey(row.judge)).values()) {
    const [first] = own;
    const counts = countLabels(own);
    const folders = [...new Set(own.map(({ folder }) => folder))];
    for (const line of describeJudge(first, counts)) say(line);
    for (const line of describeDisagreements(own)) say(line);
    const kept = writeCalibration(dir, first.row.judge, counts, {
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

const OPTIONS = { run: { type: 'string' } } as const;

export type Label = 'pass' | 'fail';

/** A judged answer with the label that a person gave it. */
type Labelled = {
  readonly row: JudgedRow;
  readonly label: Label;
  readonly folder: string;
  readonly isHidden: boolean;
};

type OpenRun = {
  readonly folder: string;
  readonly rows: readonly JudgedRow[];
  /** The same by their names in files of labels. */
  readonly byName: ReadonlyMap<string, readonly JudgedRow[]>;
  isHidden(row: JudgedRow): boolean;
};

/** Reads each run once. `named` is the run of --run, which stands for all that the file names. */
function openRuns(
  dir: string,
  named: string | undefined,
  gate: { readonly ci: boolean; readonly showGated: boolean | null },
) {
  const known = new Map<string, OpenRun>();
  return (written: string): OpenRun => {
    const run = named ?? written;
    if (run === '') throw new UsageError('The file names no run: name it with --run.');
    const found = known.get(run);
    if (found !== undefined) return found;
    const folder = findRun(run, dir, named === undefined ? 'The column "run"' : '--run');
    const settings = { ...gateSettingsOf(readManifest(folder)), ...gate };
    const rows = readJudgedRows(folder);
    const opened = {
      folder,
      rows,
      byName: Map.groupBy(rows, (row) => toRowName(row, row.judge.criterion)),
      isHidden: (row: JudgedRow) => hidesDataset(row, settings),
    };
    known.set(run, opened);
    return opened;
  };
}

/**
 * The labels with their rows. A row that is labelled twice, as in samples that overlap, has its
 * last label.
 */
function matchRows(
  file: string,
  records: readonly RawRecord[],
  open: (run: string) => OpenRun,
): { readonly labelled: readonly Labelled[]; readonly unmatched: number } {
  const matched = records.flatMap((record) => {
    const label = readLabel(file, record);
    if (label === null) return [];
    const run = open(readCell(record, 'run'));
    const { folder, isHidden } = run;
    const found = findRows(record, run).map((row): Labelled => {
      return { row, label, folder, isHidden: isHidden(row) };
    });
    return [{ record, folder, found }];
  });
  const unmatched = matched.filter(({ found }) => found.length === 0);
  const [first] = unmatched;
  // A name may be of an answer on which this judge has no verdict; an id is what somebody wrote.
  const isWrong = unmatched.length === matched.length || readCell(first?.record, 'row') === '';
  if (first !== undefined && isWrong) throw toUnmatched(file, first.record, first.folder);
  const labelled = matched.flatMap(({ found }) => found);
  const nameOf = ({ row }: Labelled) =>
    `${toRowName(row, row.judge.criterion)} ${toJudgeKey(row.judge)}`;
  return {
    labelled: [...new Map(labelled.map((each) => [nameOf(each), each])).values()],
    unmatched: unmatched.length,
  };
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

function countLabels(labelled: readonly Labelled[]): LabelCounts {
  const count = (label: Label, verdict: Label) =>
    labelled.filter((each) => each.label === label && each.row.verdict === verdict).length;
  return {
    passed: { as_pass: count('pass', 'pass'), as_fail: count('pass', 'fail') },
    failed: { as_pass: count('fail', 'pass'), as_fail: count('fail', 'fail') },
  };
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
export type JudgedRow = Pick<
  SampleResult,
  'suite' | 'dataset' | 'agent' | 'prompt' | 'id' | 'trial' | 'group'
> &
  Pick<SampleResult, 'question_hash' | 'multiple' | 'presented' | 'conversation'> & {
    readonly output: string;
    readonly judge: CriterionVerdicts;
    readonly verdict: 'pass' | 'fail';
  };

/**
 * The verdicts of a run, one for each answer and criterion. A tie or "cannot tell" is no verdict to
 * measure.
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
 * other cells, and whoever judged it. It begins with a letter, so that no spreadsheet takes it for a
 * number.
 */
export function toRowName(row: TrialIdentity & { readonly output: string }, criterion: string) {
  const identity = JSON.stringify([resultKey(row), row.output, hideCriterion(criterion)]);
  return `r${hash('sha256', identity).slice(0, 15)}`;
}
