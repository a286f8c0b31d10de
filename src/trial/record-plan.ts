import { isGaiaItself } from '../metrics/full-split.ts';
import { type AgentPlan, GRADER_VERSION, recordSuite, type SuiteManifest } from '../runs/manifest.ts';
import { writeQuestions } from '../runs/question-log.ts';
import type { ProvidedRun } from '../session/provided-run.ts';
import type { Dataset, Sample, ToolUse } from '../types.ts';
import { describeConditions } from './describe-conditions.ts';
import type { Station } from './obtain.ts';
import { hashPrompt } from './question.ts';

/** Puts into the manifest what is about to happen, before the first call. */
export function recordPlan(
  run: ProvidedRun & { readonly status: 'ready' },
  { suite, prompt }: { readonly suite: string; readonly prompt: string },
  dataset: Dataset,
  plan: {
    readonly identity: Pick<SuiteManifest, 'suite' | 'dataset' | 'dataset_hash'>;
    readonly samples: readonly Sample[];
    /** The samples that this shard takes. */
    readonly share: readonly Sample[];
    readonly unmatchedIds: readonly string[];
    readonly stations: readonly Station[];
    readonly plans: readonly AgentPlan[];
    deadlineMs(sample: Sample): number;
  },
): void {
  const { source = null } = dataset;
  const isGaia = isGaiaItself({ dataset: dataset.name, source });
  const selected = new Set(plan.samples);
  const inOrder = dataset.samples.filter((sample) => selected.has(sample));
  writeQuestions(run.folder, suite, inOrder);
  recordSuite(run.folder, {
    ...plan.identity,
    source,
    placeholders: dataset.placeholders ?? [],
    prompt_hash: hashPrompt(prompt),
    grader: GRADER_VERSION,
    agents: plan.stations.map(({ agent }) => agent.name),
    conditions: describeConditions(plan.stations, inOrder, run, plan.deadlineMs),
    trials: run.config.trials,
    notes: [...dataset.notes, ...plan.stations.flatMap((station) => toNotes(station, isGaia))],
    ids: inOrder.map(({ id }) => id),
    groups: inOrder.map(({ group }) => group),
    hidden_ids: inOrder.filter(({ target }) => target === null).map(({ id }) => id),
    group_sizes: [...Map.groupBy(dataset.samples, ({ group }) => group)].map(([group, own]) => [group, own.length]),
    shard: run.shard,
    ...(run.shard === null ? {} : { share: plan.share.map(({ id }) => id) }),
    unmatched_ids: plan.unmatchedIds,
    plans: plan.plans,
    tools: plan.stations.flatMap(({ agent }) =>
      agent.tools === undefined ? [] : [{ agent: agent.name, ...agent.tools }],
    ),
  });
}

function toNotes({ agent, answers }: Station, isGaia: boolean): readonly string[] {
  const { name, notes = [], tools } = agent;
  // A replay was asked elsewhere.
  return isGaia && answers !== null ? [...notes, `${name}: ${LEAKS[tools?.leak_guard ?? 'unknown']}.`] : notes;
}

/** Whether an agent may look GAIA's answers up, which are on the web. */
const LEAKS: Readonly<Record<ToolUse['leak_guard'] | 'unknown', string>> = {
  'no web': 'none of its tools reaches the web',
  on: 'leak guard on: copies of GAIA on the web are refused',
  'in part': 'leak guard on for fetch_page alone: a search or an MCP server that takes no block list may show leaks',
  off: 'no leak guard: a search or an MCP server that takes no block list may show copies of GAIA',
  unknown: 'its tools are its own: whether they reach the web, and copies of GAIA there, is not known',
};
