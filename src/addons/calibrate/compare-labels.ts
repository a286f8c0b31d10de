import { basename, dirname, join, resolve } from 'node:path';
import { formatKappa, formatMeasured } from '../../../reporters/format-figures.ts';
import { readRecords } from '../../data/files/read-records.ts';
import { type RawRecord, RecordError } from '../../data/files/record.ts';
import { countGrades, toLabelTable } from '../../figures/judge-calibration.ts';
import { computeKappa, QUADRATIC } from '../../figures/kappa.ts';
import { writeLines } from '../../store/line-file.ts';
import { type Audience, hidesRecords } from '../../words/audience.ts';
import { toCsv } from '../../words/csv.ts';
import { cut, escapeLine, lineIf, plural, showPath } from '../../words/show.ts';
import { plainly, told } from '../../words/told.ts';
import { describeGaps, describeWeighted } from './grades.ts';
import {
  countLabels,
  LABEL_COLUMNS,
  type Label,
  type LabelledPair,
  type LabelRow,
  listColumns,
  readCell,
  readLabel,
  readScale,
  refuseContradictions,
  shareAlike,
  toGrades,
} from './labels.ts';

/**
 * `viva label --agree a.csv b.csv`: prints how far the labels of two people agree, and writes a
 * file in which those that differ are to be labelled again: to `out`, or beside file a. Throws if no
 * answer has both labels.
 */
export async function compareLabels(
  a: string,
  b: string,
  out: string | undefined,
  settings: Audience,
  print: (line: string) => void,
): Promise<void> {
  const [ofA, ofB] = [await readLabels(a), await readLabels(b)];
  const names = [...new Set([...ofA.keys(), ...ofB.keys()])];
  const pairs = names.flatMap((name): readonly Pair[] => {
    const [first, second] = [ofA.get(name), ofB.get(name)];
    const row = first?.row ?? second?.row;
    if (first !== undefined && second !== undefined) refuseOtherScale(first, second, a, b);
    return row === undefined ? [] : [{ row, a: first?.label ?? null, b: second?.label ?? null }];
  });
  const both = pairs.filter(isLabelledTwice);
  const say = (line: string) => print(escapeLine(line, 1000));
  const [nameA, nameB] = [showPath(a), showPath(b)];
  if (both.length === 0)
    throw new Error(`${nameA} and ${nameB} have no labelled answer in common.`);
  const groups = [...Map.groupBy(both, ({ row }) => row.criterion)];
  const isHidden = hidesRecords(settings);
  for (const [criterion, pairsOfCriterion] of groups) {
    if (groups.length > 1) say(`criterion: ${isHidden ? '(hidden)' : cut(criterion)}`);
    for (const line of describeAgreement(pairsOfCriterion, nameA, nameB)) say(line);
  }
  for (const line of [
    ...describeAlone(ofA, ofB, nameA, nameB),
    ...describeAlone(ofB, ofA, nameB, nameA),
  ])
    say(line);
  for (const line of writeSettleFile(pairs, out ?? join(dirname(resolve(a)), 'settle.csv'), a, b))
    say(line);
}

/** A row with its labels in two files. */
type Pair = Readonly<{ row: LabelRow; a: Label | null; b: Label | null }>;

type LabelledTwice = Pair & Readonly<{ a: Label; b: Label }>;

function isLabelledTwice(pair: Pair): pair is LabelledTwice {
  return pair.a !== null && pair.b !== null;
}

type LabelsByName = ReadonlyMap<string, LabelledRow>;

type LabelledRow = Pick<Pair, 'row'> & Readonly<{ label: Label | null; record: RawRecord }>;

/** A 5 of 10 is no 5 of 5. Rows without a scale say nothing of it. */
function refuseOtherScale(
  { record: first }: LabelledRow,
  { record }: LabelledRow,
  a: string,
  file: string,
): void {
  const [of, scale] = [readCell(first, 'scale'), readCell(record, 'scale')];
  if (of === '' || scale === '' || Number(of) === Number(scale)) return;
  throw new RecordError({
    file,
    line: record.line,
    field: 'scale',
    problem: told`must be ${plainly(of)}, as on line ${first.line} of ${plainly(showPath(a))}`,
    value: scale,
    remedy: 'Grades of two scales cannot be compared.',
  });
}

/** The rows of a file by their names, or by their ids if another program wrote it. */
async function readLabels(file: string): Promise<LabelsByName> {
  const { records } = await readRecords(resolve(file));
  const labels = records.map((record) => {
    const scale = readScale(record);
    const cells = LABEL_COLUMNS.map((name) => [name, readCell(record, name)] as const);
    const row = { ...Object.fromEntries(cells), scale: `${scale ?? ''}` } as LabelRow;
    const answer = row.row || JSON.stringify([row.id, row.criterion]);
    return { record, row, label: readLabel(file, record, scale), answer };
  });
  refuseContradictions(file, labels);
  // A row without a label hides none that another one has.
  const byLabel = labels.toSorted((a, b) => Number(a.label !== null) - Number(b.label !== null));
  return new Map(byLabel.map(({ answer, ...each }) => [answer, each]));
}

function describeAlone(
  labels: LabelsByName,
  others: LabelsByName,
  name: string,
  otherName: string,
): readonly string[] {
  const alone = [...labels].filter(
    ([key, { label }]) => label !== null && (others.get(key)?.label ?? null) === null,
  );
  const missing = alone.filter(([key]) => !others.has(key)).length;
  const count = plural(alone.length, 'answer');
  return lineIf(
    alone.length > 0,
    `${count} labelled in ${name} alone; ${missing} of them not in ${otherName}`,
  );
}

function describeAgreement(
  pairs: readonly LabelledTwice[],
  nameA: string,
  nameB: string,
): readonly string[] {
  const both = pairs.map(({ row: { suite, id }, a, b }) => {
    return { first: a, second: b, question: JSON.stringify([suite, id]) };
  });
  const scale = findScale(pairs, `${nameA} and ${nameB}`);
  if (scale !== null) return describeGradesOf(both, scale, nameA, nameB);
  const counts = countLabels(both);
  const { passed, failed } = counts;
  const agreed = shareAlike(both);
  const share = (agreed?.worth ?? 0) / pairs.length;
  const { kappa, ci95 } = computeKappa(toLabelTable(counts), { share });
  return [
    `${plural(pairs.length, 'answer')} labelled in both files`,
    `  agreement ${formatMeasured(agreed)}`,
    kappa === null
      ? "  Cohen's kappa -: all labels are the same, so that chance alone agrees"
      : `  Cohen's kappa ${formatKappa(kappa, ci95)}, with its 95 % interval`,
    `  both pass ${passed.as_pass}, both fail ${failed.as_fail}`,
    `  ${nameA} pass and ${nameB} fail ${passed.as_fail}, the other way round ${failed.as_pass}`,
  ];
}

/** The highest grade of some rows, or the highest that somebody gave; null where labels are no grades. */
function findScale(pairs: readonly LabelledTwice[], files: string): number | null {
  const labels = pairs.flatMap(({ a, b }) => [a, b]);
  const grades = labels.filter((label) => typeof label === 'number');
  if (grades.length === 0) return null;
  if (grades.length < labels.length)
    throw new Error(`${files} label one criterion by grades and by pass or fail.`);
  return Math.max(...grades, ...pairs.map(({ row }) => Number(row.scale)), 2);
}

function describeGradesOf(
  both: readonly LabelledPair[],
  scale: number,
  nameA: string,
  nameB: string,
): readonly string[] {
  const counts = countGrades(toGrades(both), scale);
  const share = (shareAlike(both)?.worth ?? both.length) / both.length;
  const { kappa, ci95 } = computeKappa(counts.grades, { share, weights: QUADRATIC });
  return [
    `${plural(both.length, 'answer')} graded in both files, ${nameA} and ${nameB}`,
    `  ${describeWeighted(kappa, ci95)}`,
    `  ${describeGaps(counts, nameB)}`,
  ];
}

/**
 * Writes all labels, those that are settled first: the page of labels goes on with the others, and
 * shows both labels. A file with ids alone has nothing to show there.
 */
function writeSettleFile(
  pairs: readonly Pair[],
  file: string,
  a: string,
  b: string,
): readonly string[] {
  const differing = pairs.filter((pair) => isLabelledTwice(pair) && pair.a !== pair.b);
  if (differing.length === 0) return ['no disagreement to settle'];
  if (differing.some(({ row }) => row.row === ''))
    return ['disagreements to settle:', ...differing.map(({ row }) => `  ${row.id}`)];
  const settled = pairs.filter((pair) => !differing.includes(pair));
  const rank = (pair: Pair) => Number((pair.a ?? pair.b) !== null);
  const rows = [
    ...settled
      .toSorted((one, other) => rank(one) - rank(other))
      .map(({ row, a: first, b: second }) => ({
        ...row,
        label: `${first ?? second ?? ''}`,
        note: '',
      })),
    ...differing.map(({ row, a: first, b: second }) => {
      const note = `${basename(a)}: ${first} \u00b7 ${basename(b)}: ${second}`;
      return { ...row, label: '', note };
    }),
  ];
  const columns = [...listColumns(pairs.map(({ row }) => row)), 'note' as const];
  writeLines(file, [toCsv([columns, ...rows.map((row) => columns.map((name) => row[name]))])]);
  return [
    `wrote ${showPath(file)}: ${plural(differing.length, 'disagreement')} to settle; open it under Labels of viva view`,
  ];
}
