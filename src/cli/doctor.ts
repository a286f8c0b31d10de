import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createAgents, kindOf, usesMcp } from '../agents/kinds.ts';
import type { AgentSpec } from '../agents/spec.ts';
import { locateSyntaxError } from '../agents/syntax-error.ts';
import { ensureFolder } from '../data/files/read-file.ts';
import { toJudge } from '../judge/judge-agent.ts';
import { toJudgePrompt } from '../judge/prompt.ts';
import { VERDICT } from '../judge/reply-form.ts';
import { DOCS, findPackage, readVersion } from '../package.ts';
import { toCommand, toInstall } from '../package-manager.ts';
import { findUnsupported } from '../plugin/versions.ts';
import { Stopwatch } from '../processes/stopwatch.ts';
import { withDeadline } from '../run/deadline.ts';
import { guardStreams } from '../run/guard-output.ts';
import { ConfigError, type EvalConfig, listSpecs, readConfig } from '../settings.ts';
import { resolveReplays } from '../store/find-run.ts';
import { findMcp, type McpServer } from '../tools/mcp/mcp-file.ts';
import { formatSeconds } from '../words/amounts.js';
import type { Agent } from '../words/answer.ts';
import { withMessages } from '../words/conversation.ts';
import { readSecrets } from '../words/read-secrets.ts';
import type { Question } from '../words/sample.ts';
import { maskKeyForms, redactMessage } from '../words/secrets.ts';
import { escapeLine, plural, quote, toText, tryOrUndefined } from '../words/show.ts';
import { messageOf } from '../words/thrown.ts';
import { explainWrite } from '../words/write-error.ts';
import {
  type Command,
  type CommandContext,
  parseWords,
  RUN_HELP,
  readRunSettings,
  UsageError,
} from './command.ts';
import { describeForIssue } from './doctor-report.ts';
import { findConfig } from './init.ts';

/** The result of a check; a miss also says what to do. */
type Finding = Readonly<{
  status: 'ok' | 'skipped' | 'miss';
  what: string;
  remedy?: string;
}>;

const ok = (what: string): Finding => ({ status: 'ok', what });
const skipped = (what: string): Finding => ({ status: 'skipped', what });
const miss = (what: string, remedy: string): Finding => ({ status: 'miss', what, remedy });

type CheckContext = Pick<CommandContext, 'env'> & {
  /** Whether the user allows calls that may cost money. */
  readonly isAgreed: boolean;
};

/**
 * `viva doctor`: checks what a run with these settings needs outside of its eval files, and says
 * what to do if something is missing. What suites load and would ask is checked by a dry run.
 */
export const doctor: Command = {
  usage: `[--yes]
   or: --report [RUN]
  --yes     also asks each paid agent of EVAL_AGENT one short question
  --report  prints what an issue about viva needs, without any text of questions and answers${RUN_HELP}`,
  page: 'package.md#look-before-you-run',
  run: async ({ args, env, print }) => {
    const { values, positionals } = parseWords(args, OPTIONS, true);
    if (positionals.length > (values.report === true ? 1 : 0))
      throw new UsageError(`Unexpected ${quote(positionals.at(-1) ?? '')}.`);
    if (values.report === true) {
      for (const line of describeForIssue(positionals[0], env)) print(escapeLine(line, 1000));
      return 0;
    }
    const secrets = readSecrets(env);
    const redact = (text: string) => maskKeyForms(redactMessage(text, secrets));
    // Module agents run in this process and may print anything.
    guardStreams(redact);
    let misses = 0;
    const report = (name: string, found: readonly Finding[]) => {
      for (const finding of found) {
        show(name, redact(finding.what), finding, print);
        if (finding.status === 'miss') misses += 1;
      }
    };
    report('versions', [checkVersions(env)]);
    // Before the configuration, which Vite compiles to a file.
    report('disk', await runCheck(env, async () => disk(readRunSettings(env))));
    const configuration = await checkConfiguration(env);
    report('configuration', configuration);
    // Settings may name kinds of agents that a wrong configuration has not registered.
    const isWrong = configuration.some(({ status }) => status === 'miss');
    const { config, findings } =
      isWrong && findConfig(process.cwd()) !== undefined ? NOT_READ : readSettings(env);
    report('settings', findings);
    const asked = { env, isAgreed: values.yes === true };
    if (config !== null) {
      report('mcp', await runCheck(env, () => mcp(config, asked)));
      report('agent', await runCheck(env, () => agents(config, asked)));
    }
    print('');
    print(
      misses === 0
        ? `All checks passed. A dry run checks datasets, prompts and the baseline: EVAL_DRY_RUN=1 ${toCommand('vitest run evals', { env })}`
        : `${plural(misses, 'check')} failed: see "->" above.`,
    );
    return misses === 0 ? 0 : 1;
  },
};

const OPTIONS = {
  yes: { type: 'boolean', short: 'y' },
  report: { type: 'boolean' },
} as const;

function checkVersions(env: CommandContext['env']): Finding {
  const install = (name: string) => toInstall(name, { env });
  if (findPackage('vitest') === undefined)
    return miss('Vitest is not installed', `Install it: ${install('vitest')}`);
  const [node, vitest] = [process.versions.node, readVersion('vitest')];
  const unsupported = findUnsupported(node, vitest, install);
  return unsupported === null
    ? ok(`Node ${node}, Vitest ${vitest}, viva ${readVersion()}`)
    : missAsSaid(unsupported, env);
}

/** Whether the Vitest configuration loads, has `viva()`, and registers its kinds of agents. */
async function checkConfiguration(env: CommandContext['env']): Promise<readonly Finding[]> {
  const file = findConfig(process.cwd()) ?? 'vitest.config.ts';
  const remedy = `Correct ${file}, then run "${toCommand('viva doctor', { env })}" again.`;
  try {
    const problems = await registerKinds();
    if (problems?.length === 0) return [ok(`${file} has viva()`)];
    if (problems !== undefined) return problems.map((what) => miss(what, remedy));
    const init = toCommand('viva init', { env });
    const what = 'No Vitest configuration in this folder has viva()';
    return [miss(what, `Add plugins: [viva()] to it, or run "${init}".`)];
  } catch (error) {
    const message = messageOf(locateSyntaxError(error, resolve(file)));
    return [miss(`The Vitest configuration cannot be read: ${message}`, remedy)];
  }
}

/**
 * Loads the Vitest configuration, whose `viva()` registers kinds of agents. Returns what it refuses
 * of them; undefined without `viva()`.
 */
async function registerKinds(): Promise<readonly string[] | undefined> {
  globalThis.vivaKindProblems = undefined;
  const { resolveConfig } = await import('vitest/node');
  await resolveConfig({ root: process.cwd(), watch: false });
  return globalThis.vivaKindProblems;
}

const NOT_READ = { config: null, findings: [skipped('not checked before the configuration')] };

/** The EVAL_* names that are set. Only a run sees the defaults of vitest.config.ts. */
function readSettings(env: CommandContext['env']): {
  config: EvalConfig | null;
  findings: readonly Finding[];
} {
  const names = Object.keys(env).filter((name) => name.startsWith('EVAL_') && env[name] !== '');
  try {
    const config = resolveReplays(readConfig(env));
    const what = names.length === 0 ? 'none set' : names.toSorted().join(', ');
    return { config, findings: [ok(what)] };
  } catch (error) {
    const problems = error instanceof ConfigError ? error.problems : [messageOf(error)];
    const remedy = `Correct it in the environment or in .env; ${DOCS}/settings.md lists every setting.`;
    return { config: null, findings: problems.map((what) => miss(what, remedy)) };
  }
}

async function runCheck(
  env: CommandContext['env'],
  check: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await check();
  } catch (error) {
    return [missAsSaid(messageOf(error), env)];
  }
}

/** For messages that say themselves what to do. */
function missAsSaid(what: string, env: CommandContext['env']): Finding {
  return miss(what, `Follow the message, then run "${toCommand('viva doctor', { env })}" again.`);
}

const MARKS = { ok: 'ok  ', skipped: '-   ', miss: 'MISS' } as const;

function show(name: string, what: string, finding: Finding, print: CommandContext['print']): void {
  const [first = '', ...rest] = what.split('\n');
  print(`${MARKS[finding.status]}  ${name}: ${escapeLine(first, 1000)}`);
  // Only one mark for each finding: users count them.
  for (const line of rest) print(`      ${escapeLine(line, 1000)}`);
  if (finding.remedy !== undefined) print(`      -> ${escapeLine(finding.remedy, 1000)}`);
}

/** Whether the folder for runs takes files, and the one in which agents work. */
function disk({ dir }: Pick<EvalConfig, 'dir'>): readonly Finding[] {
  const folder = resolve(dir);
  const found = tryToWrite(folder, 'set EVAL_DIR to another folder');
  const ofWork = tryToWrite(tmpdir(), 'set TMPDIR to another folder');
  return [found ?? ok(`${folder} is writable`), ...(ofWork === null ? [] : [ofWork])];
}

/** As much as a small run writes. Only writing shows a full disk, a quota or a limit. */
const TRIED = Buffer.alloc(1_000_000, '.');

function tryToWrite(folder: string, way: string): Finding | null {
  const file = join(folder, `.viva-doctor-${randomUUID()}`);
  try {
    ensureFolder(folder);
    writeFileSync(file, TRIED, { flag: 'wx', flush: true });
    return null;
  } catch (error) {
    const { why, remedy } = explainWrite(error, way);
    return miss(`${folder} cannot be written: ${why}`, `${remedy}.`);
  } finally {
    tryOrUndefined(() => rmSync(file, { force: true }));
  }
}

/** Whether the MCP servers of a run start and list their tools. Stops them again. */
async function mcp(config: EvalConfig, { env }: CheckContext): Promise<readonly Finding[]> {
  const isUsed = config.mcp !== null || config.agents?.some(usesMcp) === true;
  const settings = isUsed ? findMcp(config.mcp, process.cwd(), env) : null;
  if (settings === null) return [];
  return Promise.all(settings.servers.map((server) => examineServer(server, settings.file)));
}

async function examineServer(server: McpServer, file: string): Promise<Finding> {
  try {
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
 * Whether each agent of EVAL_AGENT, but recordings, and each judge of EVAL_JUDGE, can answer.
 * It is asked only with --yes. Agents in eval files are known only to their suites.
 */
export async function agents(
  config: EvalConfig,
  context: CheckContext,
): Promise<readonly Finding[]> {
  const asked = listSpecs(config).filter(({ kind }) => kind !== 'replay');
  const ofFiles = `EVAL_AGENT is not set. To ask the agents of eval files one question each: EVAL_LIMIT=1 ${toCommand('vitest run evals', context)}`;
  const findings = config.agents === null && context.isAgreed ? [skipped(ofFiles)] : [];
  for (const spec of asked) findings.push(await examineAgent(spec, context));
  return findings;
}

async function examineAgent(spec: AgentSpec, { env, isAgreed }: CheckContext): Promise<Finding> {
  try {
    // Making a model agent checks its key and asks nothing. Making a module agent runs the user's
    // code.
    const isMade = isAgreed || kindOf(spec).isModel;
    const isJudge = spec.setting === 'EVAL_JUDGE';
    const form = isJudge ? { format: VERDICT.format } : {};
    const [agent] = isMade
      ? await createAgents(spec, { suite: 'doctor', ids: [], predictions: '', ...form })
      : [];
    if (agent?.notReadyReason !== undefined)
      return missAsSaid(`${spec.text}: ${agent.notReadyReason}`, env);
    if (agent === undefined || !isAgreed)
      return skipped(`${spec.text} was not asked. Use --yes to ask it one question.`);
    return await (isJudge
      ? ask(toJudge(agent, VERDICT), toJudgePrompt(JUDGED, VERDICT))
      : ask(agent));
  } catch (error) {
    return missAsSaid(messageOf(error), env);
  }
}

const DEADLINE_MS = 120_000;

const QUESTION: Question = {
  id: 'doctor',
  suite: 'doctor',
  group: 'all',
  input: 'What is 2 plus 3?',
  ...withMessages('What is 2 plus 3? End with "FINAL ANSWER: " and the number.'),
  attachments: [],
};

const JUDGED = {
  criterion: 'Says what the reference says.',
  question: '2 + 3?',
  reference: '5',
  outputs: ['5'],
};

async function ask(agent: Agent, prompt = QUESTION.prompt): Promise<Finding> {
  const workdir = mkdtempSync(join(tmpdir(), 'viva-doctor-'));
  const start = performance.now();
  try {
    const { output } = await withDeadline(
      new Stopwatch(),
      DEADLINE_MS,
      new AbortController().signal,
      async (signal) =>
        agent.answer(
          { ...QUESTION, prompt },
          { signal, workdir, maxSteps: 3, trial: 1, deadlineMs: DEADLINE_MS },
        ),
    );
    const time = formatSeconds(performance.now() - start);
    const text = toText(output ?? '').trim();
    if (text === '') throw new Error('it returned no text');
    return ok(`${agent.name} answered in ${time}: ${quote(text.slice(-80))}`);
  } catch (error) {
    const remedy = 'Try it by hand. For a model, check its name, key and server.';
    return miss(`${agent.name} did not answer: ${messageOf(error)}`, remedy);
  } finally {
    rmSync(workdir, { recursive: true, force: true });
  }
}
