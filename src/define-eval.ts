import { expect, inject } from 'vitest';
import type { AgentSpec } from './agents/agent-spec.ts';
import { checkBaseline } from './compare/read-run.ts';
import { type EvalConfig, SECONDS } from './config.ts';
import type { GaiaOptions } from './datasets/gaia/load-gaia.ts';
import { showProgress } from './datasets/hub/hub-source.ts';
import { shardSamples } from './datasets/selection.ts';
import { RecordError } from './records/record.ts';
import type { Station } from './run/ask.ts';
import { endWithMain, guardConsole, guardErrors, withoutCommands, withoutKeys, writeOwn } from './run/confine.ts';
import { describePlans, recordPlan } from './run/describe-plan.ts';
import { generate, generateHeld, type Layout } from './run/generate.ts';
import { type AgentServices, checkReady, makeStations } from './run/lane.ts';
import { chooseSamples, inStartOrder, longestFirst, planTrials } from './run/plan.ts';
import { checkPrompt, hashDataset } from './run/prompt.ts';
import { type ProvidedRun, refusal, refusing } from './run/provided-run.ts';
import type { Scoring } from './run/result.ts';
import type { TrialSetting } from './run/trial.ts';
import { hidesRecords } from './text/hide-records.ts';
import type { Agent, Dataset, Sample } from './types.ts';

/** What a suite is: where its samples come from, what its agents are asked, and how outputs are judged. */
export type EvalDefinition = Scoring & {
  readonly suite: string;
  /** The prompt template; see `trial/question.ts` for its placeholders. */
  readonly prompt: string;
  /** Whether EVAL_LEVEL picks among the groups of this suite, of which the last is the hardest. */
  readonly hasLevels?: boolean;
  /** Deadline of one question in seconds, unless EVAL_TIMEOUT is set. */
  timeoutSeconds(group: string): number;
  load(config: EvalConfig, access: LoadAccess): Dataset | Promise<Dataset>;
  /** The agents that one spec of EVAL_AGENT stands for. */
  agents(spec: AgentSpec, dataset: Dataset, services: AgentServices): readonly Agent[] | Promise<readonly Agent[]>;
  /** Asserts with a custom matcher; called after the result was written. */
  assert: TrialSetting['assert'];
};

/** What a loader may need beside the settings: how the Hub is reached, and who hears how far a download is. */
type LoadAccess = Required<Pick<GaiaOptions, 'hub' | 'onProgress'>>;

type ProvidedRunFacts = Exclude<ProvidedRun, { readonly status: 'refused' }>;
type ReadyRun = ProvidedRun & { readonly status: 'ready' };

/**
 * Generates one Vitest test for each selected sample, agent and trial: `<suite> > <group> > <id>`. Everything that can
 * be refused (settings, records, predictions) is refused here, before any agent is called.
 */
export async function defineEval(definition: EvalDefinition): Promise<void> {
  endWithMain();
  const run = readProvided();
  // Vitest prints what stops a suite, and the reports repeat it.
  await withoutCommands(() => withoutKeys(run.secrets, () => refusing(() => planSuite(definition, run))));
}

async function planSuite(definition: EvalDefinition, run: ProvidedRunFacts): Promise<void> {
  const { suite, prompt } = definition;
  checkPrompt(prompt, expect.getState().testPath ?? '');
  const access = { hub: run.hub, onProgress: showProgress(suite, writeOwn) };
  const dataset = await readRecords(run.config, () => definition.load(run.config, access));
  const { samples, unmatchedIds } = chooseSamples(definition, dataset, run);
  // The report says the whole reason once.
  if (run.status === 'held' || isUnnamed(run)) return generateHeld(suite, samples, 'not asked: it may cost money');
  const { config, folder, shard } = run;
  const share = inStartOrder(shard === null ? samples : shardSamples(samples, shard), config);
  // For a dry run too: whether an answer is kept depends on what the attachments hold.
  await readRecords(config, () => dataset.fetch?.(share));
  // A replay reads predictions.
  const create = (spec: AgentSpec, services: AgentServices) =>
    readRecords(config, () => definition.agents(spec, dataset, services));
  const { turn, secrets, mcp } = run;
  const gated = hidesRecords(config) && dataset.name !== 'sample';
  guardConsole(gated, secrets);
  guardErrors(gated, secrets);
  const stations = await makeStations({ suite, config, folder, turn, secrets, gated, mcp, create });
  const deadlineMs = ({ group }: Sample) => (config.timeoutSeconds ?? readDeadline(definition, group)) * 1000;
  const facts = { suite, dataset: dataset.name, datasetSamples: dataset.samples, prompt, config, folder, deadlineMs };
  const trials = planTrials({ ...facts, samples: share, stations });
  const identity = { suite, dataset: dataset.name, dataset_hash: hashDataset(dataset.samples) };
  checkBaseline(
    run.baseline,
    stations.map(({ agent }) => ({ ...identity, agent: agent.name })),
    run,
  );
  const { plans, kept } = describePlans(stations, trials);
  checkReady(stations, plans, config);
  recordPlan(run, definition, dataset, {
    identity,
    samples,
    share,
    unmatchedIds,
    stations,
    plans,
    deadlineMs,
  });
  if (samples.length === 0) return generateHeld(suite, samples, 'EVAL_IDS matches no sample of this suite.');
  if (share.length === 0) return generateHeld(suite, share, 'There are more shards than samples.');
  if (config.dryRun === true) return generateHeld(suite, samples, 'EVAL_DRY_RUN is set: nothing is asked.');
  const inOrder = config.maxCost === null ? longestFirst(trials) : trials;
  const layout = toLayout(definition, stations, config);
  generate(suite, inOrder, toSetting(definition, gated, run), { ...layout, kept });
}

function readProvided(): ProvidedRunFacts {
  const run: ProvidedRun | undefined = inject('viva');
  if (run?.status === 'refused') throw refusal(run.problems.join('\n'));
  if (run !== undefined) return run;
  throw new Error('The viva plugin is missing: nothing was provided. Add viva(...) to "plugins" in vitest.config.ts.');
}

function isUnnamed({ unnamed }: ReadyRun): boolean {
  return unnamed.includes(expect.getState().testPath ?? '');
}

/** In CI a record that cannot be read is named, and its text is not shown (DESIGN 5.10). */
async function readRecords<T>(config: EvalConfig, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof RecordError && hidesRecords(config)) throw new Error(error.idsOnly);
    throw error;
  }
}

function readDeadline({ suite, timeoutSeconds }: EvalDefinition, group: string): number {
  const seconds = timeoutSeconds(group);
  if (SECONDS.parse(String(seconds)) !== undefined) return seconds;
  throw new Error(`timeoutSeconds of suite ${suite} must be ${SECONDS.allowed}, got ${seconds} for group "${group}".`);
}

function toSetting(definition: EvalDefinition, gated: boolean, { config, folder, ui }: ReadyRun): TrialSetting {
  return {
    prompt: definition.prompt,
    folder,
    gated,
    scoring: definition,
    maxSteps: config.maxSteps,
    keepWorkdir: config.keepWorkdir ?? 'none',
    streams: config.stream === true,
    // Nobody opens the Vitest UI on a CI machine, and its reporter would print each file's name.
    attaches: !config.ci,
    showsWholeQuestions: ui,
    assert: definition.assert,
  };
}

function toLayout(
  { hasLevels = false }: EvalDefinition,
  stations: readonly Station[],
  config: EvalConfig,
): Omit<Layout, 'kept'> {
  const live = stations.some(({ answers }) => answers !== null);
  return {
    severalAgents: stations.length > 1,
    severalTrials: config.trials > 1,
    order: config.maxCost !== null ? 'as selected' : live && hasLevels ? 'last group first' : 'grouped',
  };
}
