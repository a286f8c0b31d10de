import { basename, join, resolve } from 'node:path';
import { formatMeasured, formatRate } from '../../../reporters/format-figures.ts';
import { ensureFolder } from '../../data/files/read-file.ts';
import { readRecords } from '../../data/files/read-records.ts';
import { type RawRecord, RecordError } from '../../data/files/record.ts';
import { groupBy } from '../../figures/groups.ts';
import {
  calibrate,
  countGrades,
  type GradeCounts,
  type JudgeKey,
  type LabelCounts,
  toJudgeKey,
} from '../../figures/judge-calibration.ts';
import {
  type Fingerprints,
  readFingerprints,
  toCalibrationFile,
} from '../../figures/stored-calibrations.ts';
import { findRun } from '../../store/find-run.ts';
import { writeJson } from '../../store/line-file.ts';
import { readManifest } from '../../store/manifest.ts';
import { type Audience, hiddenFrom } from '../../words/audience.ts';
import { isSplit } from '../../words/panel.ts';
import { escapeLine, lineIf, partOf, plural, showPath } from '../../words/show.ts';
import { plainly, told } from '../../words/told.ts';
import { describeGaps, describeWeighted } from './grades.ts';
import {
  countLabels,
  type JudgedRow,
  type Label,
  type LabelledPair,
  readCell,
  readJudgedRows,
  readLabel,
  refuseContradictions,
  refuseOther,
  shareAlike,
  toGrades,
  toRowName,
  toWords,
} from './labels.ts';

/** Fewer labels leave intervals that say little: with 50 labels of a kind, 90 % is 79 to 96 %. */
const ENOUGH = 100;

/**
 * `viva judge calibrate FILE`: compares the verdicts of judges with people's labels, prints the
 * figures of each judge, and keeps them in EVAL_DIR (`settings.dir`). `onlyRun` replaces the runs
 * that the file names. Throws if a label names no answer of its run, or there is none.
 */
export async function calibrateJudge(
  file: string,
  onlyRun: string | undefined,
  settings: Audience & { readonly dir: string },
  print: (line: string) => void,
): Promise<void> {
  const say = (line: string) => print(escapeLine(line, 1000));
  const { records } = await readRecords(resolve(file));
  const labelledRecords = records.filter((record) => readCell(record, 'label') !== '');
  const left = records.length - labelledRecords.length;
  if (labelledRecords.length === 0)
    throw new Error(
      `${showPath(file)} has no label yet. Write pass, fail or a grade into "label".`,
    );
  if (left > 0) say(`${partOf(left, records.length, 'row', 'has', 'have')} no label yet`);
  const byRun = Map.groupBy(labelledRecords, (record) => onlyRun ?? readCell(record, 'run'));
  const labelled = [...byRun].flatMap(([run, recordsOfRun]) => {
    if (run === '') throw new Error('The file names no run: name it with --run.');
    const argument = onlyRun === undefined ? 'The column "run"' : '--run';
    return matchRows(file, recordsOfRun, openRun(findRun(run, settings.dir, argument), settings));
  });
  const unmatched = labelledRecords.length - new Set(labelled.map(({ record }) => record)).size;
  if (unmatched > 0)
    say(`${plural(unmatched, 'label is', 'labels are')} of answers without a verdict in this run`);
  refuseContradictions(
    file,
    labelled.map((each) => ({ ...each, answer: toAnswerKey(each) })),
  );
  // A row may be labelled twice, as in samples that overlap.
  const last = new Map(labelled.map((each) => [toAnswerKey(each), each]));
  for (const ofJudge of groupBy([...last.values()], ({ row }) => toJudgeKey(row.judge)).values()) {
    const [first] = ofJudge;
    const counts = countAll(ofJudge);
    const folders = [...new Set(ofJudge.map(({ folder }) => folder))];
    for (const line of [...describeJudge(first, counts), ...describeDisagreements(ofJudge)])
      say(line);
    const kept = writeCalibration(settings.dir, first.row.judge, counts, {
      runs: folders.map((folder) => basename(folder)),
      fingerprints: Object.assign(
        {},
        ...folders.map((folder) => readFingerprints(readManifest(folder))),
      ),
    });
    say(`  kept: ${showPath(kept)}`);
  }
}

/** The counts of the labels of one judge: of grades if it gives grades. */
function countAll(labelled: readonly [Labelled, ...Labelled[]]): LabelCounts | GradeCounts {
  const pairs = labelled.map(toPair);
  const [{ row }] = labelled;
  const { scale } = row.judge;
  if (scale === undefined) return countLabels(pairs);
  const worth = shareAlike(pairs)?.worth ?? pairs.length;
  const counts = countGrades(toGrades(pairs), scale);
  return worth === pairs.length ? counts : { ...counts, worth };
}

/** Two agents may answer one question: their answers are alike too. */
function toPair({ row, label }: Labelled): LabelledPair {
  const { suite, id, cluster } = row;
  return { first: label, second: row.verdict, question: JSON.stringify([suite, id]), cluster };
}

/** Names an answer, its criterion and its judge. */
function toAnswerKey({ row }: Labelled): string {
  return `${toRowName(row, row.judge.criterion)} ${toJudgeKey(row.judge)}`;
}

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

function openRun(folder: string, audience: Audience): OpenRun {
  const isHidden = hiddenFrom(audience, readManifest(folder).suites);
  const rows = readJudgedRows(folder);
  return {
    folder,
    rows,
    byName: Map.groupBy(rows, (row) => toRowName(row, row.judge.criterion)),
    isHidden: ({ suite }) => isHidden(suite),
  };
}

/** The labels of one run with their rows. */
function matchRows(file: string, records: readonly RawRecord[], run: OpenRun): readonly Labelled[] {
  const matched = records.map((record) => ({ record, rows: findRows(record, run) }));
  const unmatched = matched.filter(({ rows }) => rows.length === 0);
  const [first] = unmatched;
  // A row may name an answer without a verdict of this judge; an id may be anything.
  const isWrong = unmatched.length === matched.length || readCell(first?.record, 'row') === '';
  if (first !== undefined && isWrong) throw toUnmatched(file, first.record, run);
  return matched.flatMap(({ record, rows }) =>
    rows.flatMap((row) => {
      const [isHidden, { folder }] = [run.isHidden(row), run];
      if (readCell(record, 'row') === '') refuseOther(file, record, row.judge, isHidden);
      const label = readLabel(file, record, row.judge.scale ?? null);
      return label === null ? [] : { record, row, label, folder, isHidden };
    }),
  );
}

function toUnmatched(file: string, record: RawRecord, { folder, rows }: OpenRun): RecordError {
  const { line } = record;
  const ofId = rows.filter((row) => row.id === readCell(record, 'id'));
  const isOther =
    readCell(record, 'row') !== '' &&
    ofId.length > 0 &&
    ofId.every(({ judge }) => toWords(judge.criterion) !== toWords(readCell(record, 'criterion')));
  const name = plainly(basename(folder));
  const problem = isOther
    ? told`was labelled by another criterion, scale or levels than the run ${name} judged it by`
    : told`is not one judged answer of the run ${name}`;
  const remedy = isOther
    ? 'Label a sample of this run, or name the run of the labels with --run.'
    : 'Keep the columns id and row as viva wrote them, or name the run with --run.';
  return new RecordError({
    file,
    line,
    field: 'id',
    problem,
    value: readCell(record, 'id'),
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
  const sameId = rows.filter((row) => row.id === readCell(record, 'id'));
  return sameId.length === 1 ? sameId : [];
}

function describeJudge(
  { row: { suite, judge }, isHidden }: Labelled,
  counts: LabelCounts | GradeCounts,
): readonly string[] {
  const { models, prompt_hash, criterion } = judge;
  const name = `${suite}: judge ${models.join(', ')} (prompt ${prompt_hash.slice(0, 8)}), criterion: ${isHidden ? '(hidden)' : criterion.replaceAll(/\s+/g, ' ')}`;
  return [name, ...('grades' in counts ? describeGrades(counts) : describeVerdicts(counts))];
}

function describeGrades(counts: GradeCounts): readonly string[] {
  const { labels, kappa, kappa_ci95 } = calibrate(counts);
  return [
    `  ${plural(labels, 'label')}`,
    `  ${describeWeighted(kappa, kappa_ci95)}`,
    `  ${describeGaps(counts, 'the judge')}`,
    ...lineIf(labels < ENOUGH, `  fewer than ${ENOUGH} labels: the interval is wide`),
  ];
}

function describeVerdicts(counts: LabelCounts): readonly string[] {
  const { labels, tpr, tnr, agreement, kappa } = calibrate(counts);
  const lacking = [tpr === null ? 'pass' : '', tnr === null ? 'fail' : ''].filter(
    (label) => label !== '',
  );
  const few = `fewer than ${ENOUGH} labels: the intervals are wide, and the corrected accuracy is uncertain`;
  return [
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
  const differing = labelled.filter(({ row, label }) => isSplit([label, row.verdict]));
  const isGraded = differing.some(({ label }) => typeof label === 'number');
  const apart = isGraded ? ' by more than one grade' : '';
  return [
    ...lineIf(
      differing.length > 0,
      `  ${plural(differing.length, 'disagreement')}${apart} to read:`,
    ),
    ...differing.map(({ row, label, isHidden }) => {
      const reasons = isHidden ? '(its reason is hidden)' : row.judge.reasons.join(' | ');
      const what = typeof label === 'number' ? 'grade' : 'verdict';
      return `    ${row.id}: label ${label}, ${what} ${row.verdict}: ${reasons}`;
    }),
  ];
}

/** Keeps what labels say of a judge, in place of earlier labels. Returns the file. */
export function writeCalibration(
  dir: string,
  judge: JudgeKey,
  counts: LabelCounts | GradeCounts,
  facts: Readonly<{
    runs: readonly string[];
    fingerprints: Fingerprints;
  }>,
): string {
  const file = toCalibrationFile(dir, judge);
  ensureFolder(join(dir, 'judges'));
  const { models, prompt_hash, criterion } = judge;
  const calibrated_at = new Date().toISOString();
  const head = { version: 1, models, prompt_hash, criterion, calibrated_at, ...facts };
  writeJson(file, { ...head, counts, ...calibrate(counts) });
  return file;
}
