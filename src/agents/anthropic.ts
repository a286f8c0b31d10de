import type Anthropic from '@anthropic-ai/sdk';
import { requirePackage } from '../package.ts';
import type { MediaPart } from '../tools/media.ts';
import { BLOCKED_DOMAINS } from '../tools/web/leak-guard.ts';
import type { Agent, TokenCounts, TraceStep } from '../words/answer.ts';
import { field, nonEmpty, omitNullish, textField } from '../words/fields.ts';
import { numberFrom, oneOf, onOff, wholeNumber } from '../words/setting-values.ts';
import { tryOrUndefined } from '../words/show.ts';
import { messageOf } from '../words/thrown.ts';
import {
  beginHistory,
  type CallResult,
  type Conversation,
  type Exchange,
  type ModelReply,
  readCounted,
} from './converse.ts';
import { readEnding, readStop, toCutShort } from './failures.ts';
import { CallReader, toSendable, toSendableValue } from './history.ts';
import { COMMON_PARAMETERS, createModelAgent, type ModelSetting } from './model-agent.ts';
import type { ClientOptions, ModelClient } from './model-client.ts';
import { refuseBroken, streamEnded, toReplyError, toStatedError } from './model-error.ts';
import { toTokenCounts } from './price.ts';
import { joinTexts, toText, toThought } from './reply-texts.ts';
import {
  type AgentSpec,
  chooseHosted,
  type HostedName,
  hostedTool,
  type ParameterValues,
  readParameters,
  refuseSpec,
} from './spec.ts';

/** The versions of the provider's own tools. "on" means the first, which all models know. */
const SEARCHES = ['web_search_20250305', 'web_search_20260209', 'web_search_20260318'] as const;
const FETCHES = [
  'web_fetch_20250910',
  'web_fetch_20260209',
  'web_fetch_20260309',
  'web_fetch_20260318',
] as const;
const CODES = [
  'code_execution_20250825',
  'code_execution_20260120',
  'code_execution_20260521',
] as const;

const PARAMETERS = {
  ...COMMON_PARAMETERS,
  web_search: hostedTool(...SEARCHES),
  web_fetch: hostedTool(...FETCHES),
  code_execution: hostedTool(...CODES),
  temperature: numberFrom(0, 1),
  top_p: numberFrom(0, 1),
  top_k: wholeNumber(1),
  max_tokens: wholeNumber(1),
  thinking: oneOf('adaptive', 'disabled'),
  thinking_budget: wholeNumber(1024),
  effort: oneOf('low', 'medium', 'high', 'xhigh', 'max'),
  /** "off" is for servers that refuse `cache_control`. */
  prompt_cache: onOff(),
} as const;

type Parameters = ParameterValues<typeof PARAMETERS>;

/** Anthropic requires a limit of output tokens. */
const MAX_TOKENS = 16_000;

/** A request for more tokens is streamed: a long silent connection may be cut. */
const MAX_UNSTREAMED_TOKENS = 21_000;

/** `anthropic:MODEL`: the Messages API. */
export function createAnthropic(spec: AgentSpec, setting: ModelSetting): Promise<Agent> {
  const parameters = readParameters(spec, PARAMETERS);
  const { thinking, thinking_budget } = parameters;
  if (thinking !== undefined && thinking_budget !== undefined) {
    const both = `thinking=${thinking} and thinking_budget=${thinking_budget}`;
    throw new Error(refuseSpec(spec, `${both} contradict each other. Keep one of them.`));
  }
  const hosted = chooseAnthropicTools(parameters);
  return createModelAgent(spec, parameters, setting, {
    priceListing: 'anthropic',
    // A picture may have 5 MB as base64, a request 32 MB.
    media: { image: 3_700_000, pdf: 10_000_000, audio: 0 },
    showsPdfs: true,
    transcribes: false,
    hosted: hosted.map(({ type, name }) => ({
      type,
      guarded: name === 'code_execution' ? null : true,
    })),
    createClient,
    start: (client, exchange) =>
      startConversation(client, exchange, toRequest(exchange, parameters, hosted)),
  });
}

async function createClient(options: ClientOptions): Promise<ModelClient<Anthropic>> {
  requirePackage('@anthropic-ai/sdk', "Anthropic's API");
  const { Anthropic: Client } = await import('@anthropic-ai/sdk');
  class KeyedClient extends Client {
    /** Without a key the SDK would use a login on this machine, perhaps another person's. */
    protected override _shouldResolveDefaultCredentials(): boolean {
      return false;
    }
  }
  const client = new KeyedClient(options);
  const isKeyed = client.apiKey !== null || client.authToken !== null;
  const problem = isKeyed ? null : 'No API key for Anthropic was found. Set ANTHROPIC_API_KEY.';
  return { client, baseURL: client.baseURL, problem };
}

function startConversation(
  client: Anthropic,
  exchange: Exchange,
  fixed: ReturnType<typeof toRequest>,
): Conversation {
  const messages: Anthropic.MessageParam[] = beginHistory(exchange, toBlock);
  const reader = new CallReader(exchange.tools, /^[\w-]{1,64}$/);
  // The provider runs code in the container of the last reply, which has the files of earlier code.
  let container: string | undefined;
  return {
    ask: async () => {
      const body = { ...fixed, messages: [...messages], ...omitNullish({ container }) };
      const message = await completeOrUncached(client, body, exchange);
      const reply = readCounted(toUsage(message.usage), () => readReply(message, reader));
      container = message.container?.id ?? container;
      const content = toReplayed(message.content ?? [], reply);
      if (content.length > 0) messages.push({ role: 'assistant', content });
      return reply;
    },
    addResults: (results) => messages.push({ role: 'user', content: results.map(toResultBlock) }),
  };
}

function toRequest(exchange: Exchange, parameters: Parameters, hosted: readonly AnthropicHosted[]) {
  const { temperature, top_p, top_k, max_tokens = MAX_TOKENS } = parameters;
  const { thinking, thinking_budget, effort, prompt_cache = true } = parameters;
  const vivaTools = exchange.tools.map(({ name, description, schema }) => ({
    name,
    description,
    input_schema: { ...schema, required: [...(schema.required ?? [])] },
  }));
  return {
    model: exchange.model,
    max_tokens,
    ...omitNullish({
      // A cached prefix costs a quarter more once and a tenth from then on, so it pays where another
      // request repeats it: after a call, and in the next turn.
      cache_control:
        prompt_cache &&
        (exchange.tools.length > 0 || hosted.length > 0 || exchange.messages.length > 1)
          ? ({ type: 'ephemeral' } as const)
          : null,
      tools: nonEmpty([...vivaTools, ...hosted]),
      system: exchange.format?.system,
      temperature,
      top_p,
      top_k,
      thinking: thinking_budget
        ? { type: 'enabled' as const, budget_tokens: thinking_budget }
        : thinking && { type: thinking },
      output_config:
        (effort || exchange.format) &&
        omitNullish({
          effort,
          format: exchange.format && {
            type: 'json_schema' as const,
            schema: { ...exchange.format.schema },
          },
        }),
    }),
  };
}

/** The clients whose servers refuse `cache_control`, as gateways to other clouds do. */
const uncached = new WeakSet<Anthropic>();

async function completeOrUncached(
  client: Anthropic,
  body: Anthropic.MessageCreateParamsNonStreaming,
  exchange: Exchange,
): Promise<Message> {
  const { cache_control, ...plain } = body;
  if (!cache_control || uncached.has(client)) return complete(client, plain, exchange);
  return complete(client, body, exchange).catch((error: unknown) => {
    if (!/cache_control/.test(messageOf(error))) throw error;
    uncached.add(client);
    return complete(client, plain, exchange);
  });
}

async function complete(
  client: Anthropic,
  body: Anthropic.MessageCreateParamsNonStreaming,
  { stream, onToken, context: { signal } }: Exchange,
): Promise<Message> {
  // `messages.create` of @anthropic-ai/sdk 1.11 prints warnings about models, so this is its request
  // without them.
  if (stream || body.max_tokens > MAX_UNSTREAMED_TOKENS) {
    const asked = { body: { ...body, stream: true }, stream: true, signal } as const;
    return collectMessage(await client.post<AsyncIterable<Event>>('/v1/messages', asked), onToken);
  }
  const message = await client.post<Message | null>('/v1/messages', { body, signal });
  if (typeof message?.content === 'string')
    return { ...message, content: [{ type: 'text', text: message.content }] };
  if (!Array.isArray(message?.content))
    throw toReplyError(message, 'The server answered without a list "content"');
  if (message.stop_reason === null)
    throw toReplyError(message, 'The message is unfinished: its "stop_reason" is null');
  return message;
}

/**
 * What servers send as a message: less than the SDK's type promises. A value of another type throws
 * a TypeError, which is told as a broken reply.
 */
type Message = Partial<Omit<Anthropic.Message, 'content' | 'usage'>> &
  Readonly<{ content?: Block[] | null; usage?: object }>;

type Block = {
  type: string;
  id?: unknown;
  name?: unknown;
  input?: unknown;
  text?: string;
  thinking?: string;
  signature?: string;
  citations?: unknown[] | null;
  tool_use_id?: string;
  content?: unknown;
};

type Event = Readonly<{
  type: string;
  index: number;
  message?: Message;
  content_block: Block;
  delta: Record<string, unknown> & { readonly type?: string };
  usage?: object;
}>;

/**
 * The SDK's own collector (1.11, anthropic-sdk-typescript#996) throws at broken JSON in a call. Here
 * the model can try again.
 */
async function collectMessage(events: AsyncIterable<Event>, onToken: () => void): Promise<Message> {
  const blocks = new Map<number, Block>();
  let message: Message | null = null;
  for await (const { type, index, ...event } of events) {
    if (type === 'message_start') {
      message = { ...event.message };
      for (const [at, block] of (message.content ?? []).entries()) blocks.set(at, { ...block });
    } else if (type === 'content_block_start') blocks.set(index, { ...event.content_block });
    else if (type === 'content_block_delta') {
      const { delta } = event;
      if (delta['text'] || delta['thinking']) onToken();
      // Some gateways begin no block.
      const block = blocks.get(index) ?? toBegun(delta);
      if (block !== null) blocks.set(index, addDelta(block, delta));
    } else if (type === 'message_delta') {
      const usage: object = { ...message?.usage, ...omitNullish(event.usage ?? {}) };
      message = Object.assign({}, message, event.delta, { usage });
    } else if (type === 'message_stop') break;
  }
  // Gateways leave out the last event, but none knows a reply's end without its reason.
  if (readStop(message?.stop_reason) === null) throw streamEnded();
  return { ...message, content: [...blocks.values()].map(withInput) };
}

function toBegun({ type }: Event['delta']): Block | null {
  if (type === 'text_delta') return { type: 'text', text: '' };
  return type === 'thinking_delta' ? { type: 'thinking', thinking: '' } : null;
}

/** The calls of the provider's own tools are sent back as objects. viva's are read by `CallReader`. */
function withInput(block: Block): Block {
  if (block.type === 'tool_use' || typeof block.input !== 'string') return block;
  const { input } = block;
  return { ...block, input: tryOrUndefined(() => JSON.parse(input)) ?? {} };
}

/** A call begins with the input {}, and its arguments come as pieces of JSON. */
function addDelta(block: Block, delta: Event['delta']): Block {
  for (const name of ['text', 'thinking', 'signature'] as const)
    if (typeof delta[name] === 'string') block[name] = (block[name] ?? '') + delta[name];
  if (typeof delta['partial_json'] === 'string')
    block.input = (typeof block.input === 'string' ? block.input : '') + delta['partial_json'];
  if ((delta['citation'] ?? null) !== null)
    block.citations = [...(block.citations ?? []), delta['citation']];
  return block;
}

/** Calls count whatever the message says of its end, unless a limit cut it: the last call may be half. */
function readReply(message: Message, reader: CallReader): Omit<ModelReply, 'usage'> {
  const failure = toStatedError(message, message);
  if (failure !== null) throw failure;
  const blocks = message.content ?? [];
  const stop = readStop(message.stop_reason);
  const ending = readEnding(stop);
  refuseBroken(ending, stop);
  const ofType = (type: string) => blocks.filter((block) => block.type === type);
  return {
    text: joinTexts(blocks.map(({ type, text }) => (type === 'text' ? toText(text) : null))),
    incompleteReason: ending === 'refusal' ? 'refusal' : toCutShort(ending),
    reasoning: blocks.flatMap(({ thinking }) => toThought(thinking) || []).join('\n') || null,
    calls:
      ending === 'whole'
        ? reader.read(
            ofType('tool_use').map(({ id, name, input }) => ({ id, name, arguments: input })),
          )
        : [],
    served: ofType('server_tool_use').map((call) => toServed(call, blocks)),
    stop,
    isPaused: ending === 'paused',
    model: message.model ?? null,
  };
}

/**
 * The blocks of a reply as the next request repeats them: without blank texts, which are refused,
 * and with the calls as they were read. Thoughts are signed, so they stay as they came; without a
 * signature they are refused.
 */
function toReplayed(
  blocks: readonly Block[],
  { calls }: ModelReply,
): Anthropic.ContentBlockParam[] {
  const rest = [...calls];
  const replayed = blocks.flatMap((block): object[] => {
    if (block.type === 'text') {
      const text = toSendable(toText(block.text));
      return text === null
        ? []
        : [{ type: 'text', text, ...omitNullish({ citations: block.citations }) }];
    }
    if (block.type === 'thinking' && !block.signature) return [];
    if (block.type !== 'tool_use') return [block];
    const call = rest.shift();
    if (call === undefined) return [];
    const { id, name, input } = call;
    return [{ type: 'tool_use', id, name, input: toSendableValue(input) }];
  });
  return replayed as Anthropic.ContentBlockParam[];
}

function toServed(call: Block, blocks: readonly Block[]): TraceStep['tool_calls'][number] {
  const result = blocks.find(
    ({ tool_use_id }) => tool_use_id !== undefined && tool_use_id === call.id,
  );
  const content = result?.content ?? null;
  // The text of search results is encrypted.
  const leaveOut = (key: string, value: unknown) =>
    key === 'encrypted_content' ? undefined : value;
  return {
    name: String(call.name ?? ''),
    arguments: JSON.stringify(call.input ?? {}),
    result: content === null ? null : JSON.stringify(content, leaveOut),
    failed: textField(content, 'error_code') !== null,
  };
}

function toUsage(usage: unknown): TokenCounts | null {
  return toTokenCounts(
    {
      input_tokens: field(usage, 'input_tokens'),
      output_tokens: field(usage, 'output_tokens'),
      cached_tokens: field(usage, 'cache_read_input_tokens'),
      reasoning_tokens: field(field(usage, 'output_tokens_details'), 'thinking_tokens'),
      cache_write_tokens: field(usage, 'cache_creation_input_tokens'),
    },
    true,
  );
}

function toResultBlock({ call: { id }, result }: CallResult): Anthropic.ToolResultBlockParam {
  const { output, media, failed } = result;
  const content =
    media.length === 0 ? output : [{ type: 'text' as const, text: output }, ...media.map(toBlock)];
  return { type: 'tool_result', tool_use_id: id, content, ...(failed ? { is_error: true } : {}) };
}

function toBlock({ kind, mediaType, name, base64 }: MediaPart) {
  const type = 'base64' as const;
  if (kind === 'pdf') {
    const source = { type, media_type: 'application/pdf' as const, data: base64 };
    return { type: 'document' as const, source, title: name };
  }
  const media_type = IMAGE_TYPES.find((type) => type === mediaType) ?? ('image/png' as const);
  return { type: 'image' as const, source: { type, media_type, data: base64 } };
}

const IMAGE_TYPES = ['image/jpeg', 'image/gif', 'image/webp'] as const;

type AnthropicHosted = ReturnType<typeof chooseAnthropicTools>[number];

/** The chosen tools in the form of requests. The web tools exclude the sites with copies of GAIA. */
function chooseAnthropicTools(values: Parameters) {
  const blocked = { blocked_domains: [...BLOCKED_DOMAINS] };
  const choose = <Name extends HostedName, Type extends string, Limits extends object>(
    name: Name,
    versions: readonly Type[],
    limits: Limits,
  ) => chooseHosted(name, versions, values).map((type) => ({ type, name, ...limits }));
  return [
    ...choose('web_search', SEARCHES, blocked),
    ...choose('web_fetch', FETCHES, { ...blocked, max_content_tokens: 30_000 }),
    ...choose('code_execution', CODES, {}),
  ];
}
