import { computeKappa } from '../../src/figures/kappa.ts';
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

/** Both pass, the first alone, the second alone, both fail; null if no labels have that kappa. */
function toCells(first: number, second: number, kappa: number): readonly number[] | null {
  const chance = first * second + (1 - first) * (1 - second);
  const agreement = kappa * (1 - chance) + chance;
  const both = (agreement - 1 + first + second) / 2;
  const cells = [both, first - both, second - both, 1 - first - second + both];
  return cells.every((share) => share >= 0) ? cells : null;
}

function simulate({ random }: Draw, cells: readonly number[], value: number, n: number) {
  const drawn = [0, 0, 0, 0];
  const [one = 0, two = 0, three = 0] = cells;
  const ends = [one, one + two, one + two + three];
  for (let answer = 0; answer < n; answer++) {
    const at = random();
    const place = ends.filter((end) => end <= at).length;
    drawn[place] = (drawn[place] ?? 0) + 1;
  }
  const table = [drawn.slice(0, 2), drawn.slice(2)];
  const plain = computeKappa(table, { added: 0 }).ci95;
  return { value, interval: computeKappa(table).ci95, plain };
}
