import { resolve } from 'node:path';
import { afterAll, expect, inject } from 'vitest';
import type { AgentSpec } from './agents/kinds.ts';
import type { AgentServices } from './agents/model-agent.ts';
import { checkBaseline } from './compare/read-run.ts';
import { type EvalConfig, SECONDS } from './config.ts';
import type { GaiaOptions } from './datasets/gaia/load-gaia.ts';
import { showProgress } from './datasets/hub/hub-source.ts';
import { shardSamples } from './datasets/selection.ts';
import { RecordError } from './records/record.ts';
import { refusal, refusing } from './run/failure.ts';
import { checkReady, makeLanes } from './run/lanes.ts';
import { chooseSamples, inStartOrder, planAgents, planTrials, recordPlan } from './run/plan.ts';
import { guardOutput, writeOwn } from './run/printing.ts';
import { checkPrompt, hashDataset } from './run/prompt.ts';
import type { ProvidedRun, ReadyRun, SkippedRun } from './run/provided-run.ts';
import { generateSkipped, generateTests, type TrialSetting } from './run/trial.ts';
import { useCache } from './store/cache-users.ts';
import type { AgentPlan } from './store/manifest.ts';
import { hidesRecords } from './text/hide-records.ts';
import type { Agent, Dataset, Sample } from './types.ts';

/** What a suite is: where its samples come from, what its agents are asked, and how outputs are judged. */
export type EvalDefinition = TrialSetting['definition'] & {
  readonly suite: string;
  /** The prompt template; `run/prompt.ts` has its placeholders. */
  readonly prompt: string;
  /** Whether EVAL_LEVEL picks among the groups of this suite, of which the last is the hardest. */
  readonly hasLevels?: boolean;
  /** Deadline of one question in seconds, unless EVAL_TIMEOUT is set. */
  timeoutSeconds(group: string): number;
  load(config: EvalConfig, access: LoadAccess): Dataset | Promise<Dataset>;
  /** The agents that one spec of EVAL_AGENT stands for. */
  agents(spec: AgentSpec, dataset: Dataset, services: AgentServices): readonly Agent[] | Promise<readonly Agent[]>;
};

/** What a loader may need beside the settings: how the Hub is reached, and who hears how far a download is. */
type LoadAccess = Required<Pick<GaiaOptions, 'hub' | 'onProgress'>>;

/**
 * Generates one Vitest test for each selected sample, agent and trial: `<suite> > <group> > <id>`. Everything that can
 * be refused (settings, records, predictions) is refused here, before any agent is called.
 */
export async function defineEval(definition: EvalDefinition): Promise<void> {
  endWithMain();
  const run = readProvided();
  await refusing(run.secrets, () => planSuite(definition, run));
}

async function planSuite(definition: EvalDefinition, run: ReadyRun | SkippedRun): Promise<void> {
  const { suite, prompt } = definition;
  const { config } = run;
  const file = expect.getState().testPath ?? '';
  checkPrompt(prompt, file);
  const access = { hub: run.hub, onProgress: showProgress(suite, writeOwn) };
  const dataset = await readRecords(config, () => definition.load(config, access));
  const { samples, unmatchedIds } = chooseSamples(definition, dataset, run);
  // The report says the whole reason once.
  const isSkipped = run.status === 'skipped' || run.unnamed.includes(file);
  if (isSkipped) return generateSkipped(suite, samples, 'not asked: it may cost money');
  const share = inStartOrder(run.shard === null ? samples : shardSamples(samples, run.shard), config);
  // A dry run needs the attachments too: what they hold decides whether an answer is cached.
  await readRecords(config, () => dataset.fetch?.(share));
  const gated = hidesRecords(config) && dataset.name !== 'sample';
  guardOutput(gated, run.secrets);
  // A replay reads predictions, which are records too.
  const create = (spec: AgentSpec, services: AgentServices) =>
    readRecords(config, () => definition.agents(spec, dataset, services));
  const lanes = await makeLanes({ suite, run, gated, create });
  const deadlineMs = ({ group }: Sample) => (config.timeoutSeconds ?? readDeadline(definition, group)) * 1000;
  const plan = { suite, prompt, dataset, samples, share, unmatchedIds, lanes, deadlineMs };
  const trials = planTrials(plan, run);
  const identity = { suite, dataset: dataset.name, dataset_hash: hashDataset(dataset.samples) };
  const sides = lanes.map(({ agent }) => ({ ...identity, agent: agent.name }));
  checkBaseline(run.baseline, sides, run);
  const alone = planAgents(lanes, trials);
  checkReady(lanes, alone, config);
  const plans = await markShared(alone, config, suite);
  recordPlan(plan, plans, identity.dataset_hash, run);
  if (samples.length === 0) return generateSkipped(suite, samples, 'EVAL_IDS matches no sample of this suite.');
  if (share.length === 0) return generateSkipped(suite, share, 'There are more shards than samples.');
  if (config.dryRun === true) return generateSkipped(suite, samples, 'EVAL_DRY_RUN is set: nothing is asked.');
  const setting = { definition, run, gated, notKept: [] };
  const isLive = lanes.some(({ cache }) => cache !== null);
  const order = isLive && definition.hasLevels === true ? 'last group first' : 'grouped';
  generateTests(suite, trials, config.maxCost === null ? order : 'as selected', setting);
}

/** Runs beside each other pay for the same question twice: the plans of a suite that is to ask say so. */
async function markShared(plans: readonly AgentPlan[], { dir, cache, dryRun }: EvalConfig, suite: string) {
  const isToAsk = ({ kept, to_ask }: AgentPlan) => kept && to_ask > 0;
  if (dryRun === true || cache === 'only' || cache === 'off' || !plans.some(isToAsk)) return plans;
  const { isShared, end } = await useCache(resolve(dir, 'cache', suite));
  afterAll(end);
  return isShared ? plans.map((plan) => (isToAsk(plan) ? { ...plan, shared: true as const } : plan)) : plans;
}

function readProvided(): ReadyRun | SkippedRun {
  const run: ProvidedRun | undefined = inject('viva');
  if (run?.status === 'refused') throw refusal(run.problems.join('\n'));
  if (run !== undefined) return run;
  throw new Error('The viva plugin is missing: nothing was provided. Add viva(...) to "plugins" in vitest.config.ts.');
}

/** In CI a record that cannot be read is named, and its text is not shown. */
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

let endsWithMain = false;

/**
 * Ends this worker at once when Vitest's main process is gone: calls would go on costing money, and nobody could be told
 * a result. All that was answered is on disk.
 */
function endWithMain(): void {
  if (endsWithMain) return;
  endsWithMain = true;
  // In a worker Vitest turns process.exit() into an error.
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}
