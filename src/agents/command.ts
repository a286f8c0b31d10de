import { relative } from 'node:path';
import type { Writable } from 'node:stream';
import { type Finished, NOT_FOUND, runShell } from '../processes/run-shell.ts';
import { WORKER_VARIABLES } from '../vitest-worker.ts';
import { type Agent, AgentError, type Answer, type AnswerContext } from '../words/answer.ts';
import { isFields } from '../words/fields.ts';
import type { Json, Question } from '../words/sample.ts';
import { maskKeys } from '../words/secrets.ts';
import { plural, tryOrUndefined } from '../words/show.ts';
import { type ModuleSetting, sourceOf } from './module.ts';
import { findError, parseAnswer, UnknownFields } from './returned-answer.ts';
import {
  type AgentSource,
  anchorNamedFiles,
  findNamedFiles,
  lookAgain,
  readFiles,
} from './source-files.ts';
import { type AgentSpec, refuseSpec } from './spec.ts';

/**
 * The agent of `command:CMDLINE`. For each question `/bin/sh -c CMDLINE` runs in the call's work
 * folder, with the user's environment without EVAL_*. It reads the question as one line of JSON
 * from stdin and writes its answer to stdout. Relative paths of existing files on the command line
 * start at the working directory.
 */
export function createCommandAgent(spec: AgentSpec, setting: ModuleSetting = {}): Agent {
  const { text, target } = spec;
  if (target === '') {
    throw new Error(refuseSpec(spec, 'no command is named. Write it after the colon.'));
  }
  if (process.platform === 'win32') throw new Error(refuseSpec(spec, NO_SHELL));
  const root = process.cwd();
  const script = `${CLEAN_ENVIRONMENT}${anchorNamedFiles(target, root)}`;
  const files = findNamedFiles(target, root);
  const source = sourceOf(setting, `command:${target}`) ?? readFiles(files, root);
  const unknown = new UnknownFields();
  return {
    name: text,
    fingerprint: `command:${target}:${source.hash}`,
    parts: source.parts,
    findChange: lookAgain(source.read),
    cacheCoverage: describeCacheCoverage(source, files, root),
    remarks: (hidden) => unknown.describe(hidden),
    answer: async (question, context) => {
      const { workdir, signal } = context;
      const options = { input: toInputLine(question, context), workdir, signal };
      return readAnswer(await runShell(script, options), unknown);
    },
    openConversation: () => new CommandConversation(script, unknown),
  };
}

const NO_SHELL =
  'Windows has neither /bin/sh nor process groups. Use WSL, or start the program in a module: agent.';

function toInputLine(question: Question<Json>, context: AnswerContext): string {
  const { trial, maxSteps: max_steps, deadlineMs: deadline_ms = null } = context;
  return `${JSON.stringify({ ...question, deadline_ms, max_steps, trial })}\n`;
}

/** How long a command may run on after its last line of input. */
const CLOSE_MS = 2000;

/**
 * A command that stays for all turns of a conversation: it reads a question as a line of JSON, and
 * writes its reply as one line, plain text or the JSON that it would otherwise print.
 */
class CommandConversation {
  readonly #script: string;
  readonly #unknown: UnknownFields;
  readonly #controller = new AbortController();
  readonly #decoder = new TextDecoder();
  #stdin: Promise<Writable> | null = null;
  #finished: Promise<Finished> | null = null;
  /** What no turn has read. */
  #unread = '';
  #onLine: () => void = () => {};

  constructor(script: string, unknown: UnknownFields) {
    this.#script = script;
    this.#unknown = unknown;
  }

  async answer(question: Question<Json>, context: AnswerContext): Promise<Answer> {
    const { workdir, signal } = context;
    const abort = () => this.#controller.abort(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      this.#stdin ??= this.#start(workdir);
      const stdin = await this.#stdin;
      // A line too many would else be taken for the reply to the next turn.
      if (this.#unread.trim() !== '') throw MORE_LINES;
      this.#unread = '';
      const line = new Promise<null>((resolve) => {
        this.#onLine = () => resolve(null);
      });
      stdin.write(toInputLine(question, context));
      const ended = this.#finished?.then((finished) => this.#describeEnd(finished)) ?? null;
      const error = await Promise.race([line, ended]);
      if (error !== null) throw error;
      const [reply = '', ...others] = this.#unread.split(/\r?\n/);
      if (others.join('').trim() !== '') throw MORE_LINES;
      this.#unread = '';
      const object = parseAnswerObject(reply);
      this.#unknown.look(object);
      return parseAnswer(object ?? reply);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** The command gets the end of its input, and a little time. */
  async close(): Promise<void> {
    const stdin = await this.#stdin?.catch(() => null);
    stdin?.end();
    const timer = setTimeout(() => this.#controller.abort(new Error('closed')), CLOSE_MS);
    await this.#finished?.catch(() => {});
    clearTimeout(timer);
  }

  #start(workdir: string): Promise<Writable> {
    return new Promise((resolve, reject) => {
      this.#finished = runShell(this.#script, {
        input: null,
        workdir,
        signal: this.#controller.signal,
        onStart: resolve,
        onOutput: (chunk) => {
          this.#unread += this.#decoder.decode(chunk, { stream: true });
          if (this.#unread.includes('\n')) this.#onLine();
        },
      });
      this.#finished.then((finished) => reject(this.#describeEnd(finished)), reject);
    });
  }

  #describeEnd(finished: Finished): AgentError {
    if (finished.code === 0 && !finished.stdoutOverflowed)
      return new AgentError(
        'agent_crash',
        'The command ended before it had replied to every turn.',
      );
    return describeFailure(finished);
  }
}

/**
 * Says which edits change the fingerprint: after any other edit, the cache would still answer for
 * the old version.
 */
function describeCacheCoverage(
  { read, notFollowed }: AgentSource,
  files: readonly string[],
  root: string,
): string {
  const named = files.length > 0 ? files : read.slice(0, 3).map(({ path }) => path);
  const others = read.filter(({ path }) => !named.includes(path)).length;
  const names = named.map((file) => relative(root, file)).join(', ');
  const more = others > 0 ? ` and ${plural(others, 'file')} imported or named there` : '';
  const seen =
    named.length === 0
      ? 'no edits, because the command line names no file'
      : `only edits of ${names}${more}`;
  const missed = notFollowed.length === 0 ? '' : ` (not followed: ${notFollowed.join(', ')})`;
  return `the cache notices ${seen}${missed}. After any other edit, set EVAL_CACHE_KEY to a new text.`;
}

/**
 * Removes two kinds of variables from the environment: those that Vitest has added, unless the user
 * set another value, and viva's settings, because EVAL_GAIA, EVAL_DIR and OLDPWD may lead to the
 * expected answers. `export -p` needs no process.
 */
const CLEAN_ENVIRONMENT = `${WORKER_VARIABLES.map((set) => set.split('='))
  .map(([name, value]) => `[ "\${${name}-}" != '${value}' ] || unset ${name}; `)
  .join('')}
while read -r viva_export viva_name; do
  viva_name=\${viva_name%%=*}
  case $viva_name in
    *[!A-Za-z0-9_]*) ;;
    EVAL_* | VITEST | VITEST_*) unset "$viva_name" ;;
  esac
done <<viva_names
$(export -p)
viva_names
unset viva_export viva_name OLDPWD
`;

/**
 * The answer of a command: its stdout as text, or the fields of stdout if it is one JSON object
 * with an `error` or an `output` (null: no answer). Throws an AgentError if the command failed or wrote
 * too much.
 */
function readAnswer(finished: Finished, unknown: UnknownFields): Answer {
  const { code, stdout } = finished;
  const object = parseAnswerObject(stdout);
  // A program that reports an error as JSON usually exits non-zero too.
  const isStated = object !== null && findError(object) !== null;
  if (finished.stdoutOverflowed || (code !== 0 && !isStated)) throw describeFailure(finished);
  unknown.look(object);
  return parseAnswer(object ?? stdout);
}

function describeFailure(finished: Finished): AgentError {
  const { code, stdoutOverflowed } = finished;
  if (stdoutOverflowed) return TOO_MUCH;
  const kind = code === NOT_FOUND ? 'machine' : 'agent_crash';
  return new AgentError(kind, describeEnd(finished), { status: code });
}

const TOO_MUCH = new AgentError(
  'bad_response',
  'The command wrote more than 10 MB to stdout and was ended. Write only the answer there.',
);

const MORE_LINES = new AgentError(
  'bad_response',
  'The command wrote more than one line for a turn. Write each reply as one line: plain text, or JSON with "output".',
);

function parseAnswerObject(stdout: string): Readonly<Record<string, unknown>> | null {
  if (!/^\s*\{/.test(stdout)) return null;
  const value: unknown = tryOrUndefined(() => JSON.parse(stdout));
  if (!isFields(value)) return null;
  return 'output' in value || findError(value) !== null ? value : null;
}

/** How many characters of stderr an error shows. */
const SHOWN_STDERR = 2000;

function describeEnd({ code, signal, stderr }: Finished): string {
  const found = code === NOT_FOUND ? ', a command that is not found' : '';
  const end = signal === null ? `with exit code ${code}${found}` : `by ${signal}`;
  const whole = maskKeys(stderr.trim()).replaceAll('\r\n', '\n').replaceAll('\t', '  ');
  // Redaction hides half a key only if a mark shows the cut.
  const shown =
    whole.length > SHOWN_STDERR ? `…${whole.slice(-SHOWN_STDERR).toWellFormed()}` : whole;
  const output = shown === '' ? 'It wrote nothing to stderr.' : `The end of its stderr:\n${shown}`;
  return `The command ended ${end}. Pipe a question into it to see why. ${output}`;
}
