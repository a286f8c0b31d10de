import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgents } from '../agents/index.ts';
import { type AgentSpec, kindOf } from '../agents/kinds.ts';
import type { EvalConfig } from '../config.ts';
import { toJudge } from '../judge/judge-agent.ts';
import { toJudgePrompt, VERDICT_FORMAT } from '../judge/prompt.ts';
import { requirePackage, VIVA } from '../package.ts';
import { Stopwatch } from '../processes/stopwatch.ts';
import { withDeadline } from '../run/deadline.ts';
import { quote } from '../text/show.ts';
import { messageOf } from '../text/thrown.ts';
import { plural } from '../text/wording.ts';
import { findMcp, type McpServer } from '../tools/mcp/mcp-file.ts';
import type { Agent, Question } from '../types.ts';
import type { CommandContext } from './command.ts';

/** The result of a check; a miss also says what to do. */
export type Finding = {
  readonly status: 'ok' | 'skipped' | 'miss';
  readonly what: string;
  readonly remedy?: string;
};

export const ok = (what: string): Finding => ({ status: 'ok', what });
export const skipped = (what: string): Finding => ({ status: 'skipped', what });
export const miss = (what: string, remedy: string): Finding => ({ status: 'miss', what, remedy });

/** The input of a check. */
type CheckContext = Pick<CommandContext, 'env'> & {
  /** Whether the user allows calls that may cost money. */
  readonly isAgreed: boolean;
};

/** Checks one thing that a run needs. An error that it throws is a miss. */
export type Check = (
  config: EvalConfig,
  context: CheckContext,
) => Promise<readonly Finding[]> | readonly Finding[];

export const FOLLOW = `Follow the message, then run "${VIVA} doctor" again.`;

/** Whether the MCP servers of a run start and list their tools. Stops them again. */
export async function mcp(config: EvalConfig, { env }: CheckContext): Promise<readonly Finding[]> {
  const isUsed =
    config.mcp !== null || config.agents?.some((spec) => kindOf(spec).model !== null) === true;
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
    return miss(
      `${quote(server.name)}: ${messageOf(error)}`,
      `Correct ${file}, or set EVAL_MCP=off.`,
    );
  }
}

/**
 * Whether each agent of EVAL_AGENT that may cost money, and each judge of EVAL_JUDGE, can answer.
 * It is asked only with --yes. Agents in eval files are known only to their suites.
 */
export async function agents(
  config: EvalConfig,
  { isAgreed }: CheckContext,
): Promise<readonly Finding[]> {
  const paid = [config.agents ?? [], config.judges ?? []]
    .flat()
    .filter((spec) => kindOf(spec).isPaid);
  const ofFiles =
    'EVAL_AGENT is not set. To ask the agents of eval files one question each: EVAL_LIMIT=1 vitest run evals';
  const findings = config.agents === null && isAgreed ? [skipped(ofFiles)] : [];
  for (const spec of paid) findings.push(await examineAgent(spec, isAgreed));
  return findings;
}

async function examineAgent(spec: AgentSpec, isAgreed: boolean): Promise<Finding> {
  try {
    // Making a model agent checks its key and asks nothing. Making a module agent runs the user's
    // code.
    const isMade = isAgreed || kindOf(spec).model !== null;
    const isJudge = spec.setting === 'EVAL_JUDGE';
    const form = isJudge ? { format: VERDICT_FORMAT } : {};
    const [agent] = isMade
      ? await createAgents(spec, { suite: 'doctor', ids: [], predictions: '', ...form })
      : [];
    if (agent?.notReadyReason !== undefined)
      return miss(`${spec.text}: ${agent.notReadyReason}`, FOLLOW);
    if (agent === undefined || !isAgreed)
      return skipped(`${spec.text} was not asked. Use --yes to ask it one question.`);
    return await (isJudge ? ask(toJudge(agent), toJudgePrompt(JUDGED)) : ask(agent));
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

const JUDGED = {
  criterion: 'Says what the reference says.',
  question: '2 + 3?',
  reference: '5',
  output: '5',
};

async function ask(agent: Agent, prompt = QUESTION.prompt): Promise<Finding> {
  const workdir = mkdtempSync(join(tmpdir(), 'viva-doctor-'));
  const start = performance.now();
  try {
    const { text } = await withDeadline(
      new Stopwatch(),
      DEADLINE_MS,
      new AbortController().signal,
      async (signal) =>
        agent.answer(
          { ...QUESTION, prompt },
          { signal, workdir, maxSteps: 3, trial: 1, deadlineMs: DEADLINE_MS },
        ),
    );
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    if (text === null || text.trim() === '') throw new Error('it returned no text');
    return ok(`${agent.name} answered in ${seconds} s: ${quote(text.trim().slice(-80))}`);
  } catch (error) {
    const remedy = 'Try it by hand. For a model, check its name, key and server.';
    return miss(`${agent.name} did not answer: ${messageOf(error)}`, remedy);
  } finally {
    rmSync(workdir, { recursive: true, force: true });
  }
}
