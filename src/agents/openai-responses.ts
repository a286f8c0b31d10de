import type OpenAI from 'openai';
import { type MediaPart, toDataUrl } from '../tools/media.ts';
import type { Agent, TraceStep } from '../words/answer.ts';
import { field, nonEmpty, omitNullish, pick, textField } from '../words/fields.ts';
import { numberFrom, oneOf, onOff, wholeNumber } from '../words/setting-values.ts';
import {
  beginHistory,
  type Conversation,
  type Exchange,
  type ModelReply,
  readCounted,
} from './converse.ts';
import { readEnding, toCutShort } from './failures.ts';
import { CallReader, toSendable, toSendableValue, type WrittenCall } from './history.ts';
import { COMMON_PARAMETERS, createModelAgent, type ModelSetting } from './model-agent.ts';
import { createModelError, streamEnded, toReplyError, toStatedError } from './model-error.ts';
import { createOpenAI, toOpenAIUsage } from './openai-client.ts';
import { joinTexts, toText, toThought } from './reply-texts.ts';
import {
  type AgentSpec,
  chooseHosted,
  hostedTool,
  type ParameterValues,
  REASONING_EFFORT,
  readParameters,
} from './spec.ts';

const PARAMETERS = {
  ...COMMON_PARAMETERS,
  /** The provider's own tools. */
  web_search: hostedTool(),
  code_execution: hostedTool(),
  temperature: numberFrom(0, 2),
  top_p: numberFrom(0, 1),
  max_output_tokens: wholeNumber(1),
  reasoning_effort: REASONING_EFFORT,
  verbosity: oneOf('low', 'medium', 'high'),
  service_tier: oneOf('auto', 'default', 'flex', 'priority'),
  /**
   * "off" is for compatible servers that refuse `store` and `include`. Reasoning is then not sent
   * back.
   */
  encrypted_reasoning: onOff(),
} as const;

type Parameters = ParameterValues<typeof PARAMETERS>;

/**
 * `openai:MODEL`: OpenAI's Responses API, or a compatible server's. OpenAI is asked to store
 * nothing between requests, unless `encrypted_reasoning=off` leaves `store` to the server.
 */
export function createOpenAIResponses(spec: AgentSpec, setting: ModelSetting): Promise<Agent> {
  const parameters = readParameters(spec, PARAMETERS);
  const hosted = chooseOpenAITools(parameters);
  const { service_tier: tier } = parameters;
  return createModelAgent(spec, parameters, setting, {
    // The price lists contain only the standard tier.
    priceListing: tier === 'flex' || tier === 'priority' ? null : 'openai',
    media: { image: 20_000_000, pdf: 20_000_000, audio: 0 },
    showsPdfs: true,
    transcribes: true,
    hosted: hosted.map(({ type }) => ({
      type,
      guarded: type === 'code_interpreter' ? null : false,
    })),
    createClient: createOpenAI,
    start: (client, exchange) =>
      startConversation(client, exchange, toRequest(exchange, parameters, hosted)),
  });
}

function startConversation(
  client: OpenAI,
  exchange: Exchange,
  fixed: ReturnType<typeof toRequest>,
): Conversation {
  const input: OpenAI.Responses.ResponseInputItem[] = beginHistory(exchange, toPart);
  const reader = new CallReader(exchange.tools, /^.{1,64}$/s);
  const ids = new Set<string>();
  return {
    ask: async () => {
      const response = await respond(client, { ...fixed, input: [...input] }, exchange);
      const usage = toOpenAIUsage(response?.usage);
      const reply = readCounted(usage, () => readReply(response, reader));
      // Without its earlier reasoning a model would repeat it.
      input.push(
        ...toReplayed(response.output ?? [], reply, { ids, isStored: fixed.store !== false }),
      );
      return reply;
    },
    addResults: (results) => {
      for (const { call, result } of results) {
        const { output: text, media } = result;
        const output =
          media.length === 0 ? text : [{ type: 'input_text' as const, text }, ...media.map(toPart)];
        input.push({ type: 'function_call_output', call_id: call.id, output });
      }
    },
  };
}

function toRequest(exchange: Exchange, parameters: Parameters, hosted: readonly OpenAIHosted[]) {
  const { temperature, top_p, max_output_tokens, service_tier } = parameters;
  const { reasoning_effort, verbosity, encrypted_reasoning = true } = parameters;
  const vivaTools = exchange.tools.map(({ name, description, schema }) => ({
    type: 'function' as const,
    name,
    description,
    parameters: { ...schema },
    strict: false,
  }));
  // For the trace.
  const shown = hosted.map(({ type }) =>
    type === 'code_interpreter'
      ? ('code_interpreter_call.outputs' as const)
      : ('web_search_call.action.sources' as const),
  );
  const replayed = encrypted_reasoning ? ['reasoning.encrypted_content' as const] : [];
  const format = exchange.format && {
    type: 'json_schema' as const,
    name: exchange.format.name,
    schema: { ...exchange.format.schema },
    strict: true,
  };
  return {
    model: exchange.model,
    ...omitNullish({
      store: encrypted_reasoning ? false : undefined,
      include: nonEmpty([...replayed, ...shown]),
      tools: nonEmpty([...vivaTools, ...hosted]),
      instructions: exchange.format?.system,
      temperature,
      top_p,
      max_output_tokens,
      service_tier,
      reasoning: reasoning_effort && { effort: reasoning_effort },
      text: (verbosity || format) && omitNullish({ verbosity, format }),
    }),
  };
}

/**
 * The last event of a stream contains the whole response. The SDK's own collector (openai 7.55) adds
 * fields that the API refuses when they are sent back.
 */
async function respond(
  client: OpenAI,
  body: OpenAI.Responses.ResponseCreateParamsNonStreaming,
  { stream, onToken, context: { signal } }: Exchange,
): Promise<Response> {
  if (!stream) return checkCompleted((await client.responses.create(body, { signal })) as Response);
  const done: Item[] = [];
  for await (const event of await client.responses.create({ ...body, stream: true }, { signal })) {
    // A server that does not stream.
    if (textField(event, 'object') === 'response')
      return checkCompleted(event as unknown as Response);
    if (event.type === 'response.output_item.done') done.push(event.item as Item);
    if (DELTAS.has(event.type) && textField(event, 'delta') !== null) onToken();
    const ended = event.type === 'response.completed' || event.type === 'response.incomplete';
    if (ended || event.type === 'response.failed') {
      const response = event.response as Response;
      // Some servers leave the items out of it.
      return { ...response, output: nonEmpty([...(response.output ?? [])]) ?? done };
    }
    if (event.type === 'error') throw toStatedError({ error: event }, event) ?? streamEnded();
  }
  signal.throwIfAborted();
  throw createModelError('network', 'The stream ended before the response was complete');
}

/** What servers send as a response: less than the SDK's type promises. */
type Response = Readonly<{
  output?: readonly Item[] | null;
  status?: string | null;
  incomplete_details?: { readonly reason?: string } | null;
  usage?: unknown;
  model?: unknown;
}>;

type Item = Readonly<{
  type: string;
  id?: unknown;
  role?: string;
  call_id?: unknown;
  name?: unknown;
  arguments?: unknown;
  status?: unknown;
  summary?: readonly Part[] | null;
  content?: string | readonly Part[] | null;
  encrypted_content?: string | null;
  phase?: unknown;
  action?: unknown;
  code?: unknown;
  container_id?: unknown;
  outputs?: unknown;
}>;

type Part = Readonly<{ type?: string; text?: unknown; refusal?: string | null }>;

/** The events with a piece of what the model shows. */
const DELTAS: ReadonlySet<string> = new Set([
  'response.output_text.delta',
  'response.refusal.delta',
  'response.reasoning_text.delta',
  'response.reasoning_summary_text.delta',
]);

/** Refuses a response that the server has not finished. A stream ends by its last event. */
function checkCompleted(response: Response): Response {
  const status = textField(response, 'status');
  if (status !== 'queued' && status !== 'in_progress') return response;
  throw toReplyError(response, `The response is ${status}, not completed`);
}

/** The items of a response that the next request repeats, each with an id of its own or none. */
function toReplayed(
  items: readonly Item[],
  { calls }: ModelReply,
  { ids, isStored }: { ids: Set<string>; isStored: boolean },
): OpenAI.Responses.ResponseInputItem[] {
  const rest = [...calls];
  const replayed = items.flatMap((item): Readonly<Record<string, unknown>>[] => {
    const { type } = item;
    const names = REPLAYED[type];
    if (names === undefined) return [];
    const content = toParts(item.content).filter(({ text }) => toSendable(toText(text)) !== null);
    if (type === 'message' && content.length === 0) return [];
    // What the server has not stored it can only take with its content.
    if (type === 'reasoning' && !isStored && !item.encrypted_content && !item.content) return [];
    const call = type === 'function_call' ? rest.shift() : undefined;
    if (type === 'function_call' && call === undefined) return [];
    const called = call && {
      call_id: call.id,
      name: call.name,
      arguments: JSON.stringify(toSendableValue(call.input)),
    };
    const summary = type === 'reasoning' ? (item.summary ?? []) : null;
    const kept = { ...pick(toSendableValue(item), ...names), summary };
    const said = type === 'message' ? { content: toSendableValue(content) } : {};
    return [omitNullish({ ...kept, ...said, ...called, id: toItemId(item.id, ids) })];
  });
  // Reasoning is only taken before what it led to.
  const last = replayed.findLastIndex(({ type }) => type !== 'reasoning');
  const [led, trailing] = [replayed[last] ?? [], replayed.slice(last + 1)];
  return [...replayed.slice(0, Math.max(last, 0)), ...trailing, led].flat() as never;
}

/** The fields of each item that the API takes back. */
const REPLAYED: Readonly<Partial<Record<string, readonly (keyof Item)[]>>> = {
  message: ['type', 'role', 'status', 'content', 'phase'],
  reasoning: ['type', 'summary', 'content', 'encrypted_content', 'status'],
  function_call: ['type', 'status'],
  web_search_call: ['type', 'status', 'action'],
  code_interpreter_call: ['type', 'status', 'code', 'container_id', 'outputs'],
};

/** The API takes ids of 64 characters at most, each once. */
function toItemId(id: unknown, ids: Set<string>): string | null {
  if (typeof id !== 'string' || id === '' || id.length > 64 || ids.has(id)) return null;
  ids.add(id);
  return id;
}

/** Throws if the response failed or is not valid. A missing status counts as completed. */
function readReply(response: Response, reader: CallReader): Omit<ModelReply, 'usage'> {
  const status = textField(response, 'status');
  if (status === 'failed' || status === 'cancelled')
    throw toReplyError(response, `The response is ${status}`);
  const stated = toStatedError(response, response);
  if (stated !== null) throw stated;
  const items = response?.output ?? [];
  // Only a reply that a limit cut short may be empty.
  if (items.length === 0 && status !== 'incomplete')
    throw toReplyError(
      response,
      'The server answered without a list "output", or with an empty one',
    );
  const ofType = (type: string) => items.filter((item) => item.type === type);
  const parts = ofType('message').flatMap(({ content }) => toParts(content));
  const thoughts = ofType('reasoning').flatMap(({ summary, content }) =>
    [...(summary ?? []), ...toParts(content)].map(({ text }) => toThought(text)),
  );
  const isRefused = parts.some(({ refusal }) => refusal);
  const why =
    status === 'incomplete' ? (response.incomplete_details?.reason ?? 'incomplete') : null;
  const incompleteReason = isRefused ? 'refusal' : why === null ? null : toIncomplete(why);
  return {
    text: joinTexts(items.flatMap(readMessage)),
    incompleteReason,
    reasoning: thoughts.filter((text) => text !== '').join('\n') || null,
    // The last call of a reply that was cut short may lack half of its arguments.
    calls: reader.read(incompleteReason === null ? ofType('function_call').map(toWritten) : []),
    served: items.filter((item) => SERVED_ITEMS.includes(item.type)).map(toServedCall),
    stop: why ?? (isRefused ? 'refusal' : status),
    model: textField(response, 'model'),
  };
}

function toIncomplete(why: string): ModelReply['incompleteReason'] {
  const ending = readEnding(why);
  return ending === 'refusal' ? ending : (toCutShort(ending) ?? 'incomplete');
}

function toWritten({ call_id, id, name, arguments: args }: Item): WrittenCall {
  return { id: call_id ?? id, name, arguments: args };
}

function toParts(content: Item['content']): readonly Part[] {
  return typeof content === 'string' ? [{ text: content }] : (content ?? []);
}

/** Calls that the provider ran. */
const SERVED_ITEMS: readonly unknown[] = ['web_search_call', 'code_interpreter_call'];

function toServedCall(item: unknown): TraceStep['tool_calls'][number] {
  const outputs = field(item, 'outputs') ?? null;
  return {
    name: textField(item, 'type')?.replace(/_call$/, '') ?? '',
    arguments: textField(item, 'code') ?? JSON.stringify(field(item, 'action') ?? {}),
    result: outputs === null ? null : JSON.stringify(outputs),
    failed: textField(item, 'status') === 'failed',
  };
}

/** The texts of a message, and null for what is between it and the next. */
function readMessage({ type, content }: Item): readonly (string | null)[] {
  return type === 'message' ? [...toParts(content).map(({ text }) => toText(text)), null] : [];
}

function toPart(part: MediaPart) {
  if (part.kind === 'pdf')
    return { type: 'input_file' as const, filename: part.name, file_data: toDataUrl(part) };
  return { type: 'input_image' as const, image_url: toDataUrl(part), detail: 'auto' as const };
}

type OpenAIHosted = ReturnType<typeof chooseOpenAITools>[number];

/** The chosen tools in the form of requests. OpenAI's search accepts no list of sites to exclude. */
function chooseOpenAITools(values: Parameters) {
  const searches = chooseHosted('web_search', ['web_search' as const], values);
  const codes = chooseHosted('code_execution', ['code_interpreter' as const], values);
  return [
    ...searches.map((type) => ({ type })),
    ...codes.map((type) => ({ type, container: { type: 'auto' as const } })),
  ];
}
