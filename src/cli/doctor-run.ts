import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { toPlanRemarks } from '../../reporters/plan-remarks.ts';
import { createAgents } from '../agents/index.ts';
import { type AgentSpec, kindOf } from '../agents/kinds.ts';
import type { EvalConfig } from '../config.ts';
import { compareNaturally } from '../metrics/groups.ts';
import { requirePackage, VIVA } from '../package.ts';
import { withDeadline } from '../run/limits.ts';
import { readManifest, type SuiteManifest } from '../store/manifest.ts';
import { readQuestions } from '../store/run-folder.ts';
import { quote } from '../text/show.ts';
import { attempt, messageOf } from '../text/thrown.ts';
import { plural } from '../text/wording.ts';
import { findMcp, type McpServer } from '../tools/mcp/mcp-file.ts';
import type { Agent, Question } from '../types.ts';
import type { CommandContext } from './command.ts';

/** What one check found; of a miss, what to do. */
export type Finding = { readonly status: 'ok' | 'skipped' | 'miss'; readonly what: string; readonly remedy?: string };

export const ok = (what: string): Finding => ({ status: 'ok', what });
export const skipped = (what: string): Finding => ({ status: 'skipped', what });
export const miss = (what: string, remedy: string): Finding => ({ status: 'miss', what, remedy });

/** What a check may use. */
type CheckContext = Pick<CommandContext, 'env'> & {
  /** Whether the user allows calls that may cost money. */
  readonly isAgreed: boolean;
  /** Parts of the paths of the eval files to look at; none means all. */
  readonly files: readonly string[];
};

/** One thing that a run of the evals needs. What it throws is a miss. */
export type Check = (config: EvalConfig, context: CheckContext) => Promise<readonly Finding[]> | readonly Finding[];

export const FOLLOW = `Follow the message, then run "${VIVA} doctor" again.`;

/** What a dry run says: the questions of each suite and what is to be asked; of other eval files, why they cannot run. */
export function evals({ dir }: EvalConfig, { env, files }: CheckContext): readonly Finding[] {
  const folder = mkdtempSync(join(tmpdir(), 'viva-doctor-'));
  try {
    const earlier = linkRuns(dir, folder);
    const tests = join(folder, 'tests.json');
    const vitest = resolve(findPackageJSON('vitest', import.meta.url) ?? '', '../vitest.mjs');
    const words = ['run', '--project', 'evals', '--coverage.enabled=false', '--reporter=json', `--outputFile=${tests}`];
    const { status, stdout, stderr } = spawnSync(process.execPath, [vitest, ...words, ...files], {
      // No note of it belongs on the page of a job of GitHub.
      env: { ...env, EVAL_DRY_RUN: '1', EVAL_DIR: folder, GITHUB_ACTIONS: '' },
      encoding: 'utf8',
      maxBuffer: 1e9,
    });
    const runs = listRuns(folder).filter((name) => !earlier.includes(name));
    const planned = runs.map((name) => join(folder, 'runs', name)).flatMap(describeRun);
    const refused = readRefused(tests, (text) => text.replaceAll(folder, dir));
    const isWhole = refused.length > 0 || (status === 0 && planned.length > 0);
    const others = isWhole ? [] : [explainFailure(stripVTControlCharacters(stderr + stdout))];
    return [...planned, ...refused, ...others];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Kept answers decide what is to be asked, and settings may name the latest run. */
function linkRuns(dir: string, folder: string): readonly string[] {
  const runs = listRuns(dir);
  mkdirSync(join(folder, 'runs'));
  for (const name of ['cache', ...runs.map((run) => join('runs', run))]) {
    symlinkSync(resolve(dir, name), join(folder, name));
  }
  return runs;
}

function listRuns(dir: string): readonly string[] {
  return attempt(() => readdirSync(join(dir, 'runs'))) ?? [];
}

function describeRun(folder: string): readonly Finding[] {
  return readManifest(folder).suites.flatMap((suite) => describeSuite(suite, folder));
}

function describeSuite(manifest: SuiteManifest, folder: string): readonly Finding[] {
  const { suite, dataset, ids, agents, source, group_sizes = [] } = manifest;
  const groups = group_sizes.map(([group, size]) => `${group} ${size}`).toSorted(compareNaturally);
  const size = group_sizes.reduce((sum, [, samples]) => sum + samples, 0);
  const selected = ids.length === size ? '' : `, ${ids.length} selected`;
  const commit = typeof source?.revision === 'string' ? `, commit ${source.revision.slice(0, 12)}` : '';
  const asked = [...readQuestions(folder, suite).values()];
  const having = asked.filter(({ attachments = [] }) => attachments.length > 0).length;
  const of = `${plural(size, 'question')} (${groups.join(', ')})`;
  return [
    ok(`${suite}: ${dataset}, ${of}${selected}${commit}, by ${agents.join(', ')}`),
    ...(having === 0 ? [] : [ok(`${suite}: ${plural(having, 'question')} with a file, all there`)]),
    ...toPlanRemarks(manifest).map(({ agent, text }) => ok(`${suite}, ${agent}: ${text}`)),
  ];
}

/** The messages of eval files that stopped before anything could be asked, in the report of Vitest's JSON reporter. */
function readRefused(tests: string, rename: (text: string) => string): readonly Finding[] {
  if (!existsSync(tests)) return [];
  const report: { readonly testResults: readonly { readonly name: string; readonly message: string }[] } = JSON.parse(
    rename(readFileSync(tests, 'utf8')),
  );
  const refused = Map.groupBy(report.testResults, ({ message }) => message);
  refused.delete('');
  return [...refused].map(([message, of]) => {
    const names = of.map(({ name }) => relative(process.cwd(), name));
    return miss(`${names.join(', ')}: ${stripVTControlCharacters(message).trim()}`, FOLLOW);
  });
}

function explainFailure(output: string): Finding {
  if (output.includes('No projects matched')) {
    const remedy = `Add viva() of "viva/vitest" to its "plugins"; "${VIVA} init" shows the lines.`;
    return miss('the Vitest configuration of this folder has no plugin viva()', remedy);
  }
  const said = /^ *(?:\w*Error: |exit 1: |(?=The evals are skipped))(.+)/m.exec(output)?.[1];
  if (said !== undefined) return miss(said, FOLLOW);
  return miss('no eval file was found', `Write evals/NAME/NAME.eval.ts; "${VIVA} init" adds a first one.`);
}

/** Whether the MCP servers of a run start and list their tools; ends them again. */
export async function mcp(config: EvalConfig, { env }: CheckContext): Promise<readonly Finding[]> {
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

/** Whether each agent of EVAL_AGENT that may cost money could answer; only with --yes it is asked. */
export async function agents(config: EvalConfig, { isAgreed }: CheckContext): Promise<readonly Finding[]> {
  const paid = (config.agents ?? []).filter((spec) => kindOf(spec).isPaid);
  const findings: Finding[] = [];
  for (const spec of paid) findings.push(await examineAgent(spec, isAgreed));
  return findings;
}

async function examineAgent(spec: AgentSpec, isAgreed: boolean): Promise<Finding> {
  try {
    // Making a model agent checks its key and asks nothing. Making a module agent runs the user's code.
    const isMade = isAgreed || kindOf(spec).model !== null;
    const [agent] = isMade ? await createAgents(spec, { suite: 'doctor', ids: [], predictions: '' }) : [];
    if (agent?.unready !== undefined) return miss(`${spec.text}: ${agent.unready}`, FOLLOW);
    if (agent === undefined || !isAgreed) return skipped(`${spec.text} was not asked: --yes asks it one question`);
    return await ask(agent);
  } catch (error) {
    return miss(messageOf(error), FOLLOW);
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

async function ask(agent: Agent): Promise<Finding> {
  const workdir = mkdtempSync(join(tmpdir(), 'viva-doctor-'));
  const start = performance.now();
  try {
    const { text } = await withDeadline(DEADLINE_MS, new AbortController().signal, async (signal) =>
      agent.answer(QUESTION, { signal, workdir, maxSteps: 3, trial: 1, deadlineMs: DEADLINE_MS }),
    );
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    if (text === null || text.trim() === '') throw new Error('it gave no text');
    return ok(`${agent.name} answered in ${seconds} s: ${quote(text.trim().slice(-80))}`);
  } catch (error) {
    const remedy = 'Try it by hand. Of a model, check its name, key and server.';
    return miss(`${agent.name} did not answer: ${messageOf(error)}`, remedy);
  } finally {
    rmSync(workdir, { recursive: true, force: true });
  }
}
