import type { Tally } from '../src/figures/groups.ts';
import { computePairedInterval } from '../src/figures/intervals.ts';
import { averageScore, type ScoreKind } from '../src/figures/named-scores.ts';
import { createDraw } from './measure/draw.ts';
import { toMarkdownTable } from './measure/markdown-table.ts';
import { readOptions } from './measure/options.ts';

const USAGE = `node bench/score-intervals.ts [--runs 2000] [--seed 1]

How often the 95 % interval of a named score contains the true mean, on simulated scores: true or false, and numbers of many
shapes, 20 to 1,000 questions, 1 and 3 trials; then that of the difference of two runs. "plain t": Student's t interval of 20
questions without more. Exit code 1 if a share is below 93.5 %. About two minutes.`;

/** A population of scores: one run draws its own mean where coverage depends on it by leaps. */
type Shape = Readonly<{
  name: string;
  kind: ScoreKind;
  /** The true mean of a run, and a draw of the scores of a question's trials. */
  start(): { readonly mean: number; readonly draw: (trials: number) => readonly number[] };
}>;

const SIZES = [20, 50, 200, 1000];
const LEAST = 0.935;

type Difficulty = readonly [name: string, spread: number];
const ANY: Difficulty = ['of any difficulty', 2];
const SETTLED: Difficulty = ['settled', 0.3];

/** The lowest share of all lines. */
let least = 1;

const { runs, seed } = readOptions(USAGE, { runs: '2000', seed: '1' });
const { random, beta: drawBeta } = createDraw(Number(seed));
measureAll(Number(runs));

function measureAll(runs: number): void {
  const rows = listShapes().flatMap((shape) =>
    [1, 3].map((trials) => {
      const cells = SIZES.map((questions) => measure(shape, questions, trials, runs));
      least = Math.min(least, ...cells.map(({ coverage }) => coverage));
      const [first] = cells;
      const shown = cells.map(({ coverage, width }) => `${percent(coverage)} (${percent(width)})`);
      return [shape.name, String(trials), ...shown, percent(first?.plain ?? 0)];
    }),
  );
  const head = ['scores', 'trials', ...SIZES.map((size) => `${size} questions`), 'plain t, 20'];
  console.log(toMarkdownTable(head, rows));
  console.log(toMarkdownTable(['difference of', ...head.slice(1, -1)], measureDifferences(runs)));
  console.log(`lowest share: ${percent(least)} %, must be at least ${percent(LEAST)} %`);
  process.exitCode = least < LEAST ? 1 : 0;
}

/** Runs b of an agent that loses a tenth of its answers: their differences from runs a. */
function measureDifferences(runs: number): readonly (readonly string[])[] {
  return listShapes()
    .filter(({ kind }) => kind === 'mean')
    .flatMap((shape) =>
      [1, 3].map((trials) => {
        const cells = SIZES.map((questions) => measureDifference(shape, questions, trials, runs));
        return [shape.name, String(trials), ...cells];
      }),
    );
}

function measureDifference({ start }: Shape, questions: number, trials: number, runs: number) {
  let [held, width] = [0, 0];
  for (let run = 0; run < runs; run++) {
    const { mean, draw } = start();
    const differences = Array.from({ length: questions }, () => {
      const values = draw(2 * trials);
      const lost = values.map((value, at) => (at % 2 === 0 || random() < 0.1 ? 0 : value));
      const kept = values.map((value, at) => (at % 2 === 0 ? value : 0));
      return { value: (sum(lost) - sum(kept)) / trials };
    });
    const interval = computePairedInterval(differences);
    held += Number(contains(interval, -0.1 * mean));
    width += interval[1] - interval[0];
  }
  least = Math.min(least, held / runs);
  return `${percent(held / runs)} (${percent(width / runs)})`;
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}

function measure({ kind, start }: Shape, questions: number, trials: number, runs: number) {
  let [held, width, plainHeld] = [0, 0, 0];
  for (let run = 0; run < runs; run++) {
    const { mean, draw } = start();
    const tallies = Array.from({ length: questions }, (): Tally => {
      return { correct: sum(draw(trials)), counted: trials };
    });
    const { ci95 } = averageScore(tallies, kind);
    if (ci95 === null) continue;
    held += Number(contains(ci95, mean));
    width += ci95[1] - ci95[0];
    if (questions === SIZES[0]) plainHeld += Number(contains(computePlain(tallies), mean));
  }
  return { coverage: held / runs, width: width / runs, plain: plainHeld / runs };
}

/** Rounding of sums must not decide: intervals end at 0 and 1, where means may lie. */
function contains([low, high]: readonly [number, number], mean: number): boolean {
  return low <= mean + 1e-9 && mean - 1e-9 <= high;
}

/** The t interval of 20 question means: the quantile of 19 degrees of freedom. */
function computePlain(tallies: readonly Tally[]): readonly [number, number] {
  const means = tallies.map(({ correct, counted }) => correct / counted);
  const mean = sum(means) / means.length;
  const squares = sum(means.map((each) => (each - mean) ** 2));
  const half = 2.093024 * Math.sqrt(squares / (means.length - 1) / means.length);
  return [mean - half, mean + half];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function listShapes(): readonly Shape[] {
  return [
    toBoolean(40, 60, ANY),
    toBoolean(40, 60, SETTLED),
    toBoolean(70, 90, ANY),
    toBoolean(70, 90, SETTLED),
    toBoolean(90, 100, ANY),
    toBoolean(90, 100, SETTLED),
    toBoolean(0, 10, ANY),
    toNumbers('evenly from 0 to 1', 1 / 2, random),
    toNumbers('bell around 0.5 (Beta 5, 5)', 1 / 2, () => drawBeta(5, 5)),
    toNumbers('at both ends (Beta 0.5, 0.5)', 1 / 2, () => drawBeta(0.5, 0.5)),
    toNumbers('around 0.8 (Beta 8, 2)', 0.8, () => drawBeta(8, 2)),
    toNumbers('skewed to 1 (Beta 5, 0.5)', 5 / 5.5, () => drawBeta(5, 0.5)),
    toNumbers('very skewed to 1 (Beta 2, 0.1)', 2 / 2.1, () => drawBeta(2, 0.1)),
    toNumbers('skewed to 0 (Beta 0.2, 4)', 0.2 / 4.2, () => drawBeta(0.2, 4)),
    toNumbers('close to 1 (Beta 40, 1)', 40 / 41, () => drawBeta(40, 1)),
    toNumbers('close to 0 (Beta 1, 99)', 0.01, () => drawBeta(1, 99)),
    toNumbers('1, but 5 % anything', 0.975, () => (random() < 0.95 ? 1 : random())),
    toNumbers('0.87 to 0.93, but 3 % 0', 0.97 * 0.9, () => rarely(0.03)),
    toNumbers('0.87 to 0.93, but 10 % 0', 0.9 * 0.9, () => rarely(0.1)),
    toNumbers('0, a half or 1', 0.8, () => {
      const draw = random();
      return draw < 0.1 ? 0 : draw < 0.3 ? 0.5 : 1;
    }),
    // 1 less an error that is above x with chance 1 / (1 + 50 x).
    toNumbers('1 less a heavy-tailed error', 1 - 0.02 * Math.log(51), () =>
      Math.max(0, 1 - 0.02 * (1 / (1 - random()) - 1)),
    ),
  ];
}

function rarely(share: number): number {
  return random() < share ? 0 : 0.87 + 0.06 * random();
}

/**
 * True or false. Each run has a rate of its own: at one fixed rate the coverage of any interval of
 * counts leaps with the rate. Difficulties of questions are Beta with that mean.
 */
function toBoolean(low: number, high: number, [difficulty, spread]: Difficulty): Shape {
  const start: Shape['start'] = () => {
    const mean = (low + (high - low) * random()) / 100;
    return {
      mean,
      draw: (trials) => {
        const chance = drawBeta(spread * mean, spread * (1 - mean));
        return Array.from({ length: trials }, () => Number(random() < chance));
      },
    };
  };
  return { name: `true in ${low} to ${high} %, ${difficulty}`, kind: 'rate', start };
}

/** Numbers. Of a question's trials, 7 in 10 have its own value, the others one of their own. */
function toNumbers(name: string, mean: number, drawOne: () => number): Shape {
  const draw = (trials: number) => {
    const own = drawOne();
    return Array.from({ length: trials }, () => (random() < 0.7 ? own : drawOne()));
  };
  return { name, kind: 'mean', start: () => ({ mean, draw }) };
}
