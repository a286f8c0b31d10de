import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgents } from '../agents/index.ts';
import { type AgentSpec, findSpecProblem, kindOf } from '../agents/kinds.ts';
import type { EvalConfig } from '../config.ts';
import { loadGaia } from '../datasets/gaia/load-gaia.ts';
import { readHubSettings } from '../datasets/hub/hub-source.ts';
import { loadMcq } from '../datasets/mcq/load-mcq.ts';
import { compareNaturally } from '../metrics/groups.ts';
import { requirePackage, VIVA } from '../package.ts';
import { hideRecordText } from '../records/record.ts';
import { withDeadline } from '../run/limits.ts';
import { quote } from '../text/show.ts';
import { messageOf } from '../text/thrown.ts';
import { plural } from '../text/wording.ts';
import { findMcp, type McpServer } from '../tools/mcp/mcp-file.ts';
import type { Agent, Dataset, Question } from '../types.ts';
import type { CommandContext } from './command.ts';

/** What one check found. A `miss` always says what to do. */
export type Finding =
  | { readonly status: 'ok' | 'skipped'; readonly what: string }
  | { readonly status: 'miss'; readonly what: string; readonly remedy: string };

export const ok = (what: string): Finding => ({ status: 'ok', what });
export const skipped = (what: string): Finding => ({ status: 'skipped', what });
export const miss = (what: string, remedy: string): Finding => ({ status: 'miss', what, remedy });

/** What a check may use; `isAgreed`: the user allows calls that may cost money. */
type CheckContext = CommandContext & { readonly isAgreed: boolean };

/** One thing that a run of the evals needs. What it throws is a miss. */
export type Check = (config: EvalConfig, context: CheckContext) => Promise<readonly Finding[]> | readonly Finding[];

export const FOLLOW = `Follow the message, then run "${VIVA} doctor" again.`;

/** How the suites load their datasets: the committed sample where none is set. */
const LOADERS: Readonly<Record<string, (config: EvalConfig, context: CommandContext) => Promise<Dataset>>> = {
  gaia: ({ gaia: path, split }, { env }) =>
    loadGaia(path === null ? { path: 'evals/gaia/sample', sample: true } : { path, split, hub: readHubSettings(env) }),
  mcq: ({ mcq: path, mcqFields: fields }) =>
    loadMcq(path === null ? { path: 'evals/mcq/sample/questions.csv', sample: true } : { path, fields }),
};

/** Whether the datasets can be read, how many questions each group has, and whether attachments can be had. */
export async function datasets(config: EvalConfig, context: CommandContext): Promise<readonly Finding[]> {
  const findings = Object.entries(LOADERS).map(async ([suite, load]) => {
    try {
      const dataset = await load(config, context);
      return [countGroups(suite, dataset), ...(await examineAttachments(suite, dataset))];
    } catch (error) {
      const remedy = 'Follow the message; EVAL_GAIA, EVAL_SPLIT and EVAL_MCQ say what is read.';
      return [miss(`${suite}: ${messageOf(hideRecordText(error, config))}`, remedy)];
    }
  });
  return (await Promise.all(findings)).flat();
}

function countGroups(suite: string, { name, samples, source }: Dataset): Finding {
  const groups = [...Map.groupBy(samples, ({ group }) => group)].map(([group, of]) => `${group} ${of.length}`);
  const sorted = groups.toSorted(compareNaturally);
  const commit = typeof source?.revision === 'string' ? `, commit ${source.revision.slice(0, 12)}` : '';
  return ok(`${suite}: ${name}, ${plural(samples.length, 'question')} (${sorted.join(', ')})${commit}`);
}

/** Of a dataset that is downloaded on demand, one attachment is fetched: then the others can be too. */
async function examineAttachments(suite: string, dataset: Dataset): Promise<readonly Finding[]> {
  const having = dataset.samples.filter(({ attachments }) => attachments.length > 0);
  if (having.length === 0) return [];
  const checked = dataset.fetch === undefined ? having : having.slice(0, 1);
  await dataset.fetch?.(checked);
  for (const { path } of checked.flatMap(({ attachments }) => attachments)) accessSync(path, constants.R_OK);
  const how = dataset.fetch === undefined ? 'all readable' : 'one was downloaded, the others are when they are needed';
  return [ok(`${suite}: ${plural(having.length, 'question')} with a file, ${how}`)];
}

/** Whether the MCP servers of a run start and list their tools; ends them again. */
export async function mcp(config: EvalConfig, { env }: CommandContext): Promise<readonly Finding[]> {
  const isUsed = config.mcp !== null || config.agents?.some((spec) => kindOf(spec).model !== null) === true;
  const settings = isUsed ? findMcp(config.mcp, process.cwd(), env) : null;
  if (settings === null) return [ok('no server is set')];
  if (settings.servers.length === 0) return [ok(`${settings.file} names no server`)];
  return Promise.all(settings.servers.map((server) => examineServer(server, settings.file)));
}

async function examineServer(server: McpServer, file: string): Promise<Finding> {
  try {
    requirePackage('@modelcontextprotocol/sdk', 'An MCP server');
    const { openServer } = await import('../tools/mcp/server.ts');
    const { version, tools, close } = await openServer(server);
    await close();
    return ok(`${server.name} ${version} starts and lists ${plural(tools.length, 'tool')}`);
  } catch (error) {
    return miss(`${quote(server.name)}: ${messageOf(error)}`, `Correct ${file}, or set EVAL_MCP=off.`);
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

/** Whether each agent of EVAL_AGENT answers. One that may cost money is asked only with --yes. */
export async function agents(config: EvalConfig, context: CheckContext): Promise<readonly Finding[]> {
  if (config.agents === null) return [ok('none named: each suite replays its own made-up predictions')];
  const findings: Finding[] = [];
  for (const spec of config.agents) {
    const examine = kindOf(spec).isPaid ? examineAgent : examineReplay;
    findings.push(await examine(spec, config, context));
  }
  return findings;
}

async function examineAgent(spec: AgentSpec, _: EvalConfig, { isAgreed }: CheckContext): Promise<Finding> {
  const create = () => createAgents(spec, { suite: 'doctor', ids: [], predictions: '' });
  try {
    const problem = findSpecProblem(spec, process.cwd());
    if (problem !== null) throw new Error(problem);
    // Making a model agent checks its parameters and key and asks nothing. Making a module agent runs the user's code.
    const made = kindOf(spec).model === null ? [] : await create();
    for (const { unready } of made) if (unready !== undefined) throw new Error(`${spec.text}: ${unready}`);
  } catch (error) {
    return miss(messageOf(error), FOLLOW);
  }
  if (!isAgreed) return skipped(`${spec.text} was not asked: --yes asks it one question`);
  try {
    const [agent] = await create();
    if (agent === undefined) throw new Error('no agent');
    return ok(await ask(agent));
  } catch (error) {
    const remedy = 'Try it by hand. Of a model, check its name, key and server.';
    return miss(`${spec.text} did not answer: ${messageOf(error)}`, remedy);
  }
}

async function ask(agent: Agent): Promise<string> {
  const workdir = mkdtempSync(join(tmpdir(), 'viva-doctor-'));
  const start = performance.now();
  try {
    const { text } = await withDeadline(DEADLINE_MS, new AbortController().signal, async (signal) =>
      agent.answer(QUESTION, { signal, workdir, maxSteps: 3, trial: 1, deadlineMs: DEADLINE_MS }),
    );
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    if (text === null || text.trim() === '') throw new Error('it gave no text');
    return `${agent.name} answered in ${seconds} s: ${quote(text.trim().slice(-80))}`;
  } finally {
    rmSync(workdir, { recursive: true, force: true });
  }
}

/** A replay costs nothing: it is enough to read its predictions for a suite. */
async function examineReplay(spec: AgentSpec, config: EvalConfig, context: CommandContext): Promise<Finding> {
  const problems: string[] = [];
  for (const [suite, load] of Object.entries(LOADERS)) {
    try {
      const ids = (await load(config, context)).samples.map(({ id }) => id);
      await createAgents(spec, { suite, ids, predictions: `evals/${suite}/sample/predictions.jsonl` });
      return ok(`${spec.text} has answers for ${suite}`);
    } catch (error) {
      problems.push(messageOf(hideRecordText(error, config)));
    }
  }
  return miss(`${spec.text}: ${problems[0]}`, 'Name the predictions of the dataset that is set.');
}
