import { toMarkdownTable } from '../measure/markdown-table.ts';
import { median } from '../measure/median.ts';
import type { Cost } from '../measure/process-tree.ts';
import type { Comparison } from './compare.ts';

const HEAD = [
  'records',
  'wrong',
  'plain wall',
  'viva wall',
  'ratio',
  'plain CPU',
  'viva CPU',
  'ratio',
  'plain peak',
  'viva peak',
  'more',
];

/** The medians of each case and their ratios, as a Markdown table. */
export function renderComparisons(comparisons: readonly Comparison[]): string {
  return toMarkdownTable(HEAD, comparisons.map(toRow));
}

function toRow({ count, wrong, ours, plain }: Comparison): readonly string[] {
  const of = (costs: readonly Cost[], figure: keyof Cost) => median(costs.map((cost) => cost[figure]));
  const seconds = (figure: 'wallMs' | 'cpuMs') => {
    const [ourMs, plainMs] = [of(ours, figure), of(plain, figure)];
    return [...[plainMs, ourMs].map((ms) => `${(ms / 1000).toFixed(2)} s`), (ourMs / plainMs).toFixed(2)];
  };
  const [ourPeak, plainPeak] = [of(ours, 'peakBytes'), of(plain, 'peakBytes')];
  const memory = [plainPeak, ourPeak, ourPeak - plainPeak].map((bytes) => `${(bytes / 1e6).toFixed(0)} MB`);
  return [count.toLocaleString('en'), wrong, ...seconds('wallMs'), ...seconds('cpuMs'), ...memory];
}
