import { toMarkdownTable } from '../measure/markdown-table.ts';
import { median } from '../measure/median.ts';
import type { Cost } from '../measure/process-tree.ts';
import type { Comparison } from './compare.ts';
import type { Row } from './rows.ts';

const HEAD = ['what', 'rounds', 'plain wall', 'viva wall', 'ratio', 'spread', 'CPU ratio'];
const MEMORY = ['plain memory', 'viva memory', 'bar', 'holds'];

/**
 * A Markdown table: medians over the rounds, ratios of the medians, and the lowest and highest
 * ratio of a round. `beside` names the commit that was measured in the same rounds.
 */
export function renderOverhead(comparisons: readonly Comparison[], beside?: string): string {
  const others = beside === undefined ? [] : [`ratio of ${beside}`, `CPU ratio of ${beside}`];
  return toMarkdownTable([...HEAD, ...others, ...MEMORY], comparisons.map(toRow));
}

function toRow({ row, count, plain, viva, beside }: Comparison): readonly string[] {
  const of = (costs: readonly Cost[], figure: keyof Cost) =>
    median(costs.map((cost) => cost[figure]));
  const ratio = (figure: keyof Cost, costs = viva) => of(costs, figure) / of(plain, figure);
  const ratios = viva.map(({ wallMs }, round) => wallMs / (plain[round]?.wallMs ?? Number.NaN));
  const [plainPeak, vivaPeak] = [of(plain, 'peakBytes'), of(viva, 'peakBytes')];
  return [
    `${count.toLocaleString('en')} ${row.title}`,
    String(viva.length),
    ...[plain, viva].map((costs) => `${(of(costs, 'wallMs') / 1000).toFixed(2)} s`),
    ratio('wallMs').toFixed(2),
    [Math.min(...ratios), Math.max(...ratios)].map((each) => each.toFixed(2)).join(' - '),
    ratio('cpuMs').toFixed(2),
    ...(beside.length === 0 ? [] : [ratio('wallMs', beside), ratio('cpuMs', beside)]).map((each) =>
      each.toFixed(2),
    ),
    ...[plainPeak, vivaPeak].map((bytes) => `${(bytes / 1e6).toFixed(0)} MB`),
    ...judge(row.bar, ratio('wallMs'), vivaPeak - plainPeak),
  ];
}

function judge(bar: Row['bar'], ratio: number, moreBytes: number): readonly string[] {
  if ('ratio' in bar) return [bar.ratio.toFixed(2), toWord(ratio <= bar.ratio)];
  return [`plain + ${(bar.moreBytes / 1e6).toFixed(0)} MB`, toWord(moreBytes <= bar.moreBytes)];
}

function toWord(holds: boolean): string {
  return holds ? 'yes' : 'no';
}
