import { expect, test } from 'vitest';
import { findDomain, renderLatencyChart } from './latency-chart.ts';

function drawTimes(answered: readonly number[]): string {
  const times = { answered, deadlines: [], median: null, p95: null };
  const drawn = renderLatencyChart('times', times, findDomain([times])).text;
  expect(drawn).not.toContain('NaN');
  return drawn;
}

/** Where the bars begin, in the chart's own units. */
function findBars(answered: readonly number[]): readonly number[] {
  return [...drawTimes(answered).matchAll(/<rect [^>]* x="([\d.]+)%"/g)].map(([, x]) => Number(x));
}

test.each([[[4000, 4000]], [[0.3]], [[1e7]]])('%j stands in the middle, not on the edge', (answered) => {
  const [bar = 0, ...others] = findBars(answered);
  const [left = 0, right = 0] = findBars([0, 1]);
  expect(others).toEqual([]);
  expect(Math.abs(bar - (left + right) / 2)).toBeLessThan((right - left) / 20);
});

test.each([[[]], [[0, 0]], [[1, 1000]]])('%j is drawn', (answered) => {
  expect(findBars(answered)).toHaveLength(new Set(answered).size);
});

test.each([
  [2000, '0, 500 ms, 1 s, 1.5 s, 2 s'],
  [5400, '0, 1 s, 2 s, 3 s, 4 s, 5 s'],
  [8000, '500 ms, 1 s, 2 s, 5 s'],
])('an axis to %j ms has evenly spaced times from 0 on, or 1, 2 and 5 where it is logarithmic', (most, labels) => {
  const texts = [...drawTimes([300, most]).matchAll(/text-anchor="middle">([^<]+)</g)];
  expect(texts.map(([, label]) => label).join(', ')).toBe(labels);
});
