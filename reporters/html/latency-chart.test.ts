import { expect, test } from 'vitest';
import { findDomain, type Latencies, renderLatencyChart } from './latency-chart.ts';

/** Where the bars begin, in the chart's own units of which the axis has 50 to WIDTH - 20. */
function drawBars(answered: readonly number[]): readonly number[] {
  const times: Latencies = { answered, deadlines: [], median: null, p95: null };
  const drawn = renderLatencyChart('times', times, findDomain([times])).text;
  expect(drawn).not.toContain('NaN');
  return [...drawn.matchAll(/<rect class="bar" x="([\d.]+)"/g)].map(([, x]) => Number(x));
}

test.each([[[4000, 4000]], [[0.3]], [[1e7]]])('%j stands in the middle, not on the edge', (answered) => {
  const [bar = 0, ...others] = drawBars(answered);
  expect(others).toEqual([]);
  const [left = 0, right = 0] = drawBars([0, 1]);
  expect(Math.abs(bar - (left + right) / 2)).toBeLessThan((right - left) / 20);
});

test.each([[[]], [[0, 0]], [[1, 1000]]])('%j is drawn', (answered) => {
  expect(drawBars(answered)).toHaveLength(new Set(answered).size);
});

test.each([
  [
    [300, 2400],
    ['0', '200 ms', '400 ms', '600 ms', '800 ms', '1 s', '1.2 s', '1.4 s', '1.6 s', '1.8 s', '2 s', '2.2 s', '2.4 s'],
  ],
  [
    [300, 5400],
    ['0', '500 ms', '1 s', '1.5 s', '2 s', '2.5 s', '3 s', '3.5 s', '4 s', '4.5 s', '5 s'],
  ],
  [
    [300, 8000],
    ['500 ms', '1 s', '2 s', '5 s'],
  ],
])('an axis to %j has evenly spaced times from 0 on, or 1, 2 and 5 where it is logarithmic', (answered, labels) => {
  const times: Latencies = { answered, deadlines: [], median: null, p95: null };
  const drawn = renderLatencyChart('times', times, findDomain([times])).text;
  expect([...drawn.matchAll(/text-anchor="middle">([^<]+)</g)].map(([, label]) => label)).toEqual(labels);
});
