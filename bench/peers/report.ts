import { toMarkdownTable } from '../measure/markdown-table.ts';
import { median } from '../measure/median.ts';
import type { Cost } from '../measure/process-tree.ts';

/** What the runs of one tool over so many records cost; null stands for a run that took too long. */
export type Measurement = {
  readonly name: string;
  readonly count: number;
  readonly costs: readonly (Cost | null)[];
};

/** A row for each tool and size: medians of wall time, CPU time and peak memory. */
export function renderCosts(measurements: readonly Measurement[]): string {
  return toMarkdownTable(['tool', 'records', 'wall', 'CPU', 'peak'], measurements.map(toRow));
}

function toRow({ name, count, costs }: Measurement): readonly string[] {
  const done = costs.filter((cost) => cost !== null);
  const head = [name, count.toLocaleString('en')];
  if (done.length < costs.length) return [...head, '> 2 min', '-', '-'];
  const of = (figure: keyof Cost) => median(done.map((cost) => cost[figure]));
  const seconds = [of('wallMs'), of('cpuMs')].map((ms) => `${(ms / 1000).toFixed(2)} s`);
  return [...head, ...seconds, `${(of('peakBytes') / 1e6).toFixed(0)} MB`];
}
