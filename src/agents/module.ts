import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { escapeLine, escapeLines, quote, showValue } from '../text/show.ts';
import { attempt, describeThrown, mapError, toPlainError } from '../text/thrown.ts';
import {
  type Agent,
  AgentError,
  type Answer,
  type AnswerContext,
  type Attachment,
  ERROR_KINDS,
  type Question,
  type TraceStep,
} from '../types.ts';
import type { AgentSpec } from './agent-spec.ts';
import { toProviderError } from './model-error.ts';
import { isCount, parseAnswer, parseProgress, UnknownFields, unknownKind } from './returned-answer.ts';
import { fingerprintFiles, isFile } from './source-files.ts';
import { findSyntaxError } from './syntax-error.ts';

/**
 * The agent of `module:./agent.ts`: the file's default export, which is a function `(question, context) => answer` or an
 * object `{name?, answer, priced?}`. Relative paths start at the project's root. Throws when there is no such agent, or
 * when its import does not end. A busy loop in it cannot be interrupted: it runs in the worker.
 */
export async function createModuleAgents(spec: AgentSpec): Promise<readonly Agent[]> {
  const file = resolve(spec.target);
  if (spec.target === '' || !isFile(file)) {
    throw refusal(spec, `no such file, got ${quote(spec.target)}. Write its path relative to the project's root`);
  }
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
        const start = performance.now();
        const heard: { trace?: readonly TraceStep[] } = {};
        const onProgress = (said: unknown) => {
          const progress = parseProgress(said, performance.now() - start);
          if (progress?.trace !== undefined) heard.trace = progress.trace;
          if (progress !== null) context.onProgress?.({ ...progress, ...heard });
        };
        try {
          const returned = await answer(question, withProgress(context, onProgress));
          const said = parseAnswer(returned, performance.now() - start);
          limitText(said);
          unknown.look(returned);
          return { ...heard, ...said };
        } catch (error) {
          throw toThrown(error, performance.now() - start, file);
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

/** The context with a listener of ours: what a module reports is checked. Its getters stay, since reading one acts. */
function withProgress(context: AnswerContext, onProgress: (said: unknown) => void): AnswerContext {
  const listener = { value: onProgress, enumerable: true };
  return Object.create(Object.prototype, { ...Object.getOwnPropertyDescriptors(context), onProgress: listener });
}

/**
 * A module that asks a provider fails as that does: what its SDK throws is no crash of the agent. Plain JavaScript may
 * throw anything, also an AgentError of which no field is what it should be: what goes on is made anew.
 */
function toThrown(thrown: unknown, elapsedMs: number, file: string): AgentError {
  const known = attempt(() => (thrown instanceof AgentError ? toStated(thrown, elapsedMs) : toProviderError(thrown)));
  if (known !== undefined && known !== null) return known;
  const cause = toPlainError(thrown);
  const place = IS_UNREADABLE.test(cause.message) ? findSyntaxError(file, cause) : null;
  if (place !== null) return new AgentError('agent_crash', `syntax error at ${escapeLine(place)}. Correct the file.`);
  return new AgentError('agent_crash', describeThrown(thrown), { cause });
}

/** What Vite says of a file that a call imports. */
const IS_UNREADABLE = /^(?:Failed to parse source|Parse failure|Transform failed)/;

/** Numbers have the limits of a returned answer's; how long the call took is measured, and not asked. */
function toStated(error: AgentError, elapsedMs: number): AgentError {
  const { kind, status, requestId, progress } = error;
  if (!ERROR_KINDS.includes(kind)) return unknownKind(kind);
  const { message, cause } = toPlainError(error);
  return new AgentError(kind, message, {
    status: isCount(status) ? status : null,
    requestId: typeof requestId === 'string' ? requestId.slice(0, 200) : null,
    progress: parseProgress(progress, elapsedMs) ?? {},
    cause,
  });
}

type Exported = {
  readonly name: string;
  readonly priced: boolean;
  readonly answer: (question: Question, context: AnswerContext) => unknown;
};

async function load(spec: AgentSpec, file: string): Promise<unknown> {
  try {
    const module = await importModule(pathToFileURL(file).href);
    return typeof module === 'object' && module !== null && 'default' in module ? module.default : undefined;
  } catch (thrown) {
    const error = mapError(toPlainError(thrown), stripVTControlCharacters);
    const place = findSyntaxError(file, error);
    if (place !== null)
      throw refusal(spec, `syntax error at ${escapeLine(endSentence(place))} Correct the file and run again`);
    const said = `${error.name}: ${error.message}`.replaceAll(/\s+/g, ' ');
    const problem = `the file cannot be loaded (${quote(said)})`;
    throw refusal(spec, `${problem}. Correct it, or try it alone: node ${escapeLine(spec.target, MAX_SHOWN)}`, error);
  }
}

/** Some compilers end what they say with a sign, as "Did you mean ...?". */
function endSentence(said: string): string {
  return /[.?!]$/.test(said) ? said : `${said}.`;
}

/** The question is copied for each call: an agent that changes it changes nothing for others. */
function parseExported(spec: AgentSpec, exported: unknown): Exported {
  if (typeof exported === 'function') {
    return {
      name: spec.text,
      priced: false,
      answer: (question, context) => exported(copyQuestion(question), context),
    };
  }
  if (typeof exported !== 'object' || exported === null || !('answer' in exported)) {
    const form = 'a function or an object {name?, answer, priced?}';
    throw refusal(spec, `the default export must be ${form}, got ${showValue(exported)}. Export the agent as default`);
  }
  const { name = spec.text, answer, priced = false } = readFields(exported);
  if (typeof name !== 'string' || name.trim() === '') throw mistyped(spec, 'name', 'a text', name);
  if (typeof answer !== 'function') throw mistyped(spec, 'answer', 'a function', answer);
  if (typeof priced !== 'boolean') throw mistyped(spec, 'priced', 'true or false', priced);
  return { name, priced, answer: (question, context) => answer.call(exported, copyQuestion(question), context) };
}

function readFields(exported: object): {
  readonly name?: unknown;
  readonly answer?: unknown;
  readonly priced?: unknown;
} {
  return exported;
}

function mistyped(spec: AgentSpec, field: string, allowed: string, value: unknown): Error {
  return refusal(
    spec,
    `"${field}" of the default export must be ${allowed}, got ${showValue(value)}. Correct the file`,
  );
}

/** How many characters of a spec a message shows: a path may have as many. */
const MAX_SHOWN = 1_000;

const MAX_STACK = 20_000;

/** Without frames: Vitest then prints no code of viva's. */
function refusal({ text }: AgentSpec, problem: string, cause?: Error): Error {
  const message = `EVAL_AGENT=${escapeLine(text, MAX_SHOWN)}: ${problem}.`;
  const error = new Error(
    message,
    cause === undefined ? undefined : { cause: mapError(toPlainError(cause), (line) => escapeLines(line, MAX_STACK)) },
  );
  error.stack = `Error: ${message}`;
  return error;
}

/** A module may load a model while it is imported; a top-level await that never settles would hold the run for ever. */
const LIMIT_MS = 60_000;

type Importer = (url: string) => Promise<unknown>;

let importer: Importer = (url) => import(url);

/** Has the user's modules imported in another way: in a worker Vite compiles them, and knows the files they import. */
export function importModulesBy(other: Importer): void {
  importer = other;
}

/** Imports a module of the user's by its URL. Rejects when its import has not ended after `limitMs` milliseconds. */
export async function importModule(url: string, limitMs = LIMIT_MS): Promise<unknown> {
  const limit = Promise.withResolvers<never>();
  const problem = `its import has not ended after ${limitMs / 1000} s: a top-level await in it, or in a file that it imports, is still waiting`;
  const timer = setTimeout(() => limit.reject(new Error(problem)), limitMs);
  try {
    return await Promise.race([importer(url), limit.promise]);
  } finally {
    clearTimeout(timer);
  }
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
