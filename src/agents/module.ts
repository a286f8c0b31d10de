import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { DOCS } from '../package.ts';
import { endInTime } from '../processes/end-in-time.ts';
import {
  type Agent,
  AgentError,
  type AnswerContext,
  ERROR_KINDS,
  type Progress,
} from '../words/answer.ts';
import { isFields, omitNullish, pick } from '../words/fields.ts';
import { ownCopy } from '../words/own-copy.ts';
import type { Json, Question } from '../words/sample.ts';
import { cut, escapeLines, quote, showPath, showValue, tryOrUndefined } from '../words/show.ts';
import { describeThrown, mapError, toPlainError } from '../words/thrown.ts';
import { Fields, isCount } from './fields.ts';
import { ModelError, toProviderError } from './model-error.ts';
import { parseAnswer, readProgress, UnknownFields, unknownKind } from './returned-answer.ts';
import { type AgentSource, describeMissingFile, lookAgain, readFiles } from './source-files.ts';
import { type AgentSpec, refuseSpec } from './spec.ts';
import { locateSyntaxError } from './syntax-error.ts';

/**
 * The agent of `module:./agent.ts`: the file's default export, which is a function `(question,
 * context) => answer` or an object `{name?, answer, priced?}`. Relative paths start at the
 * working directory. Throws when there is no such agent, or when its import does not end. viva cannot
 * interrupt a busy loop in it, because it runs in the worker.
 */
export async function createModuleAgent(
  spec: AgentSpec,
  { load, ...found }: ModuleSetting = {},
): Promise<Agent> {
  const missing = describeMissingFile(spec.target, process.cwd());
  if (missing !== null) throw new Error(refuseSpec(spec, missing));
  const file = resolve(spec.target);
  const refuse = (problem: string) => refusal(spec, problem);
  const written = parseAgent(
    await loadAgent(spec, file, load),
    spec.text,
    'the default export',
    refuse,
  );
  return toAgent(written, sourceOf(found, file) ?? readSource(file));
}

/**
 * An agent of a suite in an eval file: a function, or an object `{name?, answer, priced?}`. `name`
 * is that of one of several.
 */
export function createOwnAgent(
  written: unknown,
  name: string | null,
  suite: string,
  file: string,
  sources: AgentSources = {},
): Agent {
  const refuse = (problem: string) => new Error(`${showPath(file)}: ${problem}.`);
  const what = name === null ? 'the agent' : `the agent ${quote(name)}`;
  const key = name === null ? suite : `${suite}#${name}`;
  const source = sources[`${file}#${key}`] ?? sources[file] ?? readSource(file);
  const agent = toAgent(parseAgent(written, `${suite} agent`, what, refuse), source);
  // One file may define several agents.
  return name === null ? agent : { ...agent, name, fingerprint: `${agent.fingerprint}#${name}` };
}

/**
 * What an agent of the user's own code depends on, by the absolute path of a module or an eval file, or
 * "FILE#SUITE" for an agent that an eval file imports, "FILE#" and one of these for an agent that it may change, or the name of an own kind, or "command:LINE".
 */
export type AgentSources = Readonly<Record<string, AgentSource>>;

/** Without Vite, only the text of files shows what they import. */
export function readSource(file: string): AgentSource {
  return readFiles([file], dirname(file));
}

export function toAgent({ name, answer, priced }: Written, source: AgentSource): Agent {
  const unknown = new UnknownFields();
  return {
    name,
    fingerprint: `module:${source.hash}`,
    parts: source.parts,
    recordings: source.recordings,
    findChange: lookAgain(source.read),
    ...omitNullish({ cacheCoverage: describeNotFollowed(source) }),
    priced,
    remarks: (hidden) => unknown.describe(hidden),
    answer: async (question, context) => {
      const reported: Pick<Progress, 'trace'> = {};
      const onProgress = (value: unknown) => {
        // What is reported may be anything, also what throws when it is looked at.
        tryOrUndefined(() => unknown.look(value));
        const { progress, problem } = readProgress(value);
        if (problem !== null) unknown.addMistake(problem);
        if (progress?.trace !== undefined) Object.assign(reported, { trace: progress.trace });
        if (progress !== null) context.onProgress?.({ ...progress, ...reported });
      };
      try {
        const returned = await answer(ownQuestion(question), withListener(context, onProgress));
        const parsed = parseAnswer(returned);
        unknown.look(returned);
        return { ...reported, ...parsed };
      } catch (error) {
        const failure = toAgentError(error);
        // A prompt that its provider refuses says something about the model.
        if (failure instanceof ModelError && failure.refusal !== null)
          return { ...reported, output: null, reason: 'refusal' };
        throw failure;
      }
    },
  };
}

/** A copy that the user's code may change. Reading its attachments makes the work folder, as before. */
function ownQuestion(question: Question<Json>): Question<Json> {
  type Name = Exclude<keyof Question<Json>, 'attachments'>;
  const names = Object.keys(question).filter((name): name is Name => name !== 'attachments');
  return {
    ...ownCopy(pick(question, ...names)),
    get attachments() {
      return ownCopy(question.attachments);
    },
  };
}

/** Says which edits the cache would not notice; null if there are none. */
export function describeNotFollowed({ notFollowed }: AgentSource): string | null {
  if (notFollowed.length === 0) return null;
  const more = notFollowed.length - MOST_SHOWN;
  const shown = notFollowed.slice(0, MOST_SHOWN).join(', ');
  return `not followed: ${shown}${more > 0 ? ` and ${more} more` : ''}. Set EVAL_CACHE_KEY after a change there: see ${DOCS}/agents.md#cached-answers.`;
}

const MOST_SHOWN = 10;

/** An agent that costs nothing, and need not say so. */
export function toFree(agent: Agent): Agent {
  const free = (asked: Pick<Agent, 'answer'>): Agent['answer'] => {
    return async (question, context) => {
      context.onProgress?.({ costUsd: 0 });
      return { costUsd: 0, ...(await asked.answer(question, context)) };
    };
  };
  const { openConversation } = agent;
  const converses = openConversation && {
    openConversation() {
      const conversation = openConversation.call(agent);
      return { answer: free(conversation), close: () => conversation.close() };
    },
  };
  const price = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, source: 'free' };
  return { ...agent, priced: true, price, answer: free(agent), ...converses };
}

export type ModuleSetting = Readonly<{
  /**
   * Imports a module by its URL. The default is Node's own import. In a run Vite compiles the
   * module like a test.
   */
  load?: (url: string) => Promise<unknown>;
  /** What Vite found out about modules before the run. */
  sources?: AgentSources;
  /** The eval file whose questions the agent answers. */
  evalFile?: string;
}>;

/** What a module, "command:LINE" or an own kind depends on; undefined if Vite did not see it. */
export function sourceOf(
  { sources, evalFile }: ModuleSetting,
  agent: string,
): AgentSource | undefined {
  return sources?.[`${evalFile}#${agent}`] ?? sources?.[agent];
}

async function loadByNode(url: string): Promise<unknown> {
  try {
    return await import(/* @vite-ignore */ url);
  } catch (cause) {
    const isUnknown = Reflect.get(Object(cause), 'code') === 'ERR_UNKNOWN_FILE_EXTENSION';
    if (!isUnknown || process.features.typescript) throw cause;
    const remedy = 'use Node 22.18 or later, or JavaScript';
    const message = `Node ${process.versions.node} does not load TypeScript: ${remedy}`;
    throw new Error(message, { cause });
  }
}

/**
 * Imports a module of the user by its URL. Rejects when the import has not ended after `limitMs`
 * milliseconds: a top-level await that never settles would block the run for ever.
 */
export async function importModule(
  url: string,
  limitMs = 60_000,
  load = loadByNode,
): Promise<unknown> {
  const loadWhole = () =>
    load(url).catch((error: unknown) => {
      throw locateSyntaxError(error, fileURLToPath(url));
    });
  return endMaking(loadWhole(), 'its import', 'a top-level await', limitMs);
}

/** Rejects when what makes an agent has not ended in time. */
export function endMaking<T>(
  made: Promise<T>,
  what: string,
  where = 'an await',
  limitMs = 60_000,
): Promise<T> {
  const problem = `${what} has not ended after ${limitMs / 1000} s: ${where} is still waiting`;
  return endInTime(made, limitMs, problem);
}

type Written = Readonly<{
  name: string;
  priced: boolean;
  answer: (question: Question<Json>, context: AnswerContext) => unknown;
}>;

async function loadAgent(
  spec: AgentSpec,
  file: string,
  load: ModuleSetting['load'],
): Promise<unknown> {
  try {
    const module = await importModule(pathToFileURL(file).href, undefined, load);
    return isFields(module) ? module['default'] : undefined;
  } catch (thrown) {
    const remedy = `Correct it, or try it alone: node ${showPath(spec.target)}`;
    throw refusalOf(spec, 'the file cannot be loaded', thrown, remedy);
  }
}

/** Says what the user's code threw before it was an agent. */
export function refusalOf(
  spec: AgentSpec,
  problem: string,
  thrown: unknown,
  remedy = 'Correct it',
): Error {
  const cause = mapError(toPlainError(thrown), (text) =>
    escapeLines(stripVTControlCharacters(text), 20_000),
  );
  const shown = cut(`${cause.name}: ${cause.message}`.replaceAll(/\s+/g, ' '), 400);
  return refusal(spec, `${problem} (${shown}). ${remedy}`, { cause });
}

/** Checks an agent that a user wrote. `what` is its name in messages. */
export function parseAgent(
  written: unknown,
  usualName: string,
  what: string,
  refuse: (problem: string) => Error,
): Written {
  if (typeof written === 'function') {
    return {
      name: usualName,
      priced: false,
      answer: (question, context) => written(question, context),
    };
  }
  if (!isFields(written) || (written['answer'] ?? null) === null) {
    throw refuse(
      `${what} must be a function or an object {name?, answer, priced?}, got ${showValue(written)}`,
    );
  }
  const fields = new Fields(written, (field, allowed, value) =>
    refuse(`"${field}" of ${what} must be ${allowed}, got ${showValue(value)}`),
  );
  const name = fields.text('name')?.trim() || usualName;
  const priced =
    fields.read('priced', 'true or false', (value) => typeof value === 'boolean') ?? false;
  const answer = fields.read('answer', 'a function', (value) => typeof value === 'function');
  return { name, priced, answer: (question, context) => answer?.call(written, question, context) };
}

export function refusal(
  spec: AgentSpec,
  problem: string,
  options: { readonly cause?: unknown } = {},
): Error {
  return new Error(refuseSpec(spec, `${problem}.`), options);
}

/**
 * The context with our own `onProgress`, which checks what a module reports. Reading `workdir`
 * creates the folder.
 */
function withListener(context: AnswerContext, onProgress: (value: unknown) => void): AnswerContext {
  const { signal, deadlineMs, maxSteps, trial } = context;
  return {
    signal,
    ...omitNullish({ deadlineMs }),
    maxSteps,
    trial,
    onProgress,
    get workdir() {
      return context.workdir;
    },
  };
}

/**
 * A provider error in a module is an error of the provider, not a crash of the agent. Plain
 * JavaScript may throw anything, even an AgentError with wrong fields, so this makes a new error.
 */
function toAgentError(thrown: unknown): AgentError {
  const checked = tryOrUndefined(() =>
    thrown instanceof AgentError ? checkError(thrown) : toProviderError(thrown),
  );
  if (checked !== undefined && checked !== null) return checked;
  return new AgentError('agent_crash', describeThrown(thrown), { cause: toPlainError(thrown) });
}

/**
 * Checks an AgentError. Numbers have the same limits as in a returned answer. The latency is
 * measured, not taken from the error.
 */
function checkError(error: AgentError): AgentError {
  const { kind, status, requestId, progress } = error;
  if (!ERROR_KINDS.includes(kind)) return unknownKind(kind);
  const { message, cause } = toPlainError(error);
  const read = Object.keys(Object(progress)).length === 0 ? null : readProgress(progress);
  const said = read?.problem ? `${message} (${read.problem})` : message;
  return new AgentError(kind, said, {
    status: isCount(status) ? status : null,
    requestId: typeof requestId === 'string' ? requestId.slice(0, 200) : null,
    progress: read?.progress ?? {},
    cause,
  });
}
