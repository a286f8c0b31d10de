import { toMarkdownTable } from '../measure/markdown-table.ts';
import { median } from '../measure/median.ts';
import type { Cost } from '../measure/process-tree.ts';

/** What a run cost, or in a word why there is no figure. */
export type Run = Cost | string;

/** The runs of one tool over so many records. */
export type Measurement = Readonly<{
  name: string;
  count: number;
  runs: readonly Run[];
}>;

/** A row for each tool and size: medians of wall time, CPU time and peak memory. */
export function renderCosts(measurements: readonly Measurement[]): string {
  return toMarkdownTable(['tool', 'records', 'wall', 'CPU', 'peak'], measurements.map(toRow));
}

function toRow({ name, count, runs }: Measurement): readonly string[] {
  const head = [name, count.toLocaleString('en')];
  const problem = runs.find((run) => typeof run === 'string');
  if (problem !== undefined) return [...head, problem, '-', '-'];
  const costs = runs.filter((run) => typeof run !== 'string');
  const of = (figure: keyof Cost) => median(costs.map((cost) => cost[figure]));
  const seconds = [of('wallMs'), of('cpuMs')].map((ms) => `${(ms / 1000).toFixed(2)} s`);
  return [...head, ...seconds, `${(of('peakBytes') / 1e6).toFixed(0)} MB`];
}
