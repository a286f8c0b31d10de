import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { AgentSpec } from '../agents/agent-spec.ts';
import { createAgents } from '../agents/index.ts';
import { kindOf } from '../agents/kinds.ts';
import { readBaseline } from '../compare/read-run.ts';
import { ConfigError, type EvalConfig, readConfig } from '../config.ts';
import { loadGaia } from '../datasets/gaia/load-gaia.ts';
import { isHubSource, readHubSettings } from '../datasets/hub/hub-source.ts';
import { loadMcq } from '../datasets/mcq/load-mcq.ts';
import { RecordError } from '../records/record.ts';
import { withDeadline } from '../run/ask.ts';
import { hidesRecords } from '../text/hide-records.ts';
import { quote } from '../text/show.ts';
import { plural } from '../text/wording.ts';
import { findMcp, type McpServer } from '../tools/mcp/mcp-file.ts';
import type { Agent, Dataset, Question, Sample } from '../types.ts';
import { type CommandContext, UsageError } from './command.ts';

/** What one check found. A `miss` always says what to do. */
export type Finding =
  | { readonly status: 'ok' | 'skipped'; readonly what: string }
  | { readonly status: 'miss'; readonly what: string; readonly remedy: string };

/** One thing that a run of the evals needs. It may throw: that is a miss with the error's message. */
export type Check = {
  readonly name: string;
  run(context: CommandContext): Promise<readonly Finding[]> | readonly Finding[];
};

/** Throws a UsageError for a word that is no option of the doctor. */
export function assertOptions(args: readonly string[]): void {
  try {
    parseOptions(args);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`${message}. Use "pnpm viva doctor" or "pnpm viva doctor --yes".`, { cause });
  }
}

/** Whether the user agreed beforehand to calls that may cost money. */
function isAgreed(args: readonly string[]): boolean {
  return parseOptions(args).yes === true;
}

function parseOptions(args: readonly string[]) {
  return parseArgs({ args: [...args], options: { yes: { type: 'boolean', short: 'y' } } }).values;
}

/** A check that needs the settings; it is skipped while they cannot be read, which is a miss of its own. */
export function withConfig(
  name: string,
  run: (config: EvalConfig, context: CommandContext) => Promise<readonly Finding[]>,
): Check {
  return {
    name,
    run: async (context) => {
      const config = tryReadConfig(context);
      return config === null
        ? [{ status: 'skipped', what: 'not checked before the settings are right' }]
        : run(config, context);
    },
  };
}

function tryReadConfig({ env }: CommandContext): EvalConfig | null {
  try {
    return readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return null;
    throw error;
  }
}

const DEADLINE_MS = 120_000;

const QUESTION: Question = {
  id: 'doctor',
  suite: 'doctor',
  group: 'all',
  input: 'What is 2 plus 3?',
  prompt: 'What is 2 plus 3? End with "FINAL ANSWER: " and the number.',
  attachments: [],
};

/** Whether each agent of EVAL_AGENT answers. One that may cost money is asked only after the user agreed. */
export const agents = withConfig('agent', async (config, context) => {
  const { agents: specs } = config;
  if (specs === null) return [{ status: 'ok', what: 'none named: each suite replays its own made-up predictions' }];
  const findings: Finding[] = [];
  for (const spec of specs) findings.push(await examineSpec(spec, config, context));
  return findings;
});

async function examineSpec(spec: AgentSpec, config: EvalConfig, context: CommandContext): Promise<Finding> {
  if (!kindOf(spec).isPaid) return examineReplay(spec, config, context);
  const agreed = isAgreed(context.args) || (await context.confirm(`Ask ${spec.text} one short question (may cost)?`));
  if (agreed === null) return { status: 'skipped', what: `${spec.text} was not asked: --yes asks it one question` };
  if (!agreed) return { status: 'skipped', what: `${spec.text} was not asked` };
  try {
    const [agent] = await createAgents(spec, { suite: 'doctor', ids: [], predictions: '' });
    return agent === undefined ? silent(spec.text, 'no agent') : await askOnce(agent);
  } catch (error) {
    return silent(spec.text, error instanceof Error ? error.message : String(error));
  }
}

async function askOnce(agent: Agent): Promise<Finding> {
  const workdir = mkdtempSync(join(tmpdir(), 'viva-doctor-'));
  const start = performance.now();
  try {
    const { text } = await withDeadline(DEADLINE_MS, new AbortController().signal, async (signal) =>
      agent.answer(QUESTION, { signal, workdir, maxSteps: 3, trial: 1, deadlineMs: DEADLINE_MS }),
    );
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    if (text === null || text.trim() === '') return silent(agent.name, 'it gave no text');
    return { status: 'ok', what: `${agent.name} answered in ${seconds} s: ${JSON.stringify(text.trim().slice(-80))}` };
  } finally {
    rmSync(workdir, { recursive: true, force: true });
  }
}

function silent(name: string, why: string): Finding {
  return { status: 'miss', what: `${name} did not answer: ${why}`, remedy: 'Check the key, the model and the server.' };
}

/** A replay is free: reading its predictions for a suite is all that there is to check. */
async function examineReplay(spec: AgentSpec, config: EvalConfig, context: CommandContext): Promise<Finding> {
  const problems: string[] = [];
  for (const suite of SUITES) {
    try {
      const { samples } = await suite.load(config, context);
      const ids = samples.map(({ id }) => id);
      await createAgents(spec, { suite: suite.name, ids, predictions: suite.predictions });
      return { status: 'ok', what: `${spec.text} has answers for ${suite.name}` };
    } catch (error) {
      problems.push(describe(error, config));
    }
  }
  const remedy = 'Name the predictions of the dataset that is set.';
  return { status: 'miss', what: `${spec.text}: ${problems[0]}`, remedy };
}

/** Whether the run that EVAL_BASELINE names can be compared with; nothing where it is not set. */
export const baseline = withConfig('baseline', async (config) => {
  const run = readBaseline(config);
  if (run === null) return [];
  const sides = run.sides.map(({ suite, dataset, agent, results }) => {
    return `${suite} (${dataset}) by ${agent}, ${plural(results.length, 'result')}`;
  });
  return [{ status: 'ok', what: `${run.name}: ${sides.join('; ')}` }];
});

/** Whether the datasets can be read, how many questions each group has, and whether attachments can be had. */
export const datasets = withConfig('dataset', async (config, context) => {
  const findings = await Promise.all(SUITES.map((suite) => examineSuite(suite, config, context)));
  return findings.flat();
});

async function examineSuite(suite: Suite, config: EvalConfig, context: CommandContext): Promise<readonly Finding[]> {
  try {
    const dataset = await suite.load(config, context);
    return [countGroups(suite, dataset), ...(await examineAttachments(suite, dataset))];
  } catch (error) {
    return [{ status: 'miss', what: `${suite.name}: ${describe(error, config)}`, remedy: REMEDY }];
  }
}

const REMEDY = 'Follow the message; EVAL_GAIA, EVAL_SPLIT and EVAL_MCQ say what is read.';

/** In CI no text of a record is shown (DESIGN 5.10). */
function describe(error: unknown, config: EvalConfig): string {
  if (error instanceof RecordError && hidesRecords(config)) return error.idsOnly;
  return error instanceof Error ? error.message : String(error);
}

function countGroups({ name: suite }: Suite, { name, samples, source }: Dataset): Finding {
  const groups = [...Map.groupBy(samples, ({ group }) => group)].map(([group, of]) => `${group} ${of.length}`);
  const sorted = groups.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const commit = typeof source?.revision === 'string' ? `, commit ${source.revision.slice(0, 12)}` : '';
  return {
    status: 'ok',
    what: `${suite}: ${name}, ${plural(samples.length, 'question')} (${sorted.join(', ')})${commit}`,
  };
}

/** Of a dataset that is downloaded on demand one attachment is fetched: that shows that all can be. */
async function examineAttachments({ name }: Suite, dataset: Dataset): Promise<readonly Finding[]> {
  const having = dataset.samples.filter(({ attachments }) => attachments.length > 0);
  const [first] = having;
  if (first === undefined) return [];
  const checked: readonly Sample[] = dataset.fetch === undefined ? having : [first];
  await dataset.fetch?.(checked);
  for (const { path } of checked.flatMap(({ attachments }) => attachments)) accessSync(path, constants.R_OK);
  const how = dataset.fetch === undefined ? 'all readable' : 'one was downloaded, the others are when they are needed';
  return [{ status: 'ok', what: `${name}: ${plural(having.length, 'question')} with a file, ${how}` }];
}

const GAIA_SAMPLE = 'evals/gaia/sample';
const MCQ_SAMPLE = 'evals/mcq/sample';

/** A suite as its eval file loads it. */
type Suite = {
  readonly name: 'gaia' | 'mcq';
  /** The suite's own predictions. */
  readonly predictions: string;
  load(config: EvalConfig, context: CommandContext): Promise<Dataset>;
};

/** The suites and their datasets: the committed samples where none is set. */
const SUITES: readonly Suite[] = [
  {
    name: 'gaia',
    predictions: `${GAIA_SAMPLE}/predictions.jsonl`,
    load: ({ gaia, split }, { env }) =>
      loadGaia(gaia === null ? { path: GAIA_SAMPLE, sample: true } : { path: gaia, split, hub: readHubSettings(env) }),
  },
  {
    name: 'mcq',
    predictions: `${MCQ_SAMPLE}/predictions.jsonl`,
    load: ({ mcq, mcqFields }) =>
      loadMcq(mcq === null ? { path: `${MCQ_SAMPLE}/questions.csv`, sample: true } : { path: mcq, fields: mcqFields }),
  },
];

type Environment = CommandContext['env'];

/** Whether the keys are set that the agents and the dataset need. No part of a key is shown. */
export const keys = withConfig('keys', async ({ agents, gaia }, { env }) => {
  const findings = (agents ?? []).flatMap((spec) => judgeKey(spec, env));
  const hub = gaia !== null && isHubSource(gaia) ? [judgeToken(env)] : [];
  const found = [...findings, ...hub];
  return found.length === 0 ? [{ status: 'ok', what: 'none is needed' }] : found;
});

function judgeKey(spec: AgentSpec, env: Environment): readonly Finding[] {
  const { text, params = [] } = spec;
  const { model } = kindOf(spec);
  if (model === null) return [];
  const { key, baseUrl } = model;
  if (isSet(env, key)) return [{ status: 'ok', what: `${key} is set` }];
  const own = isSet(env, baseUrl) || params.some(([name]) => name === 'base_url');
  if (own) return [{ status: 'skipped', what: `${key} is not set, which a server of one's own may not need` }];
  return [{ status: 'miss', what: `${key} is not set, and ${text} needs it`, remedy: `Set ${key} in .env.` }];
}

function judgeToken(env: Environment): Finding {
  if (readHubSettings(env).token !== null) return { status: 'ok', what: 'a token of the Hub is set' };
  return { status: 'skipped', what: 'no token of the Hub is set (HF_TOKEN), which gated datasets need' };
}

function isSet(env: Environment, name: string): boolean {
  return (env[name]?.trim() ?? '') !== '';
}

/** Whether the MCP servers of a run start and list their tools. They are ended again. */
export const mcp = withConfig('mcp', async (config, { env }) => {
  const used = config.mcp !== null || config.agents?.some((spec) => kindOf(spec).model !== null) === true;
  const settings = used ? findMcp(config.mcp, process.cwd(), env) : null;
  if (settings === null) return [{ status: 'ok', what: 'no server is set' }];
  if (settings.servers.length === 0) return [{ status: 'ok', what: `${settings.file} names no server` }];
  return Promise.all(settings.servers.map((server) => examine(server, settings.file)));
});

async function examine(server: McpServer, file: string): Promise<Finding> {
  const { openServer } = await import('../tools/mcp/server.ts');
  try {
    const { version, tools, close } = await openServer(server);
    await close();
    return { status: 'ok', what: `${server.name} ${version} starts and lists ${plural(tools.length, 'tool')}` };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { status: 'miss', what: `${quote(server.name)}: ${why}`, remedy: `Correct ${file}, or set EVAL_MCP=off.` };
  }
}
