import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { computeKappa, QUADRATIC } from './kappa.ts';

test.each([
  // By hand: (0.7 - 0.5) / (1 - 0.5); (0.6 - 0.54) / (1 - 0.54).
  [
    'of raters that often agree',
    [
      [20, 5],
      [10, 15],
    ],
    0.4,
  ],
  [
    'is less where chance agrees more',
    [
      [45, 15],
      [25, 15],
    ],
    0.06 / 0.46,
  ],
  [
    'of full agreement',
    [
      [5, 0],
      [0, 5],
    ],
    1,
  ],
  [
    'of raters that never agree',
    [
      [0, 5],
      [5, 0],
    ],
    -1,
  ],
  [
    'is none where all labels are the same',
    [
      [7, 0],
      [0, 0],
    ],
    null,
  ],
  [
    'is none without a label',
    [
      [0, 0],
      [0, 0],
    ],
    null,
  ],
  // By hand: (28 / 35 - 415 / 1225) / (1 - 415 / 1225) = 565 / 810.
  [
    'of three labels',
    [
      [12, 2, 1],
      [0, 9, 3],
      [1, 0, 7],
    ],
    0.697530864,
  ],
])("Cohen's kappa %s", (_, table, kappa) => {
  const found = computeKappa(table).kappa;
  if (kappa === null) expect(found).toBeNull();
  else expect(found).toBeCloseTo(kappa, 8);
});

// By other code: the delta method with numerical slopes, which Fleiss, Cohen and Everitt solved.
test.each([
  [
    [
      [20, 5],
      [10, 15],
    ],
    0.126906,
    0.613835,
  ],
  [
    [
      [12, 2, 1],
      [0, 9, 3],
      [1, 0, 7],
    ],
    0.454531,
    0.84858,
  ],
  [
    [
      [6, 0, 0, 1],
      [1, 5, 0, 0],
      [0, 2, 4, 0],
      [0, 0, 0, 3],
    ],
    0.471153,
    0.906093,
  ],
])('the interval of kappa of %j is %d to %d', (table, low, high) => {
  const { ci95 } = computeKappa(table);
  expect(ci95[0]).toBeCloseTo(low, 5);
  expect(ci95[1]).toBeCloseTo(high, 5);
});

// By the definition, 1 - sum(d² seen) / sum(d² by chance), in exact fractions.
test.each([
  [
    [
      [5, 1, 0],
      [1, 6, 2],
      [0, 1, 4],
    ],
    1 - 5 / (460 / 20),
  ],
  // Labels that nobody gives change nothing.
  [
    [
      [5, 1, 0, 0],
      [1, 6, 2, 0],
      [0, 1, 4, 0],
      [0, 0, 0, 0],
    ],
    1 - 5 / (460 / 20),
  ],
  [
    [
      [0, 3],
      [3, 0],
    ],
    -1,
  ],
])('the quadratically weighted kappa of %j is %d', (table, kappa) => {
  expect(computeKappa(table, { weights: QUADRATIC }).kappa).toBeCloseTo(kappa, 8);
});

it('the interval of weighted kappa is that of the delta method', () => {
  const table = [
    [5, 1, 0],
    [1, 6, 2],
    [0, 1, 4],
  ];
  const { kappa = 0, ci95 } = computeKappa(table, { weights: QUADRATIC, added: 0 });
  const n = table.flat().reduce((sum, count) => sum + count, 0);
  const kappaOf = (cells: readonly (readonly number[])[]) =>
    computeKappa(cells, { weights: QUADRATIC, added: 0 }).kappa ?? 0;
  const slopes = table.map((row, i) =>
    row.map((_, j) => {
      const moved = (by: number) =>
        table.map((own, k) => own.map((count, m) => count + (k === i && m === j ? by : 0)));
      return ((kappaOf(moved(1e-4)) - kappaOf(moved(-1e-4))) / 2e-4) * n;
    }),
  );
  const meanOf = (power: number) =>
    slopes
      .flatMap((row, i) => row.map((slope, j) => ((table[i]?.[j] ?? 0) / n) * slope ** power))
      .reduce((sum, each) => sum + each, 0);
  const half = 1.959964 * Math.sqrt((meanOf(2) - meanOf(1) ** 2) / n);
  expect(ci95[0]).toBeCloseTo((kappa ?? 0) - half, 4);
  expect(ci95[1]).toBeCloseTo(Math.min(1, (kappa ?? 0) + half), 4);
});

it('an interval of kappa contains it, stays within -1 and 1, and is wider for answers worth less', () => {
  const row = fc.array(fc.nat(30), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(row, { minLength: 3, maxLength: 3 }), (table) => {
      const { kappa, ci95 } = computeKappa(table);
      const [low, high] = ci95;
      expect(-1 <= low && high <= 1 && low <= (kappa ?? low) && (kappa ?? high) <= high).toBe(true);
    }),
  );
  const width = (share: number) => {
    const [low, high] = computeKappa(
      [
        [20, 5],
        [10, 15],
      ],
      { share },
    ).ci95;
    return high - low;
  };
  expect(width(0.5)).toBeGreaterThan(width(1));
});
