import { statSync } from 'node:fs';
import type { Agent } from '../types.ts';
import type { AgentSpec } from './agent-spec.ts';
import { readPredictions } from './read-predictions.ts';
import { readRecordedRun } from './read-recorded-run.ts';
import { type Recording, replay, toRecordingKey } from './recording.ts';

/** What a replay must know of the suite that it answers. */
export type ReplayedSuite = {
  readonly suite: string;
  /** Ids of the whole dataset. */
  readonly ids: readonly string[];
  /** The suite's own predictions, for a bare `replay`. */
  readonly predictions: string;
};

/**
 * The agents that `replay`, `replay:predictions.jsonl` or `replay:<run folder>` stands for; a run of several agents
 * gives one replay for each. Throws when the file or run belongs to another dataset.
 */
export function createReplays({ target, text }: AgentSpec, suite: ReplayedSuite): readonly Agent[] {
  const path = target === '' ? suite.predictions : target;
  if (!isFolder(path)) {
    const recording = readPredictions(path);
    checkDataset(path, recording, suite);
    return [replay(text, recording)];
  }
  const recordings = [...readRecordedRun(path, suite.suite)];
  if (recordings.length === 0) throw otherDataset(path, `no results of suite ${suite.suite}`);
  for (const [, recording] of recordings) checkDataset(path, recording, suite);
  const toName = (agent: string) => (recordings.length === 1 ? text : `${text}#${agent}`);
  return recordings.map(([agent, recording]) => replay(toName(agent), recording));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** A file for another dataset would make every sample "missing": a figure of 0 that looks like a measurement. */
function checkDataset(path: string, recording: Recording, suite: ReplayedSuite): void {
  const known = suite.ids.some((id) => recording.has(toRecordingKey(id, 1)));
  if (known || recording.size === 0) return;
  const [first] = recording.keys();
  throw otherDataset(path, `none of the dataset's ids; its first is ${first}`);
}

function otherDataset(path: string, found: string): Error {
  return new Error(
    `${path} holds ${found}. Name the predictions of this dataset in EVAL_AGENT=replay:FILE, ` +
      'or run only the suite that they belong to, as in "pnpm vitest run evals/gaia".',
  );
}
