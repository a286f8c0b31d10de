import { computeKappa } from '../src/figures/kappa.ts';
import { createRandom } from '../src/figures/result.fixture.ts';
import { toMarkdownTable } from './measure/markdown-table.ts';
import { readOptions } from './measure/options.ts';

const USAGE = `node bench/kappa-intervals.ts [--runs 4000] [--seed 1]

How often the 95 % interval of Cohen's kappa contains the true one, on simulated labels of two people, with and without the
answers that viva adds to the cells. Exit code 1 if a share is below 93.5 %. About two seconds.`;

const SIZES = [20, 50, 100, 300];
const KAPPAS = [0, 0.3, 0.6, 0.8, 0.9, 0.95];

/** The shares of answers that each of two people passes. */
const SHARES = [
  [0.5, 0.5],
  [0.7, 0.7],
  [0.8, 0.7],
  [0.9, 0.9],
  [0.95, 0.95],
] as const;

const LEAST = 0.935;

const { runs, seed } = readOptions(USAGE, { runs: '4000', seed: '1' });
const random = createRandom(Number(seed));
measureAll(Number(runs));

function measureAll(runs: number): void {
  const lines = SHARES.flatMap(([first, second]) =>
    KAPPAS.flatMap((kappa) => {
      const cells = toCells(first, second, kappa);
      if (cells === null) return [];
      const found = SIZES.map((n) => measure(cells, kappa, n, runs));
      return [{ names: [`${first}, ${second}`, String(kappa)], found }];
    }),
  );
  const rows = lines.map(({ names, found }) => {
    const shown = found.map(({ added, plain, width }) => {
      return `${percent(added)} (${percent(plain)}), ${width.toFixed(2)}`;
    });
    return [...names, ...shown];
  });
  const heads = SIZES.map((n) => `${n} answers`);
  console.log(toMarkdownTable(['passed by each', 'kappa', ...heads], rows));
  const least = Math.min(...lines.flatMap(({ found }) => found.map(({ added }) => added)));
  console.log(`lowest share: ${percent(least)} %, must be at least ${percent(LEAST)} %`);
  process.exitCode = least < LEAST ? 1 : 0;
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}

/** Both pass, the first alone, the second alone, both fail; null if no labels have that kappa. */
function toCells(first: number, second: number, kappa: number): readonly number[] | null {
  const chance = first * second + (1 - first) * (1 - second);
  const agreement = kappa * (1 - chance) + chance;
  const both = (agreement - 1 + first + second) / 2;
  const cells = [both, first - both, second - both, 1 - first - second + both];
  return cells.every((share) => share >= 0) ? cells : null;
}

function measure(cells: readonly number[], kappa: number, n: number, runs: number) {
  let [added, plain, width] = [0, 0, 0];
  for (let run = 0; run < runs; run++) {
    const [bothPass = 0, firstOnly = 0, secondOnly = 0, bothFail = 0] = draw(cells, n);
    const table = [
      [bothPass, firstOnly],
      [secondOnly, bothFail],
    ];
    const [low, high] = computeKappa(table).ci95;
    const [from, to] = computeKappa(table, { added: 0 }).ci95;
    added += Number(low <= kappa && kappa <= high);
    plain += Number(from <= kappa && kappa <= to);
    width += high - low;
  }
  return { added: added / runs, plain: plain / runs, width: width / runs };
}

/** How many of n answers are in each cell. */
function draw(cells: readonly number[], n: number): readonly number[] {
  const drawn = cells.map(() => 0);
  const [one = 0, two = 0, three = 0] = cells;
  const ends = [one, one + two, one + two + three];
  for (let answer = 0; answer < n; answer++) {
    const at = random();
    const place = ends.filter((end) => end <= at).length;
    drawn[place] = (drawn[place] ?? 0) + 1;
  }
  return drawn;
}
