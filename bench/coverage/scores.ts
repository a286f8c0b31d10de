import { quantileOfT } from '../../src/figures/distributions.ts';
import type { Tally } from '../../src/figures/groups.ts';
import { computePairedInterval, type Interval } from '../../src/figures/intervals.ts';
import { averageScore, type ScoreKind } from '../../src/figures/named-scores.ts';
import type { Draw } from '../measure/draw.ts';
import type { Cell, Simulated } from './cell.ts';

/** A population of scores. */
type Shape = Readonly<{
  name: string;
  kind: ScoreKind;
  /** The true mean of a run, and a draw of the scores of a question's trials. */
  start: (draw: Draw) => Readonly<{ mean: number; next: (trials: number) => readonly number[] }>;
}>;

const SIZES = [20, 50, 200, 1000];
const BAR = 0.935;

type Difficulty = readonly [name: string, spread: number];
const ANY: Difficulty = ['of any difficulty', 2];
const SETTLED: Difficulty = ['settled', 0.3];

/** The means of named scores of many shapes. Plain: Student's t without anything added. */
export function listScoreMeans(): readonly Cell[] {
  return toCells(listShapes(), (draw, shape, questions, trials) => {
    const { mean, next } = shape.start(draw);
    const tallies = Array.from({ length: questions }, (): Tally => {
      return { correct: sum(next(trials)), counted: trials };
    });
    const interval = averageScore(tallies, shape.kind).ci95 ?? [0, 1];
    return { value: mean, interval, plain: computePlain(tallies) };
  });
}

/** The difference of two runs in a score, the second of which loses a tenth of its answers. */
export function listScoreDifferences(): readonly Cell[] {
  const shapes = listShapes().filter(({ kind }) => kind === 'mean');
  return toCells(shapes, (draw, { start }, questions, trials) => {
    const { mean, next } = start(draw);
    const differences = Array.from({ length: questions }, () => {
      const values = next(2 * trials);
      const lost = values.map((value, at) => (at % 2 === 0 || draw.random() < 0.1 ? 0 : value));
      const kept = values.map((value, at) => (at % 2 === 0 ? value : 0));
      return { value: (sum(lost) - sum(kept)) / trials };
    });
    return { value: -0.1 * mean, interval: computePairedInterval(differences) };
  });
}

function toCells(
  shapes: readonly Shape[],
  simulate: (draw: Draw, shape: Shape, questions: number, trials: number) => Simulated,
): readonly Cell[] {
  return shapes.flatMap((shape) =>
    [1, 3].flatMap((trials) =>
      SIZES.map((size): Cell => {
        const line = `${shape.name}, ${trials === 1 ? '1 trial' : `${trials} trials`}`;
        return { line, size, bar: BAR, run: (draw) => simulate(draw, shape, size, trials) };
      }),
    ),
  );
}

/** The t interval of question means. */
function computePlain(tallies: readonly Tally[]): Interval {
  const means = tallies.map(({ correct, counted }) => correct / counted);
  const mean = sum(means) / means.length;
  const squares = sum(means.map((each) => (each - mean) ** 2));
  const quantile = quantileOfT(means.length - 1);
  const half = quantile * Math.sqrt(squares / (means.length - 1) / means.length);
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
    toNumbers('evenly from 0 to 1', 1 / 2, ({ random }) => random()),
    toNumbers('bell around 0.5 (Beta 5, 5)', 1 / 2, ({ beta }) => beta(5, 5)),
    toNumbers('at both ends (Beta 0.5, 0.5)', 1 / 2, ({ beta }) => beta(0.5, 0.5)),
    toNumbers('around 0.8 (Beta 8, 2)', 0.8, ({ beta }) => beta(8, 2)),
    toNumbers('skewed to 1 (Beta 5, 0.5)', 5 / 5.5, ({ beta }) => beta(5, 0.5)),
    toNumbers('very skewed to 1 (Beta 2, 0.1)', 2 / 2.1, ({ beta }) => beta(2, 0.1)),
    toNumbers('skewed to 0 (Beta 0.2, 4)', 0.2 / 4.2, ({ beta }) => beta(0.2, 4)),
    toNumbers('close to 1 (Beta 40, 1)', 40 / 41, ({ beta }) => beta(40, 1)),
    toNumbers('close to 0 (Beta 1, 99)', 0.01, ({ beta }) => beta(1, 99)),
    toNumbers('1, but 5 % anything', 0.975, ({ random }) => (random() < 0.95 ? 1 : random())),
    toNumbers('0.87 to 0.93, but 3 % 0', 0.97 * 0.9, (draw) => rarely(draw, 0.03)),
    toNumbers('0.87 to 0.93, but 10 % 0', 0.9 * 0.9, (draw) => rarely(draw, 0.1)),
    toNumbers('0, a half or 1', 0.8, ({ random }) => {
      const at = random();
      return at < 0.1 ? 0 : at < 0.3 ? 0.5 : 1;
    }),
    // 1 less an error that is above x with chance 1 / (1 + 50 x).
    toNumbers('1 less a heavy-tailed error', 1 - 0.02 * Math.log(51), ({ random }) =>
      Math.max(0, 1 - 0.02 * (1 / (1 - random()) - 1)),
    ),
  ];
}

function rarely({ random }: Draw, share: number): number {
  return random() < share ? 0 : 0.87 + 0.06 * random();
}

/**
 * True or false. Each run has a rate of its own: at one fixed rate the coverage of any interval of
 * counts leaps with the rate. Difficulties of questions are Beta with that mean.
 */
function toBoolean(low: number, high: number, [difficulty, spread]: Difficulty): Shape {
  const start: Shape['start'] = ({ random, beta }) => {
    const mean = (low + (high - low) * random()) / 100;
    return {
      mean,
      next: (trials) => {
        const chance = beta(spread * mean, spread * (1 - mean));
        return Array.from({ length: trials }, () => Number(random() < chance));
      },
    };
  };
  return { name: `true in ${low} to ${high} %, ${difficulty}`, kind: 'rate', start };
}

/** Numbers. Of a question's trials, 7 in 10 have its own value, the others one of their own. */
function toNumbers(name: string, mean: number, drawOne: (draw: Draw) => number): Shape {
  const start: Shape['start'] = (draw) => ({
    mean,
    next: (trials) => {
      const own = drawOne(draw);
      return Array.from({ length: trials }, () => (draw.random() < 0.7 ? own : drawOne(draw)));
    },
  });
  return { name, kind: 'mean', start };
}
