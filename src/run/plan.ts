import { basename } from 'node:path';
import type { EvalConfig } from '../config.ts';
import { matchesAny, selectSamples, shuffle } from '../datasets/selection.ts';
import type { CacheParts } from '../store/cache.ts';
import type { Dataset, Sample } from '../types.ts';
import type { Station } from './ask.ts';
import { type Content, readContent } from './attachments.ts';
import { hashPrompt, hashQuestion, shortHash } from './prompt.ts';
import type { Trial } from './trial.ts';

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

/**
 * The samples to run. Where several suites run, an id of one is no mistake in another: what matches nothing here is
 * recorded, and the report refuses what matches nothing anywhere.
 */
export function chooseSamples(
  { hasLevels = false }: { readonly hasLevels?: boolean },
  { samples }: Dataset,
  { config: { levels, ids, seed, limit }, suites }: { readonly config: EvalConfig; readonly suites: number },
): { readonly samples: readonly Sample[]; readonly unmatchedIds: readonly string[] } {
  const unmatchedIds = suites === 1 ? [] : (ids ?? []).filter((pattern) => !matchesAny(pattern, samples));
  const matchedIds = ids?.filter((pattern) => !unmatchedIds.includes(pattern)) ?? null;
  if (matchedIds?.length === 0) return { samples: [], unmatchedIds };
  const selection = {
    ...(levels === null || !hasLevels ? {} : { levels }),
    ...(matchedIds === null ? {} : { ids: matchedIds }),
    ...(seed === null ? {} : { seed }),
    ...(limit === null ? {} : { limit }),
  };
  return { samples: selectSamples(samples, selection), unmatchedIds };
}

/** A budget may end a run anywhere: what it leaves out must not depend on the order of the file. */
export function inStartOrder(samples: readonly Sample[], { maxCost, seed }: EvalConfig): readonly Sample[] {
  return maxCost === null || seed !== null ? samples : shuffle(samples, BUDGET_SEED);
}

const BUDGET_SEED = 1;

/**
 * The trials in the order in which they are best begun: those to ask by how long their questions took in an earlier run,
 * longest first, so that no long answer begins last and leaves the other slots idle; a question without an earlier
 * answer may be a long one. The order is else the given one, and trials that need no call come last.
 */
export function longestFirst(trials: readonly Trial[]): readonly Trial[] {
  const expected = new Map(trials.map((trial) => [trial, expectMs(trial)]));
  return trials.toSorted((a, b) => compareDescending(expected.get(a) ?? 0, expected.get(b) ?? 0));
}

function expectMs({ parts, station: { answers } }: Trial): number {
  if (parts === null || answers === null) return Number.POSITIVE_INFINITY;
  return answers.find(parts) === null ? (answers.lastLatencyMs(parts) ?? Number.POSITIVE_INFINITY) : -1;
}

/** Not by difference, which is NaN for two infinities. */
function compareDescending(a: number, b: number): number {
  return a === b ? 0 : a < b ? 1 : -1;
}
