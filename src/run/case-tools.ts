import { parseSteps } from '../agents/returned-answer.ts';
import { toJson } from '../data/files/json.ts';
import {
  type CaseName,
  keyOfCall,
  type RecordedCall,
  type RecordedEnd,
  type Recording,
  toOrdered,
} from '../store/recordings.ts';
import { AgentError, type Outcome, type Progress } from '../words/answer.ts';
import { isFields } from '../words/fields.ts';
import { hideKeys } from '../words/hide-keys.ts';
import { isAskedAgain } from '../words/row.ts';
import type { Json } from '../words/sample.ts';
import { cut, quote, tryOrUndefined } from '../words/show.ts';
import { messageOf } from '../words/thrown.ts';
import {
  explainOutside,
  insideTool,
  NoMock,
  nameClass,
  type ToolCall,
  type ToolSession,
} from './record-tools.ts';
import { isThenable } from './user-code.ts';

/** What is done with calls. "live": nothing. "replay or live": as "auto", but nothing is recorded. */
export type CaseMode = 'live' | 'record' | 'replay' | 'auto' | 'replay or live';

/** What the calls of a case are answered with. */
type CaseSetting = Readonly<{
  of: CaseName;
  mode: CaseMode;
  secrets: readonly string[];
  /** The n-th result of a call, from the file of this name. */
  find(name: string, of: CaseName, call: RecordedCall, n: number): Recording | undefined;
  explainMissing(name: string, call: RecordedCall, n: number): string;
  /** Gets calls that belong to no case. */
  onLost(tool: string, call: symbol): void;
  /** Gets the tool of calls that a key alone tells apart. */
  onMixed(tool: string): void;
}>;

/** New recordings of equal calls, from the first on, and the name of their file. */
export type NewRecordings = Readonly<{ name: string; calls: readonly Recording[] }>;

/** The calls of wrapped tools while an agent answers one case. */
export class CaseTools implements ToolSession {
  readonly #setting: CaseSetting;
  readonly #startedAt = performance.now();
  readonly #steps: ShownCall[] = [];
  readonly #counts = { live: 0, replayed: 0, mocked: 0 };
  /** By the name of a file, a tool and its arguments. */
  readonly #equal = new Map<string, EqualCalls>();
  /** Of the files of recordings whose tools are wrapped for this case. */
  readonly #wrapped = new Set<string | null>();
  #fault: string | null = null;
  isOpen = true;
  hasFailed = true;

  constructor(setting: CaseSetting) {
    this.#setting = setting;
  }

  expect(name: string | null): void {
    this.#wrapped.add(name);
  }

  wraps(name: string | null): boolean {
    return this.#wrapped.has(name);
  }

  lose(tool: string, call: symbol): void {
    if (this.#setting.mode === 'replay') this.#fault ??= explainOutside(tool);
    if (this.#setting.mode !== 'live') this.#setting.onLost(tool, call);
  }

  close(): void {
    this.isOpen = false;
  }

  call({ name, tool, given, isAsync, run }: ToolCall): unknown {
    const shown = this.#show(tool, given);
    const { mode, of } = this.#setting;
    if (name === null || mode === 'live') {
      this.#counts[name === null ? 'mocked' : 'live']++;
      return watch(run, (ended) => {
        if (ended.thrown instanceof NoMock) this.#fault ??= ended.thrown.message;
        this.#end(shown, ended);
      });
    }
    const json = this.#toArguments(tool, given);
    if (typeof json === 'string') return this.#refuse(json, shown, isAsync);
    const equal = this.#toEqual(name, tool, json.given);
    const { call } = equal;
    const n = equal.ends.filter((end) => end !== null).length + 1;
    const at = equal.ends.push(undefined) - 1;
    const found = mode === 'record' ? undefined : this.#setting.find(name, of, call, n);
    if (found !== undefined) {
      this.#counts.replayed++;
      equal.ends[at] = toEnd(found);
      return this.#play(found, shown, isAsync);
    }
    if (mode === 'replay')
      return this.#refuse(this.#setting.explainMissing(name, call, n), shown, isAsync);
    this.#counts.live++;
    return watch(run, (ended) => {
      this.#end(shown, ended);
      if (mode === 'replay or live' || !this.isOpen) return;
      // What is called off says nothing of the tool.
      equal.ends[at] = isAbort(ended.thrown) ? null : this.#toRecorded(ended, call);
      equal.isNew = true;
    });
  }

  /** The outcome of the case with what its calls say. */
  complete(outcome: Outcome): Outcome {
    this.hasFailed = outcome.outcome === 'failed';
    const facts = this.#listFacts(outcome);
    if (this.#fault !== null && !isPassing(outcome)) {
      const progress = { ...toProgress(outcome), ...facts };
      const error = new AgentError('tool_not_recorded', this.#fault, { progress });
      const { outcome: _, ...times } = outcome;
      return { ...times, outcome: 'failed', error };
    }
    if (outcome.outcome === 'answered')
      return { ...outcome, answer: { ...outcome.answer, ...facts } };
    const { error } = outcome;
    return { ...outcome, error: error.with({ progress: { ...error.progress, ...facts } }) };
  }

  /** The results to keep: those of equal calls that ended, in the order of the calls. */
  get recorded(): readonly NewRecordings[] {
    const { of } = this.#setting;
    return [...this.#equal.values()].flatMap(({ name, call, ends, isNew }) => {
      const calls = ends.flatMap((end) => (end ? [{ ...of, ...call, ...end }] : []));
      return isNew && calls.length > 0 ? [{ name, calls }] : [];
    });
  }

  /** The tools of calls that were not recorded, since they were called off or have not ended. */
  get unrecorded(): readonly string[] {
    const { mode } = this.#setting;
    if (this.#fault !== null || (mode !== 'record' && mode !== 'auto')) return [];
    return [...this.#equal.values()].flatMap(({ call, ends }) =>
      ends.flatMap((end) => (end ? [] : [call.tool])),
    );
  }

  /** Whether a wrapped tool was called. */
  get isUsed(): boolean {
    return this.#steps.length > 0;
  }

  #listFacts(outcome: Outcome): Pick<Progress, 'trace' | 'toolCalls'> {
    const { trace = [] } = toProgress(outcome);
    const isKnown = this.isUsed || this.#wrapped.size > 0;
    // An agent that reports calls reports them all, with what its model said.
    const isReported = trace.some(({ tool_calls }) => tool_calls.length > 0);
    const seen = parseSteps(this.#steps.map(toStep)) ?? [];
    return {
      ...(isKnown && !isReported ? { trace: [...seen, ...trace] } : {}),
      ...(this.isUsed ? { toolCalls: this.#counts } : {}),
    };
  }

  #show(tool: string, given: unknown): ShownCall {
    const shown: ShownCall = {
      name: tool,
      arguments: tryOrUndefined(() => JSON.stringify(given)) ?? '',
      result: null,
      failed: false,
    };
    this.#steps.push(shown);
    return shown;
  }

  #end(shown: ShownCall, { value, yields, thrown }: Ended): void {
    if (!this.isOpen) return;
    const last = thrown === undefined ? (yields?.at(-1) ?? value) : messageOf(thrown);
    const text = typeof last === 'string' ? last : tryOrUndefined(() => JSON.stringify(last));
    shown.result = text ?? '';
    shown.failed = thrown !== undefined;
    shown.at_ms = Math.round(performance.now() - this.#startedAt);
  }

  /** A message if the arguments have no JSON form. */
  #toArguments(tool: string, given: unknown): { given: Json | undefined } | string {
    try {
      return { given: given === undefined ? undefined : toJson(withoutSignals(given)) };
    } catch (error) {
      return `The arguments of the tool ${quote(tool)} cannot be recorded: ${messageOf(error)}. Pass it data alone.`;
    }
  }

  #toEqual(name: string, tool: string, given: Json | undefined): EqualCalls {
    const ordered = given === undefined ? undefined : toOrdered(given);
    const call: RecordedCall =
      ordered === undefined
        ? { tool }
        : { tool, arguments: hideKeys(ordered, this.#setting.secrets) };
    const key = JSON.stringify([name, keyOfCall(call)]);
    const asked = JSON.stringify(ordered);
    const equal = this.#equal.get(key) ?? { name, call, asked, ends: [], isNew: false };
    if (equal.asked !== asked) this.#setting.onMixed(tool);
    this.#equal.set(key, equal);
    return equal;
  }

  /** Throws, and the case fails, if what a tool returned cannot be kept. */
  #toRecorded({ value, yields, partial, thrown, sync }: Ended, call: RecordedCall): RecordedEnd {
    const keep = (part: unknown) => hideKeys(toLasting(part), this.#setting.secrets);
    try {
      return {
        ...(value === undefined ? {} : { result: keep(value) }),
        ...(yields === undefined ? {} : { yields: yields.map(keep) }),
        ...(partial === undefined ? {} : { partial }),
        ...(thrown === undefined ? {} : { error: keep(toThrownFields(thrown)) }),
        ...(sync === undefined ? {} : { sync }),
      };
    } catch (error) {
      const why = `The result of ${showCall(call)} cannot be recorded: ${messageOf(error)}. Return data that JSON has, such as the text of a date.`;
      this.#fault ??= why;
      throw new Error(why);
    }
  }

  #play(recording: Recording, shown: ShownCall, isAsync: boolean): unknown {
    const { result, error, yields, partial, sync } = recording;
    const thrown = error === undefined ? undefined : toThrown(error);
    this.#end(shown, { value: result, thrown, ...(yields === undefined ? {} : { yields }) });
    const goOn = () => {
      if (partial === true) this.#refuse(explainPartial(recording), shown, false);
      if (thrown !== undefined) throw thrown;
    };
    if (yields !== undefined) return playEach(structuredClone(yields), goOn);
    if (sync !== true || isAsync)
      return thrown === undefined
        ? Promise.resolve(structuredClone(result))
        : Promise.reject(thrown);
    if (thrown !== undefined) throw thrown;
    return structuredClone(result);
  }

  /** Also an agent that goes on after it has an error. */
  #refuse(why: string, shown: ShownCall, isAsync: boolean): unknown {
    this.#fault ??= why;
    const error = new Error(why);
    this.#end(shown, { thrown: error });
    if (!isAsync) throw error;
    const refused = Promise.reject(error);
    refused.catch(() => {});
    return refused;
  }
}

type EqualCalls = {
  readonly name: string;
  readonly call: RecordedCall;
  /** The arguments of the first, with their keys. */
  readonly asked: string | undefined;
  /** In the order of the calls; undefined for one that has not ended, null if it was called off. */
  readonly ends: (RecordedEnd | undefined | null)[];
  isNew: boolean;
};

type ShownCall = {
  readonly name: string;
  readonly arguments: string;
  result: string | null;
  failed: boolean;
  at_ms?: number;
};

function toStep(call: ShownCall) {
  return { tool_calls: [call], at_ms: call.at_ms };
}

/** What was used, without the answer. */
function toProgress(outcome: Outcome): Progress {
  if (outcome.outcome === 'failed') return outcome.error.progress;
  const { output, reason, cutShort, verbatim, latencyMs, ...progress } = outcome.answer;
  return progress;
}

/** Whether the next run asks again anyway, as after a busy provider. */
function isPassing(outcome: Outcome): boolean {
  return outcome.outcome === 'failed' && isAskedAgain(outcome.error.kind);
}

/** How a call ended. */
type Ended = Readonly<{
  value?: unknown;
  yields?: readonly unknown[];
  partial?: true;
  thrown?: unknown;
  sync?: true;
}>;

/** Calls a tool and tells how the call ended; what `end` throws is what the caller gets. */
function watch(run: () => unknown, end: (ended: Ended) => void): unknown {
  let value: unknown;
  try {
    value = insideTool(run);
  } catch (thrown) {
    end({ thrown, sync: true });
    throw thrown;
  }
  if (isGenerator(value)) return watchEach(value, end);
  if (!isThenable(value)) {
    end({ value, sync: true });
    return value;
  }
  return Promise.resolve(value).then(
    (settled: unknown) => {
      end({ value: settled });
      return settled;
    },
    (thrown: unknown) => {
      end({ thrown });
      throw thrown;
    },
  );
}

/** The AI SDK takes the last value as the result, and those before as preliminary ones. */
async function* watchEach(
  source: AsyncGenerator<unknown>,
  end: (ended: Ended) => void,
): AsyncGenerator<unknown> {
  const yields: unknown[] = [];
  let thrown: unknown;
  let isWhole = false;
  try {
    for (;;) {
      const next = await insideTool(() => source.next());
      isWhole = next.done === true;
      if (isWhole) break;
      yields.push(next.value);
      yield next.value;
    }
  } catch (error) {
    thrown = error;
    throw error;
  } finally {
    await source.return(undefined);
    if (thrown !== undefined) end({ yields, thrown });
    else end(isWhole ? { yields } : { yields, partial: true });
  }
}

async function* playEach(yields: readonly unknown[], goOn: () => void): AsyncGenerator<unknown> {
  yield* yields;
  goOn();
}

function explainPartial({ yields = [], ...call }: Recording): string {
  return `${showCall(call)} is recorded up to value ${yields.length}, where its reader left it. EVAL_TOOLS=record records it again.`;
}

function isGenerator(value: unknown): value is AsyncGenerator<unknown> {
  return Object.prototype.toString.call(value) === '[object AsyncGenerator]';
}

function isAbort(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'AbortError';
}

function toEnd({ result, error, yields, partial, sync }: Recording): RecordedEnd {
  return Object.fromEntries(
    Object.entries({ result, error, yields, partial, sync }).filter(
      ([, value]) => value !== undefined,
    ),
  );
}

/** "getOrder({"id":7})", cut if it is long. */
export function showCall({ tool, arguments: given }: RecordedCall): string {
  return `${tool}(${given === undefined ? '' : cut(JSON.stringify(given))})`;
}

/** Arguments without signals and callbacks, which say how a call is made, not what is asked. */
function withoutSignals(value: unknown): unknown {
  if (typeof value === 'function' || value instanceof AbortSignal) return undefined;
  if (Array.isArray(value)) {
    const kept = value.map(withoutSignals);
    return kept.slice(0, kept.findLastIndex((each) => each !== undefined) + 1);
  }
  const prototype: unknown = isFields(value) ? Object.getPrototypeOf(value) : undefined;
  if (!isFields(value) || (prototype !== Object.prototype && prototype !== null)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withoutSignals(each)]),
  );
}

/** A value as JSON, if the value that JSON gives back is the same. Throws with the path of what is not. */
function toLasting(value: unknown): Json {
  const json = toJson(value);
  const other = findOther(value, '');
  if (other !== null) throw new TypeError(other);
  return json;
}

/** `"rows[0].at" is a Date`; null if nothing is found that JSON gives back as something else. */
function findOther(value: unknown, path: string): string | null {
  const what = nameOther(value);
  if (what !== null) return `${path === '' ? 'it' : quote(path)} is ${what}`;
  if (Array.isArray(value)) {
    const found = [...value].indexOf(undefined);
    if (found !== -1) return `${quote(`${path}[${found}]`)} is undefined`;
  }
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, each] of Object.entries(value)) {
    const place = Array.isArray(value)
      ? `${path}[${name}]`
      : `${path === '' ? '' : `${path}.`}${name}`;
    const found = findOther(each, place);
    if (found !== null) return found;
  }
  return null;
}

/** "a Date"; null for what JSON has. */
function nameOther(value: unknown): string | null {
  if (!isFields(value)) return null;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return null;
  return `an object of ${nameClass(value)}`;
}

/** Fields with one word are kept: an error of an HTTP client has its request, with headers. */
function toThrownFields(thrown: unknown): unknown {
  if (!(thrown instanceof Error))
    return { thrown: tryOrUndefined(() => toJson(thrown)) ?? String(thrown) };
  const own = Object.entries(thrown).filter(([, value]) =>
    ['string', 'number', 'boolean'].includes(typeof value),
  );
  const { name, message } = thrown;
  return { ...Object.fromEntries(own), name, message };
}

const ERRORS = { TypeError, RangeError, SyntaxError, URIError, ReferenceError };

function toThrown(error: Json): unknown {
  if (!isFields(error) || 'thrown' in error) return isFields(error) ? error['thrown'] : error;
  const { name, message, ...own } = error;
  const known = Object.entries(ERRORS).find(([each]) => each === name)?.[1] ?? Error;
  const made = Object.assign(new known(String(message)), own);
  if (made.name !== name)
    Object.defineProperty(made, 'name', { value: name, configurable: true, writable: true });
  return made;
}
