import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cost } from '../measure/process-tree.ts';
import type { Row, Workload } from './rows.ts';
import { makeVariants, type SideName } from './sides.ts';

/** What both sides of a row cost, round by round. */
export type Comparison = Readonly<{
  row: Row;
  count: number;
  plain: readonly Cost[];
  viva: readonly Cost[];
}>;

type Round = ReadonlyMap<SideName, Cost>;

/** Runs the sides of the rows in turn, so that other load on the machine falls on all of them. */
export async function compareCosts(
  { rows, maxRounds = Number.POSITIVE_INFINITY, ...wanted }: Workload,
  runs: number,
  modules: string,
): Promise<readonly Comparison[]> {
  const folder = mkdtempSync(join(tmpdir(), 'viva-overhead-'));
  try {
    const sides = makeVariants(folder, wanted, modules);
    const names = [...new Set(rows.flatMap(({ plain, viva }) => [plain, viva]))];
    const rounds: Round[] = [];
    for (let turn = 0; turn <= Math.min(runs, maxRounds); turn++) {
      const costs = new Map<SideName, Cost>();
      for (const name of turn % 2 === 0 ? names : names.toReversed())
        costs.set(name, await sides[name]());
      // The first turn warms up and is dropped.
      if (turn > 0) rounds.push(costs);
    }
    const of = (name: SideName) => rounds.flatMap((round) => round.get(name) ?? []);
    return rows.map((row) => ({
      row,
      count: wanted.count,
      plain: of(row.plain),
      viva: of(row.viva),
    }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
