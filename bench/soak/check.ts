import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSampleLog } from '../../src/store/sample-log.ts';
import type { SampleResult } from '../../src/types.ts';
import { type Expected, type Part, toKey } from './part.ts';

/** What went wrong with samples, in words; empty when each has one row, its state and its number of calls. */
export function findFaults({ project, expected, calls }: Part): readonly string[] {
  const folder = join(project.cwd, '.evals/latest');
  const { results, unreadable } = readSampleLog(folder);
  const rows = Map.groupBy(results, toKey);
  const counts = calls();
  const faults = expected.flatMap((sample) => {
    const key = toKey(sample);
    return findFault(sample, rows.get(key) ?? [], counts.get(key) ?? 0).map(
      (fault) => `${key} (${sample.kind}): ${fault}`,
    );
  });
  const known = new Set(expected.map(toKey));
  const strange = [...rows.keys(), ...counts.keys()].filter((key) => !known.has(key));
  return [
    ...(unreadable > 0 ? [`${unreadable} lines cannot be read`] : []),
    ...strange.map((key) => `${key}: not a sample of this run`),
    ...faults,
    ...findWrongTotals(folder, expected),
  ];
}

function findFault(sample: Expected, [row, ...more]: readonly SampleResult[], asked: number): readonly string[] {
  if (row === undefined) return ['lost'];
  const { state, reason, calls } = sample;
  const [least, most] = typeof calls === 'number' ? [calls, calls] : calls;
  const isRight = row.state === state && (reason === undefined || row.reason === reason);
  return [
    ...(more.length > 0 ? [`${more.length + 1} rows`] : []),
    ...(asked >= least && asked <= most ? [] : [`asked ${asked} times, expected ${calls}`]),
    ...(isRight
      ? []
      : [`${row.state} ${row.reason}, expected ${state} ${reason ?? ''}: ${row.error?.message ?? row.output}`]),
  ];
}

/** The summary must count what the rows say, for each agent. */
function findWrongTotals(folder: string, expected: readonly Expected[]): readonly string[] {
  const { complete, suites } = JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8'));
  return [...Map.groupBy(expected, ({ agent }) => agent)].flatMap(([agent, samples]) => {
    const suite = suites.find((one: { readonly agent: string }) => one.agent === agent);
    const all = suite?.groups.at(-1);
    const right = samples.filter(({ state }) => state === 'correct').length;
    const found = `complete ${complete}, n ${all?.n}, correct ${all?.states.correct}`;
    const due = `complete true, n ${samples.length}, correct ${right}`;
    return found === due ? [] : [`summary.json, ${agent}: ${found}, expected ${due}`];
  });
}
