import type Anthropic from '@anthropic-ai/sdk';
import { requirePackage } from '../package.ts';
import type { MediaPart } from '../tools/media.ts';
import { BLOCKED_DOMAINS } from '../tools/web/leak-guard.ts';
import type { Agent, TraceStep } from '../words/answer.ts';
import { field, isFields, listField, nonEmpty, omitNullish, textField } from '../words/fields.ts';
import { numberFrom, oneOf, wholeNumber } from '../words/setting-values.ts';
import { tryOrUndefined } from '../words/show.ts';
import {
  beginHistory,
  type CallResult,
  type Conversation,
  type Exchange,
  type ModelReply,
  type TokenCounts,
} from './converse.ts';
import { COMMON_PARAMETERS, createModelAgent, type ModelSetting } from './model-agent.ts';
import type { ClientOptions, ModelClient } from './model-client.ts';
import { createModelError, toReplyError } from './model-error.ts';
import { toTokenCounts } from './price.ts';
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
  // The provider runs code in the container of the last reply, which has the files of earlier code.
  let container: string | undefined;
  return {
    ask: async () => {
      const body = { ...fixed, messages: [...messages], ...omitNullish({ container }) };
      const message = await complete(client, body, exchange);
      const reply = toAnthropicReply(message);
      container = textField(field(message, 'container'), 'id') ?? container;
      messages.push({ role: 'assistant', content: message.content });
      return reply;
    },
    addResults: (results) => messages.push({ role: 'user', content: results.map(toResultBlock) }),
  };
}

function toRequest(exchange: Exchange, parameters: Parameters, hosted: readonly AnthropicHosted[]) {
  const { temperature, top_p, top_k, max_tokens = MAX_TOKENS } = parameters;
  const { thinking, thinking_budget, effort } = parameters;
  const vivaTools = exchange.tools.map(({ name, description, schema }) => ({
    name,
    description,
    input_schema: { ...schema, required: [...(schema.required ?? [])] },
  }));
  return {
    model: exchange.model,
    max_tokens,
    ...omitNullish({
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

async function complete(
  client: Anthropic,
  body: Anthropic.MessageCreateParamsNonStreaming,
  { stream, onToken, context: { signal } }: Exchange,
): Promise<Anthropic.Message> {
  if (stream || body.max_tokens > MAX_UNSTREAMED_TOKENS) {
    const events = await client.messages.create({ ...body, stream: true }, { signal });
    return collectMessage(events, onToken);
  }
  const message = await client.messages.create(body, { signal });
  if (field(message, 'stop_reason') !== null) return message;
  throw toReplyError(message, 'The message is unfinished: its "stop_reason" is null');
}

/** The SDK's own collector throws at broken JSON in a call. Here the model can try again. */
async function collectMessage(
  events: AsyncIterable<Anthropic.RawMessageStreamEvent>,
  onToken: () => void,
): Promise<Anthropic.Message> {
  const blocks = new Map<number, Anthropic.ContentBlock>();
  const inputs = new Map<number, string>();
  let message: Anthropic.Message | null = null;
  for await (const event of events) {
    const delta = field(event, 'delta');
    if (textField(delta, 'text') !== null || textField(delta, 'thinking') !== null) onToken();
    if (event.type === 'message_start') message = event.message;
    else if (event.type === 'content_block_start') blocks.set(event.index, event.content_block);
    else if (event.type === 'content_block_delta' && event.delta.type === 'input_json_delta') {
      inputs.set(event.index, (inputs.get(event.index) ?? '') + event.delta.partial_json);
    } else if (event.type === 'content_block_delta') addDelta(blocks.get(event.index), event.delta);
    else if (event.type === 'message_delta' && message !== null) {
      Object.assign(message, event.delta);
      message.usage = Object.assign(message.usage ?? {}, omitNullish(event.usage ?? {}));
    } else if (event.type === 'message_stop' && message !== null) {
      for (const [index, input] of inputs) setInput(blocks.get(index), input);
      return { ...message, content: [...blocks.values()] };
    }
  }
  throw createModelError('network', 'The stream ended before the message did');
}

function addDelta(
  block: Anthropic.ContentBlock | undefined,
  delta: Anthropic.RawContentBlockDelta,
): void {
  if (block?.type === 'text' && delta.type === 'text_delta') block.text += delta.text;
  if (block?.type === 'text' && delta.type === 'citations_delta')
    block.citations = [...(block.citations ?? []), delta.citation];
  if (block?.type !== 'thinking') return;
  if (delta.type === 'thinking_delta') block.thinking += delta.thinking;
  if (delta.type === 'signature_delta') block.signature = delta.signature;
}

/** The field for arguments that are not a JSON object: the API accepts objects only. */
const MALFORMED = 'malformed_arguments';

function setInput(block: Anthropic.ContentBlock | undefined, written: string): void {
  if (block === undefined || !('input' in block) || written.trim() === '') return;
  const input: unknown = tryOrUndefined(() => JSON.parse(written));
  block.input = isFields(input) ? input : { [MALFORMED]: written };
}

/** Calls count only if the message stopped for them: the last one of a cut message may be incomplete. */
function toAnthropicReply(message: unknown): ModelReply {
  const blocks = listField(message, 'content');
  if (!Array.isArray(field(message, 'content')))
    throw toReplyError(message, 'The server answered without a list "content"');
  const ofType = (type: string) => blocks.filter((block) => field(block, 'type') === type);
  const stop = textField(message, 'stop_reason');
  const calls = stop === 'tool_use' ? ofType('tool_use') : [];
  return {
    text: joinTexts(blocks),
    incompleteReason: INCOMPLETE_REASONS.get(stop) ?? null,
    reasoning: blocks.flatMap((block) => textField(block, 'thinking') ?? []).join('\n') || null,
    calls: calls.map((block) => ({
      id: textField(block, 'id') ?? '',
      name: textField(block, 'name') ?? '',
      arguments:
        textField(field(block, 'input'), MALFORMED) ?? JSON.stringify(field(block, 'input') ?? {}),
    })),
    served: ofType('server_tool_use').map((call) => toServed(call, blocks)),
    stop,
    isPaused: stop === 'pause_turn',
    usage: toUsage(field(message, 'usage')),
    model: textField(message, 'model'),
  };
}

const INCOMPLETE_REASONS: ReadonlyMap<string | null, ModelReply['incompleteReason']> = new Map([
  ['refusal', 'refusal'],
  ['max_tokens', 'max_tokens'],
  ['model_context_window_exceeded', 'context_window'],
]);

/** Joins adjacent texts: the API splits a sentence when it cites a source. */
function joinTexts(blocks: readonly unknown[]): string | null {
  const paragraphs = [''];
  for (const block of blocks) {
    if (field(block, 'type') === 'text')
      paragraphs.push((paragraphs.pop() ?? '') + (textField(block, 'text') ?? ''));
    else paragraphs.push('');
  }
  return paragraphs.filter((paragraph) => paragraph !== '').join('\n') || null;
}

function toServed(call: unknown, blocks: readonly unknown[]): TraceStep['tool_calls'][number] {
  const id = textField(call, 'id');
  const result = blocks.find((block) => id !== null && field(block, 'tool_use_id') === id);
  const content = field(result, 'content') ?? null;
  // The text of search results is encrypted.
  const leaveOut = (key: string, value: unknown) =>
    key === 'encrypted_content' ? undefined : value;
  return {
    name: textField(call, 'name') ?? '',
    arguments: JSON.stringify(field(call, 'input') ?? {}),
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
