import pLimit from 'p-limit';
import { sumUsage } from '../data/files/usage.ts';
import type { MediaPart } from '../tools/media.ts';
import { runTool, type Tool, type ToolContext, type ToolResult } from '../tools/tool.ts';
import {
  AgentError,
  type Answer,
  type CutShort,
  type Progress,
  type Sent,
  type TokenCounts,
  type TraceFile,
  type TraceStep,
} from '../words/answer.ts';
import { nonEmpty, omitNullish } from '../words/fields.ts';
import type { Message } from '../words/sample.ts';
import { cutLong } from '../words/show.ts';
import { brokenReply, ModelError, type Received } from './model-error.ts';

/**
 * A JSON schema for replies, for servers that can hold a model to it. `name` has letters and "_"
 * only.
 */
export type ReplyFormat = Readonly<{
  name: string;
  schema: Readonly<Record<string, unknown>>;
  /** The system message for the model. */
  system: string;
}>;

/** The conversation about one question. */
export type Exchange = Readonly<{
  model: string;
  /** The user's messages and the replies to them so far, the last one the user's. */
  messages: readonly Message[];
  /** Files that the model sees after the messages. */
  shown: readonly MediaPart[];
  tools: readonly Tool[];
  context: ToolContext;
  maxSteps: number;
  stream: boolean;
  format?: ReplyFormat | undefined;
  /** The host and port. */
  server: string;
  transcript: Transcript;
  received(): Received | null;
  /** Sends a request, again while its failure may pass. Throws a ModelError or the signal's reason. */
  repeat<T>(send: () => Promise<T>): Promise<T>;
  /** Call it for each piece of text or reasoning of a streamed reply. */
  onToken(): void;
  /** Call it after each reply and after the results of its calls. */
  onStep(): void;
}>;

/** What a conversation begins with: the messages, and the files that the model sees after them. */
export function beginHistory<Part>(
  { messages, shown }: Exchange,
  toPart: (file: MediaPart) => Part,
) {
  const files = { role: 'user' as const, content: shown.map(toPart) };
  return shown.length === 0 ? [...messages] : [...messages, files];
}

/** A conversation in the form of one API. It stores the history. */
export type Conversation = {
  /** Sends the history and adds the reply to it. A failed request leaves the history as it was. */
  ask(): Promise<ModelReply>;
  /** Adds the results of the last reply's calls. */
  addResults(results: readonly CallResult[]): void;
};

/** One reply of a model, in the same form for every API. */
export type ModelReply = Readonly<{
  text: string | null;
  /** Why the text is not a complete answer, else null. The text before a refusal is no answer. */
  incompleteReason: 'refusal' | CutShort | null;
  reasoning: string | null;
  /** Empty when the model is done. */
  calls: readonly ToolCall[];
  /** The calls that the provider ran itself. */
  served?: TraceStep['tool_calls'];
  /** Why the reply ended, as the provider calls it. */
  stop: string | null;
  /** Whether the provider must be asked again with the same history. */
  isPaused?: boolean;
  /** Null when the server reports no counts. */
  usage: TokenCounts | null;
  /** Of a refused prompt: no model was asked. */
  isFree?: boolean;
  model: string | null;
}>;

/** A call of a tool, which `CallReader` has made fit to be sent back. */
export type ToolCall = Readonly<{
  id: string;
  name: string;
  /** JSON if the model followed the schema, else what it wrote. */
  arguments: string;
  /** The arguments as the history repeats them. */
  input: Readonly<Record<string, unknown>>;
}>;

export type CallResult = Readonly<{ call: ToolCall; result: ToolResult }>;

/** USD of one request; null if unknown. */
export type CostOf = (counts: TokenCounts) => number | null;

/**
 * Asks the model, runs the tools that its reply calls, sends their results, and repeats this until
 * a reply calls no tool. The model also gets the errors of tools. Throws `step_limit` if the last
 * allowed reply still calls tools.
 */
export async function converse(conversation: Conversation, exchange: Exchange): Promise<void> {
  const { transcript, maxSteps } = exchange;
  for (;;) {
    const reply = await request(conversation, exchange);
    transcript.add(reply);
    exchange.onStep();
    if (reply.calls.length === 0 && reply.isPaused !== true) return;
    if (transcript.steps >= maxSteps) {
      const problem = `The model still called tools after ${maxSteps} requests.`;
      throw new AgentError('step_limit', `${problem} Raise EVAL_MAX_STEPS or max_steps.`);
    }
    if (reply.calls.length > 0) conversation.addResults(await runCalls(reply.calls, exchange));
    exchange.onStep();
  }
}

/**
 * The record of one conversation with a model: the answer, the trace and the sums over all
 * requests.
 */
export class Transcript {
  readonly #start = performance.now();
  readonly #costOf: CostOf | null;
  readonly #model: string;
  readonly #sent: Sent;
  readonly #replies: (ModelReply & Timed)[] = [];
  /** The counts of replies that were no answers, which are paid for too. */
  readonly #lost: TokenCounts[] = [];
  readonly #results = new Map<ToolCall, ToolResult & Timed>();
  #firstTokenMs: number | null = null;

  constructor(model: string, costOf: CostOf | null, sent: Sent) {
    this.#model = model;
    this.#costOf = costOf;
    this.#sent = sent;
  }

  get steps(): number {
    return this.#replies.length;
  }

  add(reply: ModelReply): void {
    this.#replies.push({ ...reply, at_ms: this.#now() });
  }

  addLost(usage: TokenCounts): void {
    this.#lost.push(usage);
  }

  /** Notes the time of the first piece of text or reasoning, after `waitedMs` of waiting for the server. */
  addToken(waitedMs: number): void {
    this.#firstTokenMs ??= Math.max(0, Math.round(this.#now() - waitedMs));
  }

  addResult(call: ToolCall, result: ToolResult): void {
    this.#results.set(call, { ...result, at_ms: this.#now() });
  }

  /** The last reply as the answer. */
  toAnswer(waitedMs: number): Answer {
    return { ...toOutput(this.#replies.at(-1)), ...this.toProgress(waitedMs) };
  }

  toProgress(waitedMs: number): Progress {
    const counted = nonEmpty([...this.#lost, ...this.#replies.flatMap(({ usage }) => usage ?? [])]);
    const requests = this.#countRequests();
    const cost = requests && this.#costOf ? sumCosts(requests, this.#costOf) : null;
    return {
      model: this.#replies.findLast(({ model }) => model !== null)?.model ?? this.#model,
      steps: this.#replies.length,
      waitedMs,
      sent: this.#sent,
      trace: this.#replies.map((reply) => this.#toStep(reply)),
      ...omitNullish({
        firstTokenMs: this.#firstTokenMs,
        usage: counted && sumUsage(counted),
        requests,
      }),
      ...(cost === null ? {} : { costUsd: cost, costEstimated: true as const }),
    };
  }

  /** The tokens of all requests; null if those of one are unknown, or if there was none. */
  #countRequests(): readonly TokenCounts[] | null {
    const counts = this.#replies.flatMap((reply) => countTokens(reply) ?? []);
    if (counts.length < this.#replies.length) return null;
    return nonEmpty([...this.#lost, ...counts]) ?? null;
  }

  #costOfReply(reply: ModelReply): number | null {
    const counts = countTokens(reply);
    return counts && (this.#costOf?.(counts) ?? null);
  }

  #now(): number {
    return Math.round(performance.now() - this.#start);
  }

  #toStep(reply: ModelReply & Timed): TraceStep {
    const { text, reasoning, calls, served = [], stop, usage, at_ms } = reply;
    const ran = calls.map((call) => {
      const { output = null, failed = false, media = [], at_ms } = this.#results.get(call) ?? {};
      return { ...call, result: output, failed, at_ms, files: nonEmpty(media.map(toTraceFile)) };
    });
    return {
      text: cutText(text, MAX_TEXT),
      reasoning: cutText(reasoning, MAX_TEXT),
      tool_calls: [...served, ...ran].map(
        ({ name, arguments: args, result, failed, at_ms, files }) => ({
          name: cutLong(name, 200),
          arguments: cutLong(args, MAX_CALL),
          result: cutText(result, MAX_CALL),
          failed,
          ...omitNullish({ at_ms, files }),
        }),
      ),
      stop,
      usage: usage === null ? null : sumUsage([usage]),
      at_ms,
      ...omitNullish({ cost_usd: this.#costOfReply(reply) }),
    };
  }
}

/**
 * The cost of requests; null if one is unknown. Each is priced alone, since prices may rise with its
 * length.
 */
export function sumCosts(requests: readonly TokenCounts[], costOf: CostOf): number | null {
  const costs = requests.map(costOf);
  return costs.every((cost) => cost !== null) ? costs.reduce((sum, cost) => sum + cost, 0) : null;
}

/** What a request is paid by; null if unknown. */
function countTokens(reply: ModelReply): TokenCounts | null {
  const { usage, isFree = false } = reply;
  if (isFree) return NO_TOKENS;
  return usage === null || isUncounted(reply, usage) ? null : usage;
}

export const NO_TOKENS: TokenCounts = {
  input_tokens: 0,
  output_tokens: 0,
  cached_tokens: 0,
  reasoning_tokens: 0,
  cache_write_tokens: 0,
};

/** Milliseconds since the question was asked. */
type Timed = { readonly at_ms: number };

function toTraceFile({ name, base64 }: MediaPart): TraceFile {
  return { name, bytes: Buffer.byteLength(base64, 'base64') };
}

/** A prompt that the server refuses is answered by that: it says something about the model. */
async function request(
  conversation: Conversation,
  { repeat, transcript }: Exchange,
): Promise<ModelReply> {
  const ask = async () => {
    try {
      return await conversation.ask();
    } catch (error) {
      if (error instanceof ModelError && error.usage !== null) transcript.addLost(error.usage);
      throw error;
    }
  };
  try {
    return await repeat(ask);
  } catch (error) {
    if (error instanceof ModelError && error.refusal !== null) return toRefusedReply(error);
    throw error;
  }
}

/** The reply that a refused request counts as. Its text, for the trace, is what the server said. */
function toRefusedReply({ refusal, message }: ModelError): ModelReply {
  const nothing = { reasoning: null, calls: [], usage: null, model: null, isFree: true };
  return { ...nothing, text: message, incompleteReason: 'refusal', stop: refusal };
}

/**
 * The most tools that run at once for one reply: it may call thousands, and other samples need the
 * machine too.
 */
const MOST_AT_ONCE = 8;

function runCalls(
  calls: readonly ToolCall[],
  { tools, context, transcript }: Exchange,
): Promise<readonly CallResult[]> {
  const limit = pLimit(MOST_AT_ONCE);
  const running = calls.map(async (call) => {
    const result = await limit(() => runTool(tools, call.name, call.arguments, context));
    transcript.addResult(call, result);
    return { call, result };
  });
  return Promise.all(running);
}

/** How many characters of a text and of a call a trace shows. */
const MAX_TEXT = 20_000;
const MAX_CALL = 8_000;

function toOutput(last: ModelReply | undefined): Pick<Answer, 'output' | 'reason' | 'cutShort'> {
  const { text, incompleteReason } = last ?? { text: null, incompleteReason: null };
  if (text === null || incompleteReason === 'refusal')
    return { output: null, reason: incompleteReason ?? 'empty' };
  return { output: text, ...omitNullish({ cutShort: incompleteReason }) };
}

/** Reads a reply. What its server counted for one that is refused is kept with the error: it is paid. */
export function readCounted(
  usage: TokenCounts | null,
  read: () => Omit<ModelReply, 'usage'>,
): ModelReply {
  try {
    const reply = { ...read(), usage };
    refuseEmpty(reply);
    return reply;
  } catch (error) {
    if (error instanceof ModelError) error.usage = usage;
    throw error;
  }
}

/**
 * Refuses a reply without any content that stopped for a call, or for which the server counted no
 * tokens: the model was not asked, or its reply was lost. A model that says nothing is counted.
 */
function refuseEmpty(reply: ModelReply): void {
  const { text, reasoning, calls, served = [], stop, usage, incompleteReason } = reply;
  if (incompleteReason !== null || calls.length > 0 || served.length > 0) return;
  const isSilent = (text ?? reasoning) === null;
  // Anthropic's models announce a call in a text.
  if (stop === 'tool_use' || (isSilent && STOPS_FOR_CALL.has(stop ?? '')))
    throw brokenReply(`The reply stopped for a call without one (${stop})`);
  if (!isSilent) return;
  if (usage?.output_tokens === 0)
    throw brokenReply('The server generated nothing: it counts no output tokens');
}

const STOPS_FOR_CALL: ReadonlySet<string> = new Set(['tool_calls', 'function_call']);

/** Whether a server counted no tokens for a reply with content: its cost would wrongly be 0. */
function isUncounted(
  { text, reasoning, calls }: ModelReply,
  { input_tokens, output_tokens }: TokenCounts,
): boolean {
  const isEmpty = (text ?? '') === '' && (reasoning ?? '') === '' && calls.length === 0;
  return !isEmpty && (input_tokens === 0 || output_tokens === 0);
}

function cutText(text: string | null, maxLength: number): string | null {
  return text === null ? null : cutLong(text, maxLength);
}
