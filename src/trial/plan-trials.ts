import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { EvalConfig } from '../config.ts';
import type { CacheParts } from '../runs/kept-answer.ts';
import type { Sample } from '../types.ts';
import type { Station } from './obtain.ts';
import { hashPrompt, hashQuestion, shortHash } from './question.ts';
import type { Trial } from './run-trial.ts';

/** What the trials of one suite are made from. */
export type TrialPlan = {
  readonly suite: string;
  readonly dataset: string;
  readonly prompt: string;
  readonly samples: readonly Sample[];
  readonly stations: readonly Station[];
  readonly config: EvalConfig;
  /** Absolute path of the run folder. */
  readonly folder: string;
  deadlineMs(sample: Sample): number;
};

/** Samples times trials times agents; agents alternate, so that each has work from the start. */
export function planTrials(plan: TrialPlan): readonly Trial[] {
  const shared = { prompt: hashPrompt(plan.prompt), run: basename(plan.folder) };
  const numbers = Array.from({ length: plan.config.trials }, (_, index) => index + 1);
  return plan.samples.flatMap((sample) => {
    const question = hashQuestion(sample);
    return numbers.flatMap((trial) =>
      plan.stations.map((station) => toTrial(plan, sample, station, trial, { ...shared, question })),
    );
  });
}

type Hashes = { readonly prompt: string; readonly question: string; readonly run: string };

function toTrial(plan: TrialPlan, sample: Sample, station: Station, trial: number, hashes: Hashes): Trial {
  const deadlineMs = plan.deadlineMs(sample);
  const meta = {
    suite: plan.suite,
    dataset: plan.dataset,
    agent: station.agent.name,
    id: sample.id,
    trial,
    group: sample.group,
    prompt_hash: hashes.prompt,
    question_hash: hashes.question,
    run: hashes.run,
  };
  return { sample, station, meta, deadlineMs, parts: toParts(plan, sample, station, meta, deadlineMs) };
}

function toParts(
  { config }: TrialPlan,
  sample: Sample,
  { agent, answers }: Station,
  { trial, prompt_hash, question_hash }: Trial['meta'],
  deadlineMs: number,
): CacheParts | null {
  if (answers === null || agent.fingerprint === undefined) return null;
  const contents = sample.attachments.map(({ path }) => hashFile(path));
  return {
    agent: shortHash(JSON.stringify([agent.fingerprint, config.cacheKey])),
    prompt: prompt_hash,
    question: contents.length === 0 ? question_hash : shortHash(JSON.stringify([question_hash, contents])),
    limits: `${deadlineMs}/${config.maxSteps ?? '-'}`,
    trial,
  };
}

function hashFile(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
