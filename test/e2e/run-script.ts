import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TraceStep } from '../../src/words/answer.ts';
import { makeFolder } from '../make-folder.ts';
import { type Interrupt, runVitest, type VitestRun } from './run-vitest.ts';

/**
 * What the scripted agent does with each sample; the truth is always "17". See
 * test/fixtures/scripted.
 */
export type Script = readonly {
  id: string;
  group?: string;
  input?: string;
  say: string;
  afterMs?: number;
  costUsd?: number;
  files?: readonly string[];
  trace?: readonly TraceStep[];
}[];

type ScriptOptions = {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly gates?: unknown;
  readonly interrupt?: Interrupt;
};

/** The project around the scripted agent. */
export const PROJECT = join(import.meta.dirname, '../fixtures/scripted');

/** Runs the scripted project with a gates file (none unless given). */
export async function runScript(script: Script, options: ScriptOptions = {}): Promise<VitestRun> {
  const { args = ['run', 'evals'], env = {}, gates = null, interrupt } = options;
  const settings = { ...scriptSettings(script, gates), ...env };
  return runVitest(args, settings, { cwd: PROJECT, ...(interrupt && { interrupt }) });
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
