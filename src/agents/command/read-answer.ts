import { maskKeys } from '../../secrets/mask-keys.ts';
import { toVisible } from '../../text/visible-text.ts';
import { AgentError, type Answer } from '../../types.ts';
import { findError, parseAnswer } from '../returned-answer.ts';
import type { UnknownFields } from '../unknown-fields.ts';
import { NOT_FOUND } from './missing-command.ts';
import type { Finished } from './run-shell.ts';

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
  const said = toVisible(maskKeys(stderr.trim().split('\n').at(-1) ?? '').replace(/^sh: (?:line )?\d+: /, ''));
  return `Command not found (exit code ${NOT_FOUND}): ${said}. Correct the command, or install what it needs, and run again.`;
}

/** A traceback keeps its lines; what else would move a terminal's cursor is written out. */
function showText(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => toVisible(line.replaceAll('\t', '  '), SHOWN_STDERR + 1))
    .join('\n');
}
