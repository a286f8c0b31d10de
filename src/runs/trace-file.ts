import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { makeFolders } from '../files/make-folders.ts';
import type { SampleResult, TraceStep } from '../types.ts';
import { slug } from './run-folder.ts';
import { writeJson } from './write-whole.ts';

/**
 * Writes how one result came about, beside the log: traces/<suite>/<agent>/<id>-<hash>.<trial>.json, a file for each
 * trial. A repeated sample replaces its file. Returns its path.
 */
export function writeTrace(runFolder: string, result: SampleResult, steps: readonly TraceStep[]): string {
  const { suite, dataset, agent, model, id, trial, group, state, reason, output, answer, usage, cost_usd, error } =
    result;
  const file = join(runFolder, toTracePath(result));
  makeFolders(dirname(file));
  const head = { version: 1, suite, dataset, agent, model, id, trial, group, state, reason };
  writeJson(file, { ...head, output, answer, usage, cost_usd, error, steps });
  return file;
}

/** The file of a result's trace, relative to the run folder. The hash keeps apart what the names alone do not. */
export function toTracePath({
  suite,
  agent,
  id,
  trial,
}: Pick<SampleResult, 'suite' | 'agent' | 'id' | 'trial'>): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([suite, agent, id]))
    .digest('hex')
    .slice(0, 8);
  return join('traces', slug(suite), slug(agent), `${slug(id)}-${hash}.${trial}.json`);
}
