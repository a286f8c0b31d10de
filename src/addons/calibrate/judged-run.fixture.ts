import { join } from 'node:path';
import { makeFolder } from '../../../test/make-folder.ts';
import { makeRun } from '../../../test/make-run.ts';
import { RunWriter } from '../../store/run-writer.ts';
import type { SampleResult } from '../../words/row.ts';
import { toSample } from '../../words/types.fixture.ts';

export const SUITE = { suite: 'own', dataset: 'sample' };

/** An EVAL_DIR with one run, "run-1", whose question q1 is known. */
export function makeDir(rows: readonly SampleResult[]): string {
  const dir = makeFolder();
  const folder = makeRun(rows, { dir: join(dir, 'runs'), name: 'run-1' });
  const choices = { A: 'one', B: 'two' };
  new RunWriter(folder).questions('own', [toSample({ id: 'q1', input: '=1+1 who?', choices })]);
  return dir;
}
