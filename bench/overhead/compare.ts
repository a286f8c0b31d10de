import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cost } from '../measure/process-tree.ts';
import type { Beside } from './beside.ts';
import type { Row, Workload } from './rows.ts';
import { makeVariants, type SideName } from './sides.ts';

/** What the sides of a row cost, round by round; `beside` is viva at another commit. */
export type Comparison = Readonly<{
  row: Row;
  count: number;
  plain: readonly Cost[];
  viva: readonly Cost[];
  beside: readonly Cost[];
}>;

type Round = ReadonlyMap<string, Cost>;

/** Runs the sides of the rows in turn, so that other load on the machine falls on all of them. */
export async function compareCosts(
  { rows, maxRounds = Number.POSITIVE_INFINITY, ...wanted }: Workload,
  most: number,
  modules: string,
  beside: Beside | null,
): Promise<readonly Comparison[]> {
  const folder = mkdtempSync(join(tmpdir(), 'viva-overhead-'));
  try {
    const sides = makeVariants(folder, wanted, modules);
    const others = beside?.makeVariants(join(folder, 'beside'), wanted, beside.modules);
    const runs = new Map<string, () => Promise<Cost>>();
    for (const { plain, viva } of rows) {
      runs.set(plain, sides[plain]).set(viva, sides[viva]);
      if (others !== undefined) runs.set(toBeside(viva), others[viva]);
    }
    const rounds: Round[] = [];
    for (let turn = 0; turn <= Math.min(most, maxRounds); turn++) {
      const costs = new Map<string, Cost>();
      for (const [name, run] of turn % 2 === 0 ? runs : [...runs].toReversed())
        costs.set(name, await run());
      // The first turn warms up and is dropped.
      if (turn > 0) rounds.push(costs);
    }
    const of = (name: string) => rounds.flatMap((round) => round.get(name) ?? []);
    return rows.map((row) => ({
      row,
      count: wanted.count,
      plain: of(row.plain),
      viva: of(row.viva),
      beside: of(toBeside(row.viva)),
    }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const toBeside = (name: SideName) => `beside ${name}`;
