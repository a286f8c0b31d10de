import { statSync } from 'node:fs';
import { quote } from '../records/show-value.ts';
import { GRADER_VERSION, hasManifest, readManifest } from '../runs/manifest.ts';
import { plural } from '../text/plural.ts';
import type { Agent } from '../types.ts';
import type { AgentSpec } from './agent-spec.ts';
import { readAnswerFiles } from './read-answer-files.ts';
import { readPredictions } from './read-predictions.ts';
import { readRecordedRun } from './read-recorded-run.ts';
import { type Recording, replay } from './recording.ts';

/** What a replay must know of the suite that it answers. */
export type ReplayedSuite = {
  readonly suite: string;
  /** Ids of the whole dataset. */
  readonly ids: readonly string[];
  /** The suite's own predictions, for a bare `replay`. */
  readonly predictions: string;
};

/**
 * The agents that `replay`, `replay:predictions.jsonl`, `replay:<run folder>` or `replay:<work folders>` stands for; a
 * run of several agents gives one replay for each. Throws when the file or run belongs to another dataset.
 */
export function createReplays({ target, text }: AgentSpec, suite: ReplayedSuite): readonly Agent[] {
  if (target === '') return [makeReplay(text, readPredictions(suite.predictions), ownPredictions(suite), suite)];
  if (!isFolder(target)) return [makeReplay(text, readPredictions(target), target, suite)];
  if (!hasManifest(target)) return [makeReplay(text, readAnswerFiles(target), target, suite)];
  const recordings = [...readRecordedRun(target, suite.suite)];
  if (recordings.length === 0) throw otherDataset(target, `no results of suite ${suite.suite}`);
  const { grader = 1 } = readManifest(target).suites.find((other) => other.suite === suite.suite) ?? {};
  const older =
    grader < GRADER_VERSION ? ['its run was graded by an older version: its outputs are graded again.'] : [];
  const toName = (agent: string) => (recordings.length === 1 ? text : `${text}#${agent}`);
  return recordings.map(([agent, recording]) => makeReplay(toName(agent), recording, target, suite, older));
}

function ownPredictions({ suite }: ReplayedSuite): string {
  return `EVAL_AGENT names no file of predictions, and the committed one of ${suite}`;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** A file for another dataset would make every sample "missing": a figure of 0 that looks like a measurement. */
function makeReplay(
  name: string,
  recording: Recording,
  source: string,
  { ids }: ReplayedSuite,
  remarks: readonly string[] = [],
): Agent {
  const known = new Set(ids);
  const strangers = [...recording.keys()].filter((id) => !known.has(id));
  const [first = ''] = strangers;
  if (recording.size > 0 && strangers.length === recording.size) {
    throw otherDataset(source, `none of the dataset's ids; its first is ${quote(first)}`);
  }
  const count = plural(strangers.length, 'prediction is', 'predictions are');
  const stray = strangers.length === 0 ? [] : [`${count} for no sample of the dataset, such as ${quote(first)}.`];
  return replay(
    name,
    recording,
    [...remarks, ...stray].map((note) => `${name}: ${note}`),
  );
}

function otherDataset(source: string, found: string): Error {
  return new Error(
    `${source} holds ${found}. Name the predictions of this dataset in EVAL_AGENT=replay:FILE or replay:FOLDER, ` +
      'or run only the suite that they belong to, as in "pnpm vitest run evals/gaia".',
  );
}
