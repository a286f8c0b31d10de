import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../make-folder.ts';
import { runVitest, type VitestRun } from './run-vitest.ts';

/** What the scripted agent does with each sample; the truth is always "17". See test/fixtures/scripted. */
export type Script = readonly { id: string; group?: string; say: string; afterMs?: number }[];

const PROJECT = join(import.meta.dirname, '../fixtures/scripted');

/** Runs the scripted project with a gates file (none unless given). */
export async function runScript(
  script: Script,
  {
    args = ['run', 'evals'],
    env = {},
    gates = null,
  }: { args?: readonly string[]; env?: Readonly<Record<string, string>>; gates?: unknown } = {},
): Promise<VitestRun> {
  return runVitest(args, { ...scriptSettings(script, gates), ...env }, { cwd: PROJECT });
}

/** The settings by which the scripted project finds its script and its gates. */
export function scriptSettings(script: Script, gates: unknown = null): Record<string, string> {
  const folder = makeFolder();
  const file = join(folder, 'script.json');
  writeFileSync(file, JSON.stringify(script));
  if (gates === null) return { FIXTURE_SCRIPT: file };
  const gatesFile = join(folder, 'gates.json');
  writeFileSync(gatesFile, JSON.stringify({ version: 1, gates }));
  return { FIXTURE_SCRIPT: file, FIXTURE_GATES: gatesFile };
}
