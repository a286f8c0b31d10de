import { basename } from 'node:path';
import type { EvalConfig } from '../config.ts';
import type { CacheParts } from '../runs/kept-answer.ts';
import type { Sample } from '../types.ts';
import { type Content, readContent } from './attachment-content.ts';
import type { Station } from './obtain.ts';
import { hashPrompt, hashQuestion, shortHash } from './question.ts';
import type { Trial } from './run-trial.ts';

/** What the trials of one suite are made from. */
export type TrialPlan = {
  readonly suite: string;
  readonly dataset: string;
  readonly prompt: string;
  readonly samples: readonly Sample[];
  /** All samples of the dataset, of which `samples` are a part. */
  readonly datasetSamples: readonly Sample[];
  readonly stations: readonly Station[];
  readonly config: EvalConfig;
  /** Absolute path of the run folder. */
  readonly folder: string;
  deadlineMs(sample: Sample): number;
};

/** Samples times trials times agents; agents alternate, so that each has work from the start. */
export function planTrials(plan: TrialPlan): readonly Trial[] {
  const shared = { prompt: hashPrompt(plan.prompt), run: basename(plan.folder) };
  const repeats = countRepeats(plan.datasetSamples);
  const numbers = Array.from({ length: plan.config.trials }, (_, index) => index + 1);
  return plan.samples.flatMap((sample) => {
    const question = hashQuestion(sample);
    let contents: readonly Content[] | null = null;
    // Read once, and only for an agent whose answers are kept.
    const readContents = () => (contents ??= sample.attachments.map(({ path }) => readContent(path)));
    return numbers.flatMap((trial) =>
      plan.stations.map((station) =>
        toTrial(plan, sample, station, trial, {
          ...shared,
          question,
          repeat: repeats.get(sample.id) ?? 0,
          readContents,
        }),
      ),
    );
  });
}

type Hashes = {
  readonly prompt: string;
  readonly question: string;
  /** How many records before this one ask the same. */
  readonly repeat: number;
  readonly run: string;
  readContents(): readonly Content[];
};

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
  const isKept = station.answers !== null && station.agent.fingerprint !== undefined;
  const contents = isKept ? hashes.readContents() : null;
  const parts = contents === null ? null : toParts(plan.config, contents, station, meta, deadlineMs, hashes.repeat);
  return { sample, station, meta, deadlineMs, contents, parts };
}

/** Records that ask the same are asked each on its own: each keeps an answer of its own. By id, first ones left out. */
function countRepeats(samples: readonly Sample[]): ReadonlyMap<string, number> {
  const seen = new Map<string, number>();
  const repeats = new Map<string, number>();
  for (const sample of samples) {
    const question = hashQuestion(sample);
    const before = seen.get(question) ?? 0;
    seen.set(question, before + 1);
    if (before > 0) repeats.set(sample.id, before);
  }
  return repeats;
}

function toParts(
  config: EvalConfig,
  contents: readonly Content[],
  { agent }: Station,
  { trial, prompt_hash, question_hash }: Trial['meta'],
  deadlineMs: number,
  repeat: number,
): CacheParts {
  const hashes = contents.map(({ hash }) => hash);
  const question = hashes.length === 0 ? question_hash : shortHash(JSON.stringify([question_hash, hashes]));
  return {
    agent: shortHash(JSON.stringify([agent.fingerprint, config.cacheKey])),
    prompt: prompt_hash,
    question: repeat === 0 ? question : `${question} ${repeat}`,
    limits: `${deadlineMs}/${config.maxSteps ?? '-'}`,
    trial,
  };
}
