import { computeWilson } from '../../../src/metrics/wilson.ts';
import type { ConfidenceBucket } from '../../../src/types.ts';
import type { Markup } from '../markup.ts';
import { renderIntervals } from './interval-chart.ts';

/** The ranges that numbers of confidence are sorted into; words promise no rate. */
const BANDS: ReadonlyMap<string, readonly [number, number]> = new Map([
  ['under 50 %', [0, 0.5]],
  ['50 to 70 %', [0.5, 0.7]],
  ['70 to 90 %', [0.7, 0.9]],
  ['from 90 %', [0.9, 1]],
]);

/** How often answers were right, by the confidence that they stated. */
export function renderConfidenceChart(title: string, buckets: readonly ConfidenceBucket[]): Markup {
  const hasBands = buckets.some(({ bucket }) => BANDS.has(bucket));
  const rows = buckets.map(({ bucket, n, correct, accuracy }) => {
    const band = BANDS.get(bucket);
    return {
      label: bucket,
      series: 0,
      value: accuracy,
      interval: computeWilson(accuracy, n),
      note: `${correct} of ${n}`,
      ...(band === undefined ? {} : { band }),
    };
  });
  const shaded = hasBands ? '; shaded: where the rate would lie if that held' : '';
  const description = rows.map(({ label, note }) => `${label}: ${note}`).join('; ');
  return renderIntervals(
    { title: `Accuracy by stated confidence, ${title}${shaded}`, description: `${description}.` },
    rows,
  );
}
