import { relative, sep } from 'node:path';
import { noteHidden } from '../data/describe-dataset.ts';
import { isGaiaItself } from '../data/gaia.ts';
import { isHubSource } from '../data/hub/hub-source.ts';
import { noteOrders } from '../data/shuffle-choices.ts';
import type { EvalConfig } from '../settings.ts';
import {
  type AgentConditions,
  type AgentNote,
  type AgentPlan,
  GRADER_VERSION,
  type KeptPrompt,
  type PlannedQuestion,
  type SuiteManifest,
} from '../store/manifest.ts';
import type { RunWriter } from '../store/run-writer.ts';
import type { Agent, ToolUse } from '../words/answer.ts';
import { nonEmpty, pick } from '../words/fields.ts';
import type { Sample } from '../words/sample.ts';
import { redact } from '../words/secrets.ts';
import { lineIf, toNotes } from '../words/show.ts';
import { type AgentLane, listAgents } from './lanes.ts';
import type { SuitePlan } from './plan.ts';
import { hashQuestion, shortHash } from './prompt.ts';
import type { ReadyRun } from './provided-run.ts';

/** Writes the plan into the manifest, before the first call. */
export function recordPlan(
  plan: SuitePlan,
  plans: readonly AgentPlan[],
  datasetHash: string,
  run: ReadyRun,
  writer: RunWriter,
): void {
  const { dataset, judges = [], prefer } = plan;
  const { name: suite, definition } = plan.suite;
  const { config, shard } = run;
  const selected = new Set(plan.samples);
  const samples = dataset.samples.filter((sample) => selected.has(sample));
  const entry: SuiteManifest = {
    suite,
    ...listFiles(plan),
    public: definition.public === true || undefined,
    exports: definition.exports ?? [],
    dataset: dataset.name,
    dataset_hash: datasetHash,
    source: dataset.source ?? null,
    clustered_by: dataset.clusteredBy,
    placeholders: dataset.placeholders ?? [],
    left_out: dataset.leftOut,
    ...keepPrompts(plan, run, writer),
    grader: GRADER_VERSION,
    matcher: definition.matcher ?? null,
    ...toAgentFacts(plan, samples, config),
    judges: nonEmpty(judges),
    prefer,
    user: findUser(plan),
    trials: plan.trials,
    notes: listNotes(plan),
    questions: listQuestions(samples, new Set(plan.share)),
    group_sizes: countGroups(dataset.samples),
    shard,
    unmatched_ids: plan.unmatchedIds,
    excluded: plan.excluded,
    plans,
  };
  writer.plan(entry, samples);
}

function findUser({ lanes }: SuitePlan): SuiteManifest['user'] {
  const user = lanes[0]?.user;
  return user && pick(user, 'name', 'fingerprint', 'price');
}

function listQuestions(
  samples: readonly Sample[],
  share: ReadonlySet<Sample>,
): readonly PlannedQuestion[] {
  return samples.map((sample) => {
    const { id, group, groups, cluster, target } = sample;
    return {
      id,
      group,
      groups,
      cluster,
      hash: hashQuestion(sample),
      hidden: target === null || undefined,
      elsewhere: !share.has(sample) || undefined,
    };
  });
}

/** The eval file and the other files of a suite, for watch mode. */
function listFiles({ suite: { file, files }, dataset: { source } }: SuitePlan) {
  const here = (path: string) => relative(process.cwd(), path).replaceAll(sep, '/');
  const all = new Set(files.map(here));
  if (source && !isHubSource(source.uri)) all.add(source.uri);
  return { eval_file: here(file), files: [...all] };
}

function keepPrompts({ suite, lanes }: SuitePlan, { secrets }: ReadyRun, writer: RunWriter) {
  const prompts = [...new Map(lanes.map((lane) => [lane.prompt.hash, lane])).values()];
  // A replay has its own.
  const main = prompts.find(({ agent }) => agent.recorded === undefined) ?? prompts[0];
  return {
    prompt_hash: main?.prompt.hash ?? '',
    prompts: prompts.flatMap((lane) => keepPrompt(lane, suite.name, secrets, writer)),
  };
}

function toAgentFacts(plan: SuitePlan, samples: readonly Sample[], config: EvalConfig) {
  const { name, source = null } = plan.dataset;
  const agents = listAgents(plan.lanes);
  const isGaia = isGaiaItself({ dataset: name, source });
  return {
    agents: agents.map((agent) => agent.name),
    conditions: agents.map((agent) => toConditions(agent, samples, plan, config)),
    agent_notes: agents.flatMap((agent) => listAgentNotes(agent, isGaia)),
    tools: agents.flatMap((agent) =>
      agent.tools === undefined ? [] : [{ agent: agent.name, ...agent.tools }],
    ),
  };
}

function listNotes({ dataset, share, trials, suite: { definition } }: SuitePlan) {
  const isOne = trials > 1 && definition.exports?.includes('submission.jsonl') === true;
  const submitted = 'submission.jsonl has trial 1 of each question; answers.csv has all trials.';
  return [
    // The layout of the committed samples is ours.
    ...dataset.notes
      .filter(
        ({ kind }) => kind !== 'hidden target' && (dataset.name !== 'sample' || kind !== 'layout'),
      )
      .map(({ kind, text }) => ({ kind, text })),
    ...noteOrders(dataset.samples, dataset.choicesSeed, trials),
    ...noteHidden(share),
    ...toNotes('submission', lineIf(isOne, submitted)),
  ];
}

function countGroups(samples: readonly Sample[]): [group: string, size: number][] {
  const groups = Map.groupBy(samples, ({ group }) => group);
  return [...groups].map(([group, members]) => [group, members.length]);
}

function keepPrompt(
  { agent, prompt: { text, hash, name } }: AgentLane,
  suite: string,
  secrets: readonly string[],
  writer: RunWriter,
): readonly KeptPrompt[] {
  if (hash === '') return [];
  const file = writer.prompt(suite, redact(text, secrets), hash);
  return [{ hash, file, name, recorded: agent.recorded !== undefined || undefined }];
}

/**
 * What else an agent's answers depend on, besides questions and prompt. Shards that differ in it
 * are not merged.
 */
function toConditions(
  agent: Agent,
  samples: readonly Sample[],
  { deadlineMs }: SuitePlan,
  { cacheKey, maxSteps, timeoutSeconds }: EvalConfig,
): AgentConditions {
  const { recorded, server } = agent;
  if (recorded !== undefined) {
    const { deadlines = [], max_steps = null, timeout_seconds = null, prompt } = recorded ?? {};
    return {
      agent: agent.name,
      fingerprint: null,
      cache_key: null,
      deadlines,
      max_steps,
      timeout_seconds,
      server,
      recorded_prompt: prompt?.hash ?? '',
      recorded_agent: recorded?.agent,
    };
  }
  return {
    agent: agent.name,
    fingerprint: agent.fingerprint === undefined ? null : shortHash(agent.fingerprint),
    cache_key: cacheKey === null ? null : shortHash(cacheKey),
    deadlines: [...new Map(samples.map((sample) => [sample.group, deadlineMs(sample) / 1000]))],
    max_steps: maxSteps,
    timeout_seconds: timeoutSeconds,
    server,
  };
}

function listAgentNotes(agent: Agent, isGaia: boolean): readonly AgentNote[] {
  const { name, notes = [], tools, fingerprint } = agent;
  const guard = tools?.leak_guard ?? 'unknown';
  const kind = guard === 'off' || guard === 'in part' ? 'no leak guard' : 'leak guard';
  // Nobody knows what a replayed agent could reach.
  const isAsked = isGaia && fingerprint !== undefined;
  const all = [...notes, ...toNotes(kind, lineIf(isAsked, `${LEAKS[guard]}.`))];
  return all.map((note) => ({ agent: name, ...note }));
}

const UNGUARDED = 'a search or an MCP server without a block list may show copies of GAIA';

/** Whether an agent can look up GAIA's answers, which are on the web. */
const LEAKS: Readonly<Record<ToolUse['leak_guard'] | 'unknown', string>> = {
  'no web': 'none of its tools reaches the web',
  on: 'leak guard on: copies of GAIA on the web are refused',
  'in part': `leak guard on for fetch_page only: ${UNGUARDED}`,
  off: `no leak guard: ${UNGUARDED}`,
  unknown: "viva cannot see this agent's tools. They may reach the web and find copies of GAIA",
};
