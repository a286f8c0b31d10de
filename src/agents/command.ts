import { relative } from 'node:path';
import { maskKeys } from '../text/secrets.ts';
import { escapeLine } from '../text/show.ts';
import { type Agent, AgentError, type Answer, type AnswerContext, type Question } from '../types.ts';
import { type AgentSpec, refuseSpec } from './agent-spec.ts';
import { anchorNamedFiles, findNamedFiles, type NamedFiles } from './command-line.ts';
import { MachineLoad } from './machine-load.ts';
import { copyQuestion } from './module.ts';
import { findError, parseAnswer, UnknownFields } from './returned-answer.ts';
import { type Finished, runShell } from './run-shell.ts';
import { fingerprintFiles } from './source-files.ts';

/**
 * The agent of `command:CMDLINE`. For each question `/bin/sh -c CMDLINE` runs in the call's work folder with the user's
 * environment less EVAL_*, reads the question as one line of JSON on stdin and writes its answer to stdout. Relative paths of
 * existing files on the command line start at the project's root.
 */
export function createCommandAgents(spec: AgentSpec): readonly Agent[] {
  const { text, target } = spec;
  if (target === '') {
    throw new Error(refuseSpec(spec, 'no command is named. Write it after the colon, as in command:python3 agent.py.'));
  }
  const root = process.cwd();
  const script = `${CLEAN_ENVIRONMENT}${anchorNamedFiles(target, root)}`;
  const named = findNamedFiles(target, root);
  const unknown = new UnknownFields();
  const load = new MachineLoad();
  const agent: Agent = {
    name: text,
    fingerprint: `command:${target}:${fingerprintFiles(named.files, root)}`,
    remarks: (gated) => [...describeUnseen(named, root), ...load.describe(), ...unknown.describe(gated)],
    answer: async (question, context) => {
      const { workdir, signal } = context;
      const input = toQuestionJson(question, context);
      const start = performance.now();
      const finished = await load.watch(() => runShell(script, { input, workdir, root, signal }));
      return readAnswer(finished, unknown, performance.now() - start);
    },
  };
  return [agent];
}

/** The cache must not answer for an edited agent without a word. */
function describeUnseen({ files, isWhole }: NamedFiles, root: string): readonly string[] {
  if (isWhole) return [];
  const seen =
    files.length === 0
      ? 'its line names no file'
      : `only edits of ${files.map((file) => relative(root, file)).join(', ')} are seen`;
  return [`the cache may answer for an edited command: ${seen}. After another edit, set EVAL_CACHE_KEY to a new text.`];
}

/*
 * A command has the environment of the user's shell. Vitest's worker has more: names that Vitest sets for the code under
 * test and that mean something else to a program of its own (BASE_URL is "/" there, NODE_ENV is "test").
 */
const SET_BY_VITEST: readonly (readonly [name: string, value: string])[] = [
  ['NODE_ENV', 'test'],
  ['MODE', 'test'],
  ['DEV', '1'],
  ['PROD', ''],
  ['SSR', '1'],
  ['BASE_URL', '/'],
  ['TEST', 'true'],
];

/**
 * Shell commands that take out what is not the user's: what Vitest has put into the environment (another value stays),
 * and viva's settings, since EVAL_GAIA and EVAL_DIR lead to the expected answers. The shell's own list of names spares
 * each call a process.
 */
export const CLEAN_ENVIRONMENT = `${SET_BY_VITEST.map(([name, value]) => `[ "\${${name}-}" != '${value}' ] || unset ${name}; `).join('')}
while read -r viva_export viva_name; do
  viva_name=\${viva_name%%=*}
  case $viva_name in
    *[!A-Za-z0-9_]*) ;;
    EVAL_* | VITEST | VITEST_*) unset "$viva_name" ;;
  esac
done <<viva_names
$(export -p)
viva_names
unset viva_export viva_name
`;

/** What a command reads on stdin: one line of JSON, with the attachments' absolute paths. */
export function toQuestionJson(question: Question, { deadlineMs, maxSteps, trial }: AnswerContext): string {
  const fields = { ...copyQuestion(question), deadline_ms: deadlineMs ?? null, max_steps: maxSteps, trial };
  return `${JSON.stringify(fields)}\n`;
}

/**
 * The answer of a command that has ended: its stdout as it is, or, when that is one JSON object whose `text` is a text
 * or null, or which states an `error`, what the object says. Throws an AgentError when it failed or wrote too much.
 */
export function readAnswer(finished: Finished, unknown: UnknownFields, elapsedMs?: number): Answer {
  if (finished.stdoutOverflowed) {
    const problem = 'The command wrote more than 10 MB to stdout and was ended.';
    throw new AgentError('bad_response', `${problem} Write the answer alone to stdout, and all else to stderr.`);
  }
  const object = parseObject(finished.stdout);
  // A program that says what went wrong mostly ends with a code too.
  const isStated = object !== null && findError(object) !== null;
  if (finished.code === NOT_FOUND && !isStated)
    throw new AgentError('machine', describeNotFound(finished), { status: NOT_FOUND });
  if (finished.code !== 0 && !isStated) {
    throw new AgentError('agent_crash', describeEnd(finished), { status: finished.code });
  }
  unknown.look(object);
  return parseAnswer(object ?? finished.stdout, elapsedMs);
}

function parseObject(stdout: string): object | null {
  if (!/^\s*\{/.test(stdout)) return null;
  const value = attempt(() => JSON.parse(stdout));
  if (typeof value !== 'object' || value === null) return null;
  if (findError(value) !== null) return value;
  const text: unknown = Object.hasOwn(value, 'text') ? Reflect.get(value, 'text') : undefined;
  return typeof text === 'string' || text === null ? value : null;
}

function attempt(parse: () => unknown): unknown {
  try {
    return parse();
  } catch {
    return null;
  }
}

/** How many characters of stderr an error shows. */
const SHOWN_STDERR = 2000;

function describeEnd({ code, signal, stderr }: Finished): string {
  const end = signal === null ? `with exit code ${code}` : `by ${signal}`;
  const shown = showText(cutStart(maskKeys(stderr.trim())));
  const said = shown === '' ? 'It wrote nothing to stderr.' : `The end of its stderr:\n${shown}`;
  return `The command ended ${end}. Pipe a question into it to see why. ${said}`;
}

/** With a mark, behind which half a key is known as one: viva learns what is a key later. */
function cutStart(text: string): string {
  return text.length > SHOWN_STDERR ? `…${text.slice(-SHOWN_STDERR).toWellFormed()}` : text;
}

function describeNotFound({ stderr }: Finished): string {
  // The shell that viva starts counts lines of its own.
  const said = escapeLine(maskKeys(stderr.trim().split('\n').at(-1) ?? '').replace(/^sh: (?:line )?\d+: /, ''));
  const what = said === '' ? '' : `: ${said}`;
  return `Command not found (exit code ${NOT_FOUND})${what}. Correct the command, or install what it needs, and run again.`;
}

/** A traceback keeps its lines; what else would move a terminal's cursor is written out. */
function showText(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => escapeLine(line.replaceAll('\t', '  '), SHOWN_STDERR + 1))
    .join('\n');
}

/** The code by which a shell says that there is no such command. */
export const NOT_FOUND = 127;
