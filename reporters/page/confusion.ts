import { MOST_LABELS, readLabels } from '../../src/figures/labels.ts';
import type { SampleResult } from '../../src/words/row.ts';
import type { Confusion } from './data.ts';

/** Which label got which answer, of one variant; null where labels do not fit beside each other. */
export function countConfusion(
  results: readonly SampleResult[],
  labels: readonly string[],
): Confusion | null {
  if (labels.length > MOST_LABELS) return null;
  // An answer that is no label, and no answer at all: a label may be "other" too.
  const names = [...labels, '(other)', '(none)'];
  const places = readLabels(results, labels).map(({ expected, predicted, answer }) => ({
    expected,
    column:
      predicted === null ? labels.length + Number(answer === null) : labels.indexOf(predicted),
  }));
  const columns = [...names.keys()].filter(
    (at) => at < labels.length || places.some(({ column }) => column === at),
  );
  const counts = labels.map((label) => {
    const own = places.filter(({ expected }) => expected === label);
    return columns.map((at) => own.filter(({ column }) => column === at).length);
  });
  return { labels, columns: columns.map((at) => names[at] ?? ''), counts };
}
