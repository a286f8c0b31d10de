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
