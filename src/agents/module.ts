import { spawnSync } from 'node:child_process';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { escapeLines, quote, showPath, showValue } from '../text/show.ts';
import { attempt, describeThrown, mapError, toPlainError } from '../text/thrown.ts';
import {
  type Agent,
  AgentError,
  type Answer,
  type AnswerContext,
  type Attachment,
  ERROR_KINDS,
  type Progress,
  type Question,
} from '../types.ts';
import { Fields, isCount, isObject } from './fields.ts';
import { type AgentSpec, findSpecProblem, refuseSpec } from './kinds.ts';
import { toProviderError } from './model-error.ts';
import { parseAnswer, parseProgress, UnknownFields, unknownKind } from './returned-answer.ts';
import { fingerprintFiles, withImports } from './source-files.ts';

/**
 * The agent of `module:./agent.ts`: the file's default export, which is a function `(question, context) => answer` or an
 * object `{name?, answer, priced?}`. Relative paths start at the project's root. Throws when there is no such agent, or
 * when its import does not end. A busy loop in it cannot be interrupted: it runs in the worker.
 */
export async function createModuleAgents(spec: AgentSpec): Promise<readonly Agent[]> {
  const problem = findSpecProblem(spec, process.cwd());
  if (problem !== null) throw new Error(problem);
  const file = resolve(spec.target);
  const fingerprint = `module:${fingerprintFiles([file], resolve(file, '..'))}`;
  const { name, answer, priced } = parseExported(spec, await load(spec, file));
  const unknown = new UnknownFields();
  return [
    {
      name,
      fingerprint,
      priced,
      remarks: (gated) => unknown.describe(gated),
      answer: async (question, context) => {
        const heard: Pick<Progress, 'trace'> = {};
        const onProgress = (said: unknown) => {
          const progress = parseProgress(said);
          if (progress?.trace !== undefined) Object.assign(heard, { trace: progress.trace });
          if (progress !== null) context.onProgress?.({ ...progress, ...heard });
        };
        try {
          const returned = await answer(copyQuestion(question), withListener(context, onProgress));
          const said = parseAnswer(returned);
          limitText(said);
          unknown.look(returned);
          return { ...heard, ...said };
        } catch (error) {
          throw toAgentError(error);
        }
      },
    },
  ];
}

/** As many characters as a command may write bytes: an answer that no file can hold would be paid for and lost. */
const MAX_TEXT = 10 * 1024 * 1024;

function limitText({ text, ...progress }: Answer): void {
  if (text === null || text.length <= MAX_TEXT) return;
  const problem = `The module's text must have at most ${MAX_TEXT} characters, got ${text.length}.`;
  throw new AgentError('bad_response', `${problem} Return the answer alone.`, { progress });
}

/** The context with a listener of ours, which checks what a module reports. Its getters stay, since reading one acts. */
function withListener(context: AnswerContext, onProgress: (said: unknown) => void): AnswerContext {
  const listener = { value: onProgress, enumerable: true };
  return Object.create(Object.prototype, { ...Object.getOwnPropertyDescriptors(context), onProgress: listener });
}

/**
 * A module that asks a provider fails as that does: what its SDK throws is no crash of the agent. Plain JavaScript may
 * throw anything, also an AgentError with wrong fields, so a new error is made of it.
 */
function toAgentError(thrown: unknown): AgentError {
  const known = attempt(() => (thrown instanceof AgentError ? checkError(thrown) : toProviderError(thrown)));
  if (known !== undefined && known !== null) return known;
  return new AgentError('agent_crash', describeThrown(thrown), { cause: toPlainError(thrown) });
}

/** Numbers have the limits of a returned answer's; how long the call took is measured. */
function checkError(error: AgentError): AgentError {
  const { kind, status, requestId, progress } = error;
  if (!ERROR_KINDS.includes(kind)) return unknownKind(kind);
  const { message, cause } = toPlainError(error);
  return new AgentError(kind, message, {
    status: isCount(status) ? status : null,
    requestId: typeof requestId === 'string' ? requestId.slice(0, 200) : null,
    progress: parseProgress(progress) ?? {},
    cause,
  });
}

type Exported = {
  readonly name: string;
  readonly priced: boolean;
  readonly answer: (question: Question, context: AnswerContext) => unknown;
};

/** How many characters of an error's message or stack a refusal keeps. */
const MAX_STACK = 20_000;

async function load(spec: AgentSpec, file: string): Promise<unknown> {
  try {
    const module = await importModule(pathToFileURL(file).href);
    return typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined;
  } catch (thrown) {
    const error = mapError(toPlainError(thrown), (text) => escapeLines(stripVTControlCharacters(text), MAX_STACK));
    const place = findSyntaxError(file, error);
    if (place !== null) throw refusal(spec, `syntax error at ${place}. Correct the file and run again`);
    const said = `${error.name}: ${error.message}`.replaceAll(/\s+/g, ' ');
    const remedy = `Correct it, or try it alone: node ${spec.target}`;
    throw refusal(spec, `the file cannot be loaded (${quote(said)}). ${remedy}`, error);
  }
}

function parseExported(spec: AgentSpec, exported: unknown): Exported {
  if (typeof exported === 'function') {
    return { name: spec.text, priced: false, answer: (question, context) => exported(question, context) };
  }
  if (!isObject(exported) || !('answer' in exported) || (exported.answer ?? null) === null) {
    const form = 'a function or an object {name?, answer, priced?}';
    throw refusal(spec, `the default export must be ${form}, got ${showValue(exported)}. Export the agent as default`);
  }
  const fields = new Fields(exported, (field, allowed, value) => {
    const problem = `"${field}" of the default export must be ${allowed}, got ${showValue(value)}`;
    return refusal(spec, `${problem}. Correct the file`);
  });
  const name = fields.text('name')?.trim() || spec.text;
  const priced = fields.read('priced', 'true or false', (value) => typeof value === 'boolean') ?? false;
  const answer = fields.read('answer', 'a function', (value) => typeof value === 'function');
  return { name, priced, answer: (question, context) => answer?.call(exported, question, context) };
}

function refusal(spec: AgentSpec, problem: string, cause?: Error): Error {
  return new Error(refuseSpec(spec, `${problem}.`), cause === undefined ? undefined : { cause });
}

/** A module may load a model while it is imported; a top-level await that never settles would hold the run for ever. */
const LIMIT_MS = 60_000;

/**
 * Imports a module of the user's by its URL; in a run Vite compiles it, as it compiles tests. Rejects when its import has
 * not ended after `limitMs` milliseconds.
 */
export async function importModule(url: string, limitMs = LIMIT_MS): Promise<unknown> {
  const limit = Promise.withResolvers<never>();
  const problem = `its import has not ended after ${limitMs / 1000} s: a top-level await in it, or in a file that it imports, is still waiting`;
  const timer = setTimeout(() => limit.reject(new Error(problem)), limitMs);
  try {
    return await Promise.race([import(/* @vite-ignore */ url), limit.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Where a module that could not be imported, or a file that it imports, is no JavaScript or TypeScript:
 * "agent.ts:2:14: Unexpected token". Null when the import failed for another reason.
 */
export function findSyntaxError(file: string, thrown: Error): string | null {
  const said = stripVTControlCharacters(`${thrown.stack ?? ''}\n${thrown.message}`);
  if (!/pars|syntax/i.test(said)) return null;
  const vite = readVite(said);
  return vite !== null && /^\S+\.[cm]?tsx?:/.test(vite) ? vite : (checkScripts(file) ?? vite ?? readNode(said));
}

/** What Vite says of TypeScript, in a frame of lines. */
function readVite(said: string): string | null {
  const [, what = 'syntax error'] = /\[PARSE_ERROR\] (.+)/.exec(said) ?? [];
  const [, path, line, column] = /\[ (\S[^[\]\n]*):(\d+):(\d+) \]/.exec(said) ?? [];
  return path === undefined ? null : `${showPath(resolve(path))}:${line}:${column}: ${what}`;
}

/** Vite runs JavaScript with lines of its own before it, and names a wrong place; Node alone names the right one. */
function checkScripts(file: string): string | null {
  for (const script of withImports([file]).filter((path) => ['.js', '.mjs', '.cjs'].includes(extname(path)))) {
    const found = readNode(spawnSync(process.execPath, ['--check', script], { env: {}, encoding: 'utf8' }).stderr);
    if (found !== null) return found;
  }
  return null;
}

/** What Node says: the line and, except at the end of a file, marks below the place. */
function readNode(said: string): string | null {
  const [, path, line] = /^(\/.+):(\d+)\n/.exec(said) ?? [];
  const [, before = ''] = /^( *)\^+$/m.exec(said) ?? [];
  const [, what] = /^SyntaxError[^:]*: (.+)$/m.exec(said) ?? [];
  if (path === undefined || what === undefined) return null;
  return `${showPath(resolve(path))}:${line}:${before.length + 1}: ${what}`;
}

/**
 * A copy of a question that its reader may change. The fields are named one by one, so that nothing else of a record
 * comes along; attachments are looked at only when they are read, since that makes the work folder.
 */
export function copyQuestion(question: Question): Question {
  const { id, suite, prompt, input, group, choices, multiple } = question;
  let copies: readonly Attachment[] | null = null;
  return {
    id,
    suite,
    prompt,
    input,
    group,
    ...(choices === undefined ? {} : { choices: { ...choices } }),
    ...(multiple === undefined ? {} : { multiple }),
    get attachments() {
      copies ??= question.attachments.map(({ name, path }) => ({ name, path }));
      return copies;
    },
    set attachments(changed) {
      copies = changed;
    },
  };
}
