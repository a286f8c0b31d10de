import { hash } from 'node:crypto';
import { type RawRecord, RecordError } from '../../data/files/record.ts';
import { readComparedRun } from '../../figures/compare-runs.ts';
import { groupBy } from '../../figures/groups.ts';
import { computeShare, type Share } from '../../figures/intervals.ts';
import { type LabelCounts, listCriteria } from '../../figures/judge-calibration.ts';
import { isOfCriterion, isScale, MOST_GRADES } from '../../judge/scale.ts';
import { resultKey, type TrialIdentity } from '../../store/trial-meta.ts';
import { hideCriterion } from '../../words/audience.ts';
import { isFields } from '../../words/fields.ts';
import { joinVerdicts } from '../../words/panel.ts';
import type { CriterionVerdicts, SampleResult } from '../../words/row.ts';
import { cut, quote, toText } from '../../words/show.ts';
import { plainly, told } from '../../words/told.ts';

/** What a person says of an answer: pass or fail, or its grade. */
export type Label = 'pass' | 'fail' | number;

/** The columns of a file of labels, in their order. */
export const LABEL_COLUMNS = [
  'id',
  'suite',
  'question',
  'output',
  'reference',
  'criterion',
  'label',
  'run',
  'row',
] as const;

/** An answer with its label in a file of labels: pass, fail, a grade or "". */
export type LabelRow = Readonly<Record<(typeof LABEL_COLUMNS)[number] | typeof SCALE, string>>;

/** The column of the highest grade, in files with grades. */
const SCALE = 'scale';

/** The columns of a file with these rows. */
export function listColumns(rows: readonly LabelRow[]): readonly (keyof LabelRow)[] {
  return rows.some(({ scale }) => scale !== '') ? [...LABEL_COLUMNS, SCALE] : LABEL_COLUMNS;
}

/** A cell of a file of labels; '' if it is not there. */
export function readCell(record: RawRecord | undefined, name: string): string {
  const cell = isFields(record?.value) ? record.value[name] : '';
  return typeof cell === 'string' ? cell.trim() : typeof cell === 'number' ? `${cell}` : '';
}

/** The highest grade that a row allows; null for verdicts. Files of other programs do not say it. */
export function readScale(record: RawRecord): number | null {
  const scale = Number(readCell(record, SCALE));
  return isScale(scale) ? scale : /^\d/.test(readCell(record, 'label')) ? MOST_GRADES : null;
}

/**
 * Throws a RecordError where a file of another origin labels by another scale or criterion than this
 * one. viva's own rows are named by them.
 */
export function refuseOther(
  file: string,
  record: RawRecord,
  { criterion, scale }: Pick<CriterionVerdicts, 'criterion' | 'scale'>,
  isHidden: boolean,
): void {
  const { line } = record;
  const [ofScale, of] = [readCell(record, SCALE), readCell(record, 'criterion')];
  if (ofScale !== '' && Number(ofScale) !== scale)
    throw new RecordError({
      file,
      line,
      field: SCALE,
      problem:
        scale === undefined
          ? told`must be empty, as the judge gives no grades`
          : told`must be ${scale}, as the judge has it`,
      value: ofScale,
      remedy: 'Labels of another scale do not measure this judge.',
    });
  const texts = [criterion, hideCriterion(criterion)].map(toWords);
  if (of === '' || texts.some((text) => isOfCriterion(text, toWords(of)))) return;
  const judged = isHidden
    ? told`the criterion of the judge`
    : told`${plainly(quote(cut(criterion)))}`;
  throw new RecordError({
    file,
    line,
    field: 'criterion',
    problem: told`must be ${judged}, by which the answer was judged`,
    ...(isHidden ? {} : { value: of }),
    remedy: 'Labels by another criterion do not measure this judge.',
  });
}

/** A spreadsheet may change the spaces of a text. */
export function toWords(text: string): string {
  return text.trim().replaceAll(/[^\S\n]+/g, ' ');
}

/**
 * The label of a row, a grade where judges have a `scale`; null without one. Throws a RecordError for
 * another word.
 */
export function readLabel(file: string, record: RawRecord, scale: number | null): Label | null {
  const label = readCell(record, 'label').toLowerCase();
  if (label === '') return null;
  if (scale === null && (label === 'pass' || label === 'fail')) return label;
  // A spreadsheet may write 4.0.
  const grade = /^\d+(?:\.0+)?$/.test(label) ? Number(label) : 0;
  if (scale !== null && 1 <= grade && grade <= scale) return grade;
  const remedy = 'Leave it empty where you cannot tell.';
  const { line } = record;
  throw new RecordError({
    file,
    line,
    field: 'label',
    problem: scale === null ? told`must be pass or fail` : told`must be a grade from 1 to ${scale}`,
    value: label,
    remedy,
  });
}

/** An answer with the labels of two raters. Answers of one question resemble each other. */
export type LabelledPair = Readonly<{
  first: Label;
  second: Label;
  question: string;
  cluster?: string | undefined;
}>;

/** A label, the record that has it, and what it labels. */
type LabelOfAnswer = Readonly<{ record: RawRecord; label: Label | null; answer: string }>;

/** Throws a RecordError with both lines where an answer has two labels. */
export function refuseContradictions(file: string, labels: Iterable<LabelOfAnswer>): void {
  const earlier = new Map<string, LabelOfAnswer>();
  for (const each of labels) {
    if (each.label === null) continue;
    const first = earlier.get(each.answer) ?? each;
    earlier.set(each.answer, first);
    if (first.label === each.label) continue;
    const { line } = each.record;
    const problem = told`is ${plainly(`${each.label}`)}, and ${plainly(`${first.label}`)} on line ${first.record.line} for the same answer`;
    throw new RecordError({ file, line, field: 'label', problem, remedy: 'Keep the right one.' });
  }
}

/** Counts answers by the labels, pass or fail, of two raters. */
export function countLabels(pairs: readonly LabelledPair[]): LabelCounts {
  const count = (label: Label) => {
    const own = pairs.filter(({ first }) => first === label);
    const as_pass = own.filter(({ second }) => second === 'pass').length;
    const worth = shareAlike(own)?.worth ?? 0;
    const isPart = worth !== own.length;
    return { as_pass, as_fail: own.length - as_pass, ...(isPart ? { worth } : {}) };
  };
  return { passed: count('pass'), failed: count('fail') };
}

/** The same as grades. */
export function toGrades(pairs: readonly LabelledPair[]) {
  return pairs.map(({ first, second }) => [Number(first), Number(second)] as const);
}

/** The share of answers on which both raters agree; null without one. */
export function shareAlike(pairs: readonly LabelledPair[]): Share | null {
  const questions = groupBy(pairs, ({ question }) => question);
  const tallies = [...questions.values()].map((own) => ({
    correct: own.filter(({ first, second }) => first === second).length,
    counted: own.length,
    cluster: own[0].cluster,
  }));
  return computeShare(tallies);
}

/** An answer that judges passed, failed or graded by one criterion. */
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
        const verdict = joinVerdicts(judge.verdicts);
        // A row may be of anybody, and tables are as large as its scale.
        const isOdd = judge.scale !== undefined && !isScale(judge.scale);
        return verdict === null || row.output === null || isOdd
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
