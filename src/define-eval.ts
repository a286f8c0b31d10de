import { basename } from 'node:path';
import pLimit, { type LimitFunction } from 'p-limit';
import { describe, inject, test } from 'vitest';
import type { AgentSpec } from './agents/agent-spec.ts';
import { ConfigError, type EvalConfig } from './config.ts';
import { matchesAny, selectSamples } from './datasets/selection.ts';
import type { ProvidedRun } from './provided-run.ts';
import { RecordError } from './records/record-error.ts';
import { recordSuite } from './runs/manifest.ts';
import { checkPrompt, hashDataset, hashPrompt, hashQuestion } from './trial/question.ts';
import { runTrial, type Trial, type TrialSetting } from './trial/run-trial.ts';

import type { Scoring } from './trial/to-result.ts';
import type { Agent, Dataset, Sample } from './types.ts';
import { toVisible } from './visible-text.ts';

/** What a suite is: where its samples come from, what its agents are asked, and how outputs are judged. */
export type EvalDefinition = Scoring & {
  readonly suite: string;
  /** The prompt template; see `trial/question.ts` for its placeholders. */
  readonly prompt: string;
  /** Whether EVAL_LEVEL picks among the groups of this suite. */
  readonly hasLevels?: boolean;
  /** Deadline of one question in seconds, unless EVAL_TIMEOUT is set. */
  timeoutSeconds(group: string): number;
  load(config: EvalConfig): Dataset | Promise<Dataset>;
  /** The agents that one spec of EVAL_AGENT stands for. */
  agents(spec: AgentSpec, dataset: Dataset): readonly Agent[] | Promise<readonly Agent[]>;
  /** Asserts with a custom matcher; called after the result was written. */
  assert: TrialSetting['assert'];
};

/**
 * Generates one Vitest test for each selected sample, agent and trial: `<suite> > <group> > <id>`. Everything that can
 * be refused (settings, records, predictions) is refused here, before any agent is called.
 */
export async function defineEval(definition: EvalDefinition): Promise<void> {
  const run: ProvidedRun | undefined = inject('viva');
  if (run === undefined) {
    throw new Error(
      'The viva plugin is missing: nothing was provided. Add viva(...) to "plugins" in vitest.config.ts.',
    );
  }
  if (run.status === 'refused') throw new ConfigError(run.problems);
  checkPrompt(definition.prompt, definition.suite);
  const dataset = await load(definition, run.config);
  const { samples, unmatchedIds } = select(definition, dataset, run);
  if (run.status === 'held') return generateHeld(definition.suite, samples, run.reason);
  const agents = await createAgents(definition, dataset, run.config);
  const selected = new Set(samples);
  recordSuite(run.folder, {
    suite: definition.suite,
    dataset: dataset.name,
    dataset_hash: hashDataset(dataset.samples),
    prompt_hash: hashPrompt(definition.prompt),
    agents: agents.map(({ name }) => name),
    trials: run.config.trials,
    notes: dataset.notes,
    ids: dataset.samples.filter((sample) => selected.has(sample)).map(({ id }) => id),
    unmatched_ids: unmatchedIds,
  });
  if (samples.length === 0) return generateEmpty(definition.suite);
  const trials = toTrials(definition, dataset, samples, agents, run);
  generate(definition.suite, trials, toSetting(definition, dataset, run), {
    severalAgents: agents.length > 1,
    severalTrials: run.config.trials > 1,
  });
}

/** In CI a record that cannot be read is named, and its text is not shown (DESIGN 5.10). */
async function load({ load }: EvalDefinition, config: EvalConfig): Promise<Dataset> {
  try {
    return await load(config);
  } catch (error) {
    if (error instanceof RecordError && hidesRecords(config)) throw new Error(error.idsOnly);
    throw error;
  }
}

function hidesRecords({ ci, showGated }: EvalConfig): boolean {
  return ci && showGated !== true;
}

/**
 * The samples to run. Where several suites run, an id of one is no mistake in another: what matches nothing here is
 * recorded, and the report refuses what matches nothing anywhere.
 */
function select(
  { hasLevels = false }: EvalDefinition,
  { samples }: Dataset,
  { config: { levels, ids, seed, limit }, suites }: ProvidedRun & { status: 'ready' | 'held' },
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

/** Without EVAL_AGENT every suite replays its own committed predictions. */
async function createAgents(
  definition: EvalDefinition,
  dataset: Dataset,
  config: EvalConfig,
): Promise<readonly Agent[]> {
  const specs = config.agents ?? [{ kind: 'replay', target: '', text: 'replay' }];
  const agents = (await Promise.all(specs.map((spec) => definition.agents(spec, dataset)))).flat();
  const repeated = agents.find(({ name }, index) => agents.findIndex((agent) => agent.name === name) < index);
  if (repeated === undefined) return agents;
  throw new Error(`EVAL_AGENT names an agent twice, ${JSON.stringify(repeated.name)}. Name it once; see EVAL_TRIALS.`);
}

function toTrials(
  { suite, prompt }: EvalDefinition,
  dataset: Dataset,
  samples: readonly Sample[],
  agents: readonly Agent[],
  run: ProvidedRun & { status: 'ready' },
): readonly Trial[] {
  const promptHash = hashPrompt(prompt);
  const limited = agents.map((agent) => ({ agent, limit: pLimit(run.config.concurrency ?? DEFAULT_CONCURRENCY) }));
  const numbers = Array.from({ length: run.config.trials }, (_, index) => index + 1);
  const toTrial = (sample: Sample, questionHash: string, agent: Agent, limit: LimitFunction, trial: number) => ({
    sample,
    agent,
    limit,
    meta: {
      suite,
      dataset: dataset.name,
      agent: agent.name,
      id: sample.id,
      trial,
      group: sample.group,
      prompt_hash: promptHash,
      question_hash: questionHash,
      run: basename(run.folder),
    },
  });
  return samples.flatMap((sample) => {
    const questionHash = hashQuestion(sample);
    return numbers.flatMap((trial) =>
      limited.map(({ agent, limit }) => toTrial(sample, questionHash, agent, limit, trial)),
    );
  });
}

/** Calls of one agent under way at once, unless EVAL_CONCURRENCY is set. */
const DEFAULT_CONCURRENCY = 20;

function toSetting(
  definition: EvalDefinition,
  dataset: Dataset,
  { config, folder }: ProvidedRun & { status: 'ready' },
): TrialSetting {
  return {
    prompt: definition.prompt,
    folder,
    gated: hidesRecords(config) && dataset.name !== 'sample',
    scoring: definition,
    deadlineMs: ({ group }) => (config.timeoutSeconds ?? definition.timeoutSeconds(group)) * 1000,
    assert: definition.assert,
  };
}

function generate(
  suite: string,
  trials: readonly Trial[],
  setting: TrialSetting,
  shown: { readonly severalAgents: boolean; readonly severalTrials: boolean },
): void {
  describe.concurrent(suite, () => {
    for (const [group, members] of byGroup(trials, ({ sample }) => sample.group)) {
      describe.concurrent(toVisible(group), { tags: tagsOf(group) }, () => {
        for (const trial of members) {
          // Whatever --retry says: a retry that passes would turn exact match into best-of-n.
          const options = { retry: 0, repeats: 0, timeout: 0, meta: { eval: trial.meta } };
          const agent = shown.severalAgents ? [trial.agent.name] : [];
          const number = shown.severalTrials ? [`trial ${trial.meta.trial}`] : [];
          const title = [trial.sample.id, ...agent, ...number].map((part) => toVisible(part)).join(' | ');
          test(title, options, (context) => runTrial(trial, setting, context));
        }
      });
    }
  });
}

/** The tests of a suite that may not run: shown, skipped, with the reason. */
function generateHeld(suite: string, samples: readonly Sample[], reason: string): void {
  describe(suite, () => {
    for (const [group, members] of byGroup(samples, (sample) => sample.group)) {
      describe(toVisible(group), { tags: tagsOf(group) }, () => {
        for (const { id } of members) test(toVisible(id), ({ skip }) => skip(reason));
      });
    }
  });
}

/** Vitest takes a file without any test for a mistake. */
function generateEmpty(suite: string): void {
  describe(suite, () => {
    test('nothing selected', ({ skip }) => skip('EVAL_IDS matches no sample of this suite.'));
  });
}

/** Groups in natural order: "level 2" before "level 10". */
function byGroup<T>(members: readonly T[], groupOf: (member: T) => string): readonly [string, readonly T[]][] {
  return [...Map.groupBy(members, groupOf)].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }));
}

/** GAIA's levels can be picked by tag; Vitest knows only tags that vitest.config.ts declares. */
function tagsOf(group: string): string[] {
  const level = /^level ([123])$/.exec(group);
  return level === null ? [] : [`level${level[1]}`];
}
