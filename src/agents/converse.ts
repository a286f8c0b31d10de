import pLimit from 'p-limit';
import { cut } from '../text/show.ts';
import { runTool, type ToolResult } from '../tools/tool.ts';
import { AgentError, type CutShort, type TraceStep, type Usage } from '../types.ts';
import type { Received } from './fetch.ts';
import type { Talk } from './model-agent.ts';
import { createModelError, describeOrigin, findAgentError, hideKeys, toModelError } from './model-error.ts';

/** One API's side of a conversation: it keeps the history in the API's own form. */
export type Conversation = {
  /** Sends the history and adds the reply to it. */
  ask(): Promise<Turn>;
  /** Adds the results of the calls of the last reply. */
  tell(results: readonly { readonly call: ToolCall; readonly result: ToolResult }[]): void;
};

/**
 * The loop of ask, run the tools that were called for, tell: until a reply calls for none. What fails in a tool is told
 * to the model. Throws `step_limit` when the last allowed reply still calls for tools.
 */
export async function converse(
  conversation: Conversation,
  talk: Pick<Talk, 'transcript' | 'tools' | 'context' | 'maxSteps' | 'onStep'>,
): Promise<void> {
  const { transcript, tools, context, maxSteps } = talk;
  for (;;) {
    const turn = await conversation.ask();
    transcript.add(turn);
    talk.onStep();
    if (turn.calls.length === 0) return;
    if (transcript.steps >= maxSteps) throw stepLimit(maxSteps);
    const calls = new ReplyCalls();
    const results = turn.calls.map(async (call) => {
      const result = await calls.run(() => runTool(tools, call.name, call.arguments, context));
      transcript.addResult(call, result);
      return { call, result };
    });
    conversation.tell(await Promise.all(results));
    talk.onStep();
  }
}

export function stepLimit(maxSteps: number): AgentError {
  const remedy = 'Raise EVAL_MAX_STEPS or the parameter max_steps.';
  return new AgentError('step_limit', `The model still called for tools after ${maxSteps} requests. ${remedy}`);
}

/** A call of a tool as the model asked for it; `arguments` is JSON if the model kept to the schema. */
export type ToolCall = {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
};

/** Tokens of one request. Cache writes are part of `input_tokens`; only prices need them. */
export type TokenCounts = Usage & { readonly cache_write_tokens: number };

/** One reply of a model, whatever the API. */
export type Turn = {
  readonly text: string | null;
  /** What keeps the text from being a whole answer: null when it is one. What stands before a refusal is no answer. */
  readonly flaw: 'refusal' | CutShort | null;
  readonly reasoning: string | null;
  /** The calls to be run; empty when the model is done. */
  readonly calls: readonly ToolCall[];
  /** The calls that the provider ran itself; none unless given. */
  readonly served?: TraceStep['tool_calls'];
  /** Why the reply ended, in the provider's word. */
  readonly stop: string | null;
  /** Null when the server does not count. */
  readonly usage: TokenCounts | null;
  readonly model: string | null;
};

/** Calls of one reply that run side by side: a reply may ask for thousands, and other samples need the machine too. */
const MOST_AT_ONCE = 8;
/** Calls of one reply that are run at all; models ask for a handful. */
const MOST_CALLS = 128;
const TOO_MANY: ToolResult = {
  output: `Error: not run, since one reply called for more than ${MOST_CALLS} tools. Call for fewer at a time.`,
  media: [],
  failed: true,
};

/** The calls of tools that one reply asks for, in their order. */
export class ReplyCalls {
  readonly #limit = pLimit(MOST_AT_ONCE);
  #count = 0;

  /** Runs a call in its turn; one too many is told to the model instead. */
  run(call: () => Promise<ToolResult>): Promise<ToolResult> {
    this.#count++;
    return this.#count > MOST_CALLS ? Promise.resolve(TOO_MANY) : this.#limit(call);
  }
}

/**
 * Runs one request of an SDK and the reading of its reply; what is thrown becomes an AgentError without secrets, except
 * an abort, which stays the signal's reason. A stream that is aborted may simply end, so the signal has the last word.
 */
export async function request<T>(
  { context: { signal }, received, server }: Talk,
  secrets: readonly (string | null)[],
  send: () => Promise<T>,
): Promise<T> {
  try {
    const reply = await send();
    signal.throwIfAborted();
    return reply;
  } catch (error) {
    signal.throwIfAborted();
    const hidden = secrets.filter((secret) => secret !== null);
    throw explain(error, received(), server, hidden);
  }
}

/**
 * What was thrown, as an AgentError that says what the server sent: an SDK says of a wrong reply only where it stumbled
 * over it.
 */
function explain(error: unknown, received: Received | null, server: string, secrets: readonly string[]): AgentError {
  const seen = { status: received?.status ?? null, requestId: received?.requestId ?? null, server };
  const own = findAgentError(error);
  const unexpected = describeMove(received) ?? describeUnexpected(received);
  if (unexpected !== null) return createModelError('bad_response', unexpected, { ...seen, secrets });
  if (own === null) return toModelError(error, secrets, seen);
  const status = own.status ?? seen.status;
  const requestId = own.requestId ?? seen.requestId;
  const origin = describeOrigin({ status, server, requestId: own.requestId === null ? requestId : null });
  return new AgentError(own.kind, `${hideKeys(own.message, secrets)}${origin}`, { status, requestId });
}

/** To follow it would hand the question to a host that nobody chose, and grade the answer of that. */
function describeMove(received: Received | null): string | null {
  if (received === null || received.movedTo === null) return null;
  const where = received.movedTo === '' ? 'nowhere' : `to ${JSON.stringify(cut(received.movedTo, 300))}`;
  return `The server answered ${received.status} and points ${where}, which is not followed`;
}

function describeUnexpected(received: Received | null): string | null {
  if (received === null || received.unexpected === null) return null;
  const { status, mediaType, streamAsked, unexpected } = received;
  const wanted = streamAsked ? 'a stream of events' : 'JSON';
  const came = `The server answered ${status} with ${mediaType || 'a body of no stated type'} instead of ${wanted}`;
  const start = unexpected.start.trim();
  const shown = start === '' ? 'nothing' : JSON.stringify(cut(start, 200));
  if (!streamAsked || !/json/.test(mediaType)) return `${came}: ${shown}`;
  return `${came}: ${shown}. It seems not to stream: leave out stream=on, and keep max_tokens below 21,000 for anthropic`;
}
