import { computeKappa, QUADRATIC, type Weights } from '../../src/figures/kappa.ts';
import type { Draw } from '../measure/draw.ts';
import type { Cell } from './cell.ts';

const KAPPAS = [0, 0.3, 0.6, 0.8, 0.9, 0.95];

/** The shares of answers that each of two people passes. */
const SHARES = [
  [0.5, 0.5],
  [0.7, 0.7],
  [0.8, 0.7],
  [0.9, 0.9],
  [0.95, 0.95],
] as const;

/** Cohen's kappa of the labels of two people. Plain: without the answers that viva adds to the cells. */
export function listKappas(): readonly Cell[] {
  return SHARES.flatMap(([first, second]) =>
    KAPPAS.flatMap((kappa) => {
      const cells = toCells(first, second, kappa);
      if (cells === null) return [];
      return [20, 50, 100, 300].map((size): Cell => {
        const line = `${first} and ${second} pass, kappa ${kappa}`;
        return { line, size, bar: 0.935, run: (draw) => simulate(draw, cells, kappa, size) };
      });
    }),
  );
}

/** The shares of the grades 1 to 5 that people give. */
const GRADES = {
  even: [0.2, 0.2, 0.2, 0.2, 0.2],
  'mostly high': [0.02, 0.05, 0.13, 0.4, 0.4],
  'high or low': [0.4, 0.05, 0.1, 0.05, 0.4],
  'nearly all 5': [0.01, 0.02, 0.05, 0.12, 0.8],
};

/** How likely a judge is to be so many grades off, up to a factor. */
const ERRORS: Readonly<Record<string, (off: number) => number>> = {
  'often equal': (off) => [0.9, 0.05][off] ?? 0,
  near: (off) => Math.exp(-(off ** 2)),
  wide: (off) => Math.exp(-(off ** 2) / 6),
  none: () => 1,
  'rarely wild': (off) => [0.95, 0.03, 0.005, 0.005, 0.02][off] ?? 0,
};

/** Weighted kappa of the grades of people and a judge; plain as above. */
export function listWeightedKappas(): readonly Cell[] {
  return Object.entries(GRADES).flatMap(([grades, shares]) =>
    Object.entries(ERRORS).flatMap(([errors, chanceOf]) => {
      const table = shares.map((share, i) => {
        const row = shares.map((_, j) => chanceOf(Math.abs(i - j)));
        const sum = row.reduce((all, each) => all + each, 0);
        return row.map((each) => (share * each) / sum);
      });
      const kappa = computeKappa(table, { weights: QUADRATIC }).kappa ?? 0;
      return [20, 50, 100, 300].map((size): Cell => {
        const line = `grades ${grades}, judge ${errors}, kappa ${kappa.toFixed(2)}`;
        // A wild error that a sample does not have is in no interval of it.
        const bar = errors === 'rarely wild' ? 0.87 : 0.925;
        const run = (draw: Draw) => simulate(draw, table.flat(), kappa, size, QUADRATIC);
        return { line, size, bar, run };
      });
    }),
  );
}

/** Both pass, the first alone, the second alone, both fail; null if no labels have that kappa. */
function toCells(first: number, second: number, kappa: number): readonly number[] | null {
  const chance = first * second + (1 - first) * (1 - second);
  const agreement = kappa * (1 - chance) + chance;
  const both = (agreement - 1 + first + second) / 2;
  const cells = [both, first - both, second - both, 1 - first - second + both];
  return cells.every((share) => share >= 0) ? cells : null;
}

function simulate(
  { random }: Draw,
  cells: readonly number[],
  value: number,
  n: number,
  weights?: Weights,
) {
  const k = Math.sqrt(cells.length);
  const drawn = cells.map(() => 0);
  for (let answer = 0; answer < n; answer++) {
    let [at, place] = [random(), 0];
    for (const share of cells.slice(0, -1)) {
      at -= share;
      if (at < 0) break;
      place += 1;
    }
    drawn[place] = (drawn[place] ?? 0) + 1;
  }
  const table = Array.from({ length: k }, (_, row) => drawn.slice(row * k, (row + 1) * k));
  const options = weights === undefined ? {} : { weights };
  const plain = computeKappa(table, { ...options, added: 0 }).ci95;
  return { value, interval: computeKappa(table, options).ci95, plain };
}
