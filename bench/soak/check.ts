import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSampleLog } from '../../src/runs/sample-log.ts';
import type { BenchRecord } from '../overhead/records.ts';
import { kindOf } from './kinds.ts';

/** What went wrong with samples, in words; empty when each has one call, one row and the state of its kind. */
export function findFaults(cwd: string, records: readonly BenchRecord[]): readonly string[] {
  const folder = join(cwd, '.evals/latest');
  const { results, unreadable } = readSampleLog(folder);
  const rows = Map.groupBy(results, ({ id }) => id);
  const calls = Map.groupBy(readFileSync(join(cwd, 'calls.txt'), 'utf8').trim().split('\n'), (id) => id);
  const faults = records.flatMap(({ id }, index) => {
    const { name, state } = kindOf(index);
    const [row, ...more] = rows.get(id) ?? [];
    if (row === undefined) return [`${id} (${name}): lost`];
    const asked = calls.get(id)?.length ?? 0;
    return [
      ...(more.length > 0 ? [`${id} (${name}): ${more.length + 1} rows`] : []),
      ...(asked === 1 ? [] : [`${id} (${name}): asked ${asked} times`]),
      ...(row.state === state ? [] : [`${id} (${name}): ${row.state}, expected ${state}`]),
    ];
  });
  return [
    ...(unreadable > 0 ? [`${unreadable} lines cannot be read`] : []),
    ...faults,
    ...findWrongTotals(folder, records),
  ];
}

/** The summary must count what the rows say. */
function findWrongTotals(folder: string, records: readonly BenchRecord[]): readonly string[] {
  const { complete, suites } = JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8'));
  const all = suites[0].groups.at(-1);
  const right = records.filter((_, index) => kindOf(index).state === 'correct').length;
  const found = `complete ${complete}, n ${all.n}, correct ${all.states.correct}`;
  const expected = `complete true, n ${records.length}, correct ${right}`;
  return found === expected ? [] : [`summary.json: ${found}, expected ${expected}`];
}
