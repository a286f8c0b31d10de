import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type AskOptions, ask } from '../../src/run/ask.ts';
import { Workdir } from '../../src/run/workdir.ts';
import type { Agent } from '../../src/words/answer.ts';
import { toAsked } from '../../src/words/types.fixture.ts';
import { ROOT } from '../e2e/run-vitest.ts';

export const FOLDER = join(ROOT, 'examples/agents/frameworks');

/** What the tests of these agents need. */
export const PACKAGES = 'the packages of examples/agents/frameworks';

/** pnpm writes this file when all of them are installed. */
export const areInstalled = existsSync(join(FOLDER, 'node_modules/.modules.yaml'));

/** Asks an agent as a run does. */
export function askExample(agent: Agent, prompt: string, limits: Partial<AskOptions> = {}) {
  const cancelled = new AbortController().signal;
  const usual = {
    trial: 1,
    deadlineMs: 20_000,
    maxSteps: null,
    workdir: new Workdir([]),
    cancelled,
  };
  return ask(agent, toAsked(prompt), { ...usual, ...limits });
}
