import { computePairedInterval, type Difference } from '../src/figures/intervals.ts';
import { type TalliedPair, testPairs } from '../src/figures/paired-test.ts';
import { createDraw, type Draw, drawQuestions } from './measure/draw.ts';
import { toMarkdownTable } from './measure/markdown-table.ts';
import { readOptions } from './measure/options.ts';

const USAGE = `node bench/type-one.ts [--cell TEXT] [--runs 2000] [--seed 1]

How often two simulated runs that do not differ have p < 0.05, and two that do (by 15 points); and how often the interval
contains the true difference. 10 to 165 questions of any difficulty, 1, 3 or unequal trials, alone or in clusters of 5 (ICC 0.2).
"alike": a question has the same chance on both sides; "apart": one of its own on each side, with the same mean. --cell measures
the cells whose name has the text. Cells within a point of the bar get ten times as many runs. Exit code 1 if type I is above 5.5 %
anywhere. About a minute and a half.`;

type Cell = Readonly<{
  questions: number;
  /** Of side a and of side b. */
  trials: readonly [number, number];
  clusters: boolean;
  sides: 'alike' | 'apart';
  /** Of right answers. */
  rate: number;
}>;

const BAR = 0.055;
const DROP = 0.15;

const { cell: wanted, runs, seed } = readOptions(USAGE, { cell: '', runs: '2000', seed: '1' });

const CELLS: readonly Cell[] = [10, 20, 50, 165].flatMap((questions) =>
  (
    [
      [1, 1],
      [3, 3],
      [1, 10],
    ] as const
  ).flatMap((trials) =>
    [false, true].flatMap((clusters) =>
      (['alike', 'apart'] as const).flatMap((sides) =>
        [0.6, 0.95].map((rate) => ({ questions, trials, clusters, sides, rate })),
      ),
    ),
  ),
);

const named = CELLS.filter((cell) => nameCell(cell).includes(wanted));
const measured = named.map((cell) => ({ cell, ...measureSurely(cell) }));
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const rows = measured.map(({ cell, none, drop }) => [
  nameCell(cell),
  String(none.runs),
  percent(none.found),
  percent(none.covered),
  percent(drop.found),
  percent(drop.covered),
]);
const head = ['cell', 'runs', 'type I', 'coverage', 'power, 15 points', 'coverage, drop'];
console.log(toMarkdownTable(head, rows));
const high = measured.filter(({ none }) => none.found > BAR);
console.log(high.length === 0 ? 'type I is at most 5.5 %' : `above 5.5 %: ${high.length} cells`);
process.exitCode = high.length === 0 ? 0 : 1;

function nameCell({ questions, trials: [a, b], clusters, sides, rate }: Cell): string {
  return `${questions} questions, ${a}:${b} trials, ${clusters ? 'clusters' : 'no clusters'}, ${sides}, p ${rate}`;
}

function measureSurely(cell: Cell) {
  const drop = measure(cell, DROP, Number(runs));
  const some = measure(cell, 0, Number(runs));
  const isNear = Math.abs(some.found - BAR) < 0.01;
  return { drop, none: isNear ? measure(cell, 0, 10 * Number(runs)) : some };
}

function measure(cell: Cell, drop: number, runs: number) {
  const draw = createDraw(Number(seed));
  let [found, covered] = [0, 0];
  for (let run = 0; run < runs; run += 1) {
    const pairs = drawPairs(draw, cell, drop);
    found += Number(testPairs(pairs).p_value < 0.05);
    const [low, high] = computePairedInterval(pairs);
    covered += Number(low <= -drop && -drop <= high);
  }
  return { runs, found: found / runs, covered: covered / runs };
}

/** Side b loses a share of a's right answers that is a drop of as many points on average. */
function drawPairs(draw: Draw, cell: Cell, drop: number): readonly (TalliedPair & Difference)[] {
  const [trialsA, trialsB] = cell.trials;
  const before = drawQuestions(draw, cell, cell.rate);
  const after = cell.sides === 'alike' ? before : drawQuestions(draw, cell, cell.rate);
  return before.map(({ chance, ...question }, index) => {
    // Half of what makes a question hard is the same on both sides.
    const other = draw.random() < 0.5 ? chance : (after[index]?.chance ?? chance);
    const kept = other * (1 - drop / cell.rate);
    const a = { counted: trialsA, correct: draw.binomial(trialsA, chance) };
    const b = { counted: trialsB, correct: draw.binomial(trialsB, kept) };
    return { ...question, a, b, value: b.correct / trialsB - a.correct / trialsA };
  });
}
