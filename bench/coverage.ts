import { listAccuracies } from './coverage/accuracy.ts';
import type { Cell } from './coverage/cell.ts';
import { listKappas, listWeightedKappas } from './coverage/kappa.ts';
import { listLabelFigures } from './coverage/labels.ts';
import { listScoreDifferences, listScoreMeans } from './coverage/scores.ts';
import { createDraw } from './measure/draw.ts';
import { toMarkdownTable } from './measure/markdown-table.ts';
import { readOptions } from './measure/options.ts';

const USAGE = `node bench/coverage.ts [--of accuracy] [--cell TEXT] [--runs 2000] [--seed 1]

How often the 95 % interval of a figure contains the true one, on simulated runs: of accuracy, scores, differences (of
scores), labels, kappa, or weighted kappa of grades. A cell of the table has that share in per cent, and in brackets the mean width of the interval
times 100 and, where there is a usual one, the share of that. --cell measures the lines that have the text, such as
"3 trials", or a line and a size, as in "3 trials, clusters, p 0.3: 20". Cells within a point of their bar get ten times
as many runs. Exit code 1 if one is below its bar. Of accuracy a few seconds, of scores two minutes.`;

const KINDS = {
  accuracy: ['questions', listAccuracies],
  scores: ['questions', listScoreMeans],
  differences: ['questions', listScoreDifferences],
  labels: ['questions', listLabelFigures],
  kappa: ['answers', listKappas],
  grades: ['answers', listWeightedKappas],
} as const;

const options = readOptions(USAGE, { of: 'accuracy', cell: '', runs: '2000', seed: '1' });
const kind = Object.entries(KINDS).find(([name]) => name === options.of);
if (kind === undefined)
  throw new Error(`--of must be ${Object.keys(KINDS).join(', ')}, got ${options.of}`);
const [, [what, listCells]] = kind;
const cells = listCells().filter(({ line, size }) => `${line}: ${size}`.includes(options.cell));
if (cells.length === 0) throw new Error(`--cell ${options.cell} is in no line of ${options.of}`);
const measured = cells.map((cell) => ({ cell, ...measureSurely(cell) }));

const sizes = [...new Set(cells.map(({ size }) => size))];
const lines = Map.groupBy(measured, ({ cell }) => cell.line);
const rows = [...lines].map(([line, found]) => [
  line,
  ...sizes.map((size) => show(found.find(({ cell }) => cell.size === size))),
]);
console.log(toMarkdownTable([options.of, ...sizes.map((size) => `${size} ${what}`)], rows));
const least = Math.min(...measured.map(({ coverage }) => coverage));
const low = measured.filter(({ cell, coverage }) => coverage < cell.bar);
console.log(
  `lowest share: ${percent(least)} %; ${low.length === 0 ? 'no cell is below its bar' : `below its bar: ${low.map(({ cell }) => `${cell.line}: ${cell.size}`).join('; ')}`}`,
);
process.exitCode = low.length === 0 ? 0 : 1;

function show(found: (typeof measured)[number] | undefined): string {
  if (found === undefined) return '-';
  const { coverage, width, plain } = found;
  const usual = plain === null ? '' : `; ${percent(plain)}`;
  return `${percent(coverage)} (${percent(width)}${usual})`;
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}

function measureSurely(cell: Cell) {
  const runs = Number(options.runs);
  const some = measure(cell, runs);
  return Math.abs(some.coverage - cell.bar) < 0.01 ? measure(cell, 10 * runs) : some;
}

function measure(cell: Cell, runs: number) {
  const draw = createDraw(Number(options.seed));
  let [held, width, plainHeld, hasPlain] = [0, 0, 0, false];
  for (let run = 0; run < runs; run += 1) {
    const { value, interval, plain } = cell.run(draw);
    held += Number(contains(interval, value));
    width += interval[1] - interval[0];
    hasPlain ||= plain !== undefined;
    plainHeld += Number(plain !== undefined && contains(plain, value));
  }
  const plain = hasPlain ? plainHeld / runs : null;
  return { coverage: held / runs, width: width / runs, plain };
}

/** Rounding of sums must not decide: intervals end at 0 and 1, where means may lie. */
function contains([low, high]: readonly [number, number], value: number): boolean {
  return low <= value + 1e-9 && value - 1e-9 <= high;
}
