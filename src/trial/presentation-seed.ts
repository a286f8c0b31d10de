import { statSync } from 'node:fs';
import type { AgentSpec } from '../agents/agent-spec.ts';
import type { EvalConfig } from '../config.ts';
import { readSampleLog } from '../runs/sample-log.ts';

/**
 * The seed for the order of options; null for the order of the file. A live agent is shown the order that
 * EVAL_SHUFFLE_CHOICES asks for. A replayed answer names options by the order in which they were shown when it was
 * given: that of its run, or of the file for a file of predictions.
 */
export function findPresentationSeed({ agents, shuffleChoices }: EvalConfig, suite: string): number | null {
  const specs: readonly AgentSpec[] = agents ?? [{ kind: 'replay', target: '', text: 'replay' }];
  const orders = specs.map((spec) => ({
    name: spec.text,
    seed: spec.kind === 'replay' ? readRecordedSeed(spec.target, suite) : shuffleChoices,
  }));
  const [first, ...others] = orders;
  const other = others.find(({ seed }) => seed !== first?.seed);
  if (first === undefined || other === undefined) return first?.seed ?? null;
  throw new Error(
    `EVAL_AGENT names agents that see options in different orders: ${describe(first)} and ${describe(other)}. ` +
      'Run them one by one.',
  );
}

function readRecordedSeed(target: string, suite: string): number | null {
  if (target === '' || statSync(target, { throwIfNoEntry: false })?.isDirectory() !== true) return null;
  const { results } = readSampleLog(target);
  return results.find((row) => row.suite === suite && row.presented !== undefined)?.presented?.seed ?? null;
}

function describe({ name, seed }: { readonly name: string; readonly seed: number | null }): string {
  return `${name} (${seed === null ? 'as in the file' : `shuffled with ${seed}`})`;
}
