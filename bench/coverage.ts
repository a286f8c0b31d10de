import type { Tally } from '../src/figures/groups.ts';
import { computeShare, type Interval } from '../src/figures/intervals.ts';
import { createDraw, drawQuestions } from './measure/draw.ts';
import { toMarkdownTable } from './measure/markdown-table.ts';
import { readOptions } from './measure/options.ts';

const USAGE = `node bench/coverage.ts [--cell TEXT] [--runs 2000] [--seed 1]

How often the 95 % interval of an accuracy contains the true one, on simulated runs: 5 to 50 questions of any difficulty, with
1 trial, 3, or 10 of each fifth question and 1 of the others, alone or in clusters of 5 (ICC 0.2). --cell measures the cells whose
name has the text, such as "20 questions, 3 trials". Cells within a point of their bar get ten times as many runs. Exit code 1 if
one is below it: 94 %, of 5 questions 93 %. A few seconds.`;

type Cell = Readonly<{
  questions: number;
  trials: '1' | '3' | 'unequal';
  clusters: boolean;
  /** Each run draws its own within 5 points: at one fixed rate the coverage of counts leaps. */
  rate: number;
}>;

const { cell: wanted, runs, seed } = readOptions(USAGE, { cell: '', runs: '2000', seed: '1' });

const CELLS: readonly Cell[] = [5, 10, 20, 50].flatMap((questions) =>
  (['1', '3', 'unequal'] as const).flatMap((trials) =>
    [false, true].flatMap((clusters) =>
      [0.3, 0.8].map((rate) => ({ questions, trials, clusters, rate })),
    ),
  ),
);

const named = CELLS.filter((cell) => nameCell(cell).includes(wanted));
const measured = named.map((cell) => ({ cell, ...measureSurely(cell) }));
const rows = measured.map(({ cell, runs, coverage, width }) => [
  nameCell(cell),
  String(runs),
  `${(100 * coverage).toFixed(1)} %`,
  (100 * width).toFixed(1),
]);
console.log(toMarkdownTable(['cell', 'runs', 'coverage', 'mean width, points'], rows));
const low = measured.filter(({ cell, coverage }) => coverage < barOf(cell));
console.log(low.length === 0 ? 'no cell is below its bar' : `below its bar: ${low.length}`);
process.exitCode = low.length === 0 ? 0 : 1;

function nameCell({ questions, trials, clusters, rate }: Cell): string {
  const often = trials === '1' ? '1 trial' : `${trials} trials`;
  return `${questions} questions, ${often}, ${clusters ? 'clusters' : 'no clusters'}, p ${rate}`;
}

function barOf({ questions }: Cell): number {
  return questions < 10 ? 0.93 : 0.94;
}

function measureSurely(cell: Cell) {
  const some = measure(cell, Number(runs));
  const isNear = Math.abs(some.coverage - barOf(cell)) < 0.01;
  return isNear ? measure(cell, 10 * Number(runs)) : some;
}

function measure(cell: Cell, runs: number) {
  const draw = createDraw(Number(seed));
  let [held, width] = [0, 0];
  for (let run = 0; run < runs; run += 1) {
    const mean = cell.rate - 0.05 + 0.1 * draw.random();
    const tallies = drawQuestions(draw, cell, mean).map(({ chance, ...question }, index): Tally => {
      const counted = countTrials(cell, index);
      return { ...question, counted, correct: draw.binomial(counted, chance) };
    });
    const [low, high]: Interval = computeShare(tallies)?.ci95 ?? [0, 1];
    held += Number(low <= mean && mean <= high);
    width += high - low;
  }
  return { runs, coverage: held / runs, width: width / runs };
}

function countTrials({ trials }: Cell, index: number): number {
  if (trials === 'unequal') return index % 5 === 0 ? 10 : 1;
  return Number(trials);
}
