import type OpenAI from 'openai';
import { introduceFiles, type MediaPart, toDataUrl } from '../tools/media.ts';
import type { Agent, AgentError } from '../words/answer.ts';
import { field, isFields, listField, nonEmpty, omitNullish, textField } from '../words/fields.ts';
import { wholeNumber } from '../words/setting-values.ts';
import {
  beginHistory,
  type Conversation,
  type Exchange,
  type ModelReply,
  type ToolCall,
} from './converse.ts';
import { CHAT_PARAMETERS, createModelAgent, type ModelSetting } from './model-agent.ts';
import { replyFailed, streamEnded, toReplyError, toStatedError } from './model-error.ts';
import { createOpenAI, toOpenAIUsage } from './openai-client.ts';
import { type AgentSpec, type ParameterValues, readParameters } from './spec.ts';

const PARAMETERS = {
  ...CHAT_PARAMETERS,
  /** OpenAI's newer models need it instead of max_tokens. */
  max_completion_tokens: wholeNumber(1),
} as const;

type Parameters = ParameterValues<typeof PARAMETERS>;

/**
 * `openai-chat:MODEL`: chat completions, at any compatible server that OPENAI_BASE_URL names
 * (Ollama, vLLM, ...).
 */
export function createOpenAIChat(spec: AgentSpec, setting: ModelSetting): Promise<Agent> {
  const parameters = readParameters(spec, PARAMETERS);
  return createModelAgent(spec, parameters, setting, {
    priceListing: 'openai',
    media: { image: 20_000_000, pdf: 20_000_000, audio: 20_000_000 },
    // Most compatible servers take no PDF.
    showsPdfs: false,
    transcribes: true,
    createClient: createOpenAI,
    start: (client, exchange) => startConversation(client, exchange, parameters),
  });
}

function startConversation(
  client: OpenAI,
  exchange: Exchange,
  parameters: Parameters,
): Conversation {
  const { format } = exchange;
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    ...(format ? [{ role: 'system' as const, content: format.system }] : []),
    ...beginHistory(exchange, toPart),
  ];
  const fixed = toRequest(exchange, parameters);
  return {
    ask: async () => {
      const completion = await complete(client, { ...fixed, messages: [...messages] }, exchange);
      const reply = toChatReply(completion, exchange.transcript.steps);
      messages.push(replayableMessage(completion, reply));
      return reply;
    },
    addResults: (results) => {
      for (const { call, result } of results) {
        messages.push({ role: 'tool', tool_call_id: call.id, content: result.output });
      }
      messages.push(...toChatFiles(results.flatMap(({ result }) => result.media)));
    },
  };
}

function toRequest(exchange: Exchange, parameters: Parameters) {
  const { temperature, top_p, seed, max_tokens, max_completion_tokens, reasoning_effort } =
    parameters;
  const tools = exchange.tools.map(({ name, description, schema }) => ({
    type: 'function' as const,
    function: { name, description, parameters: { ...schema } },
  }));
  const { model, format } = exchange;
  return {
    model,
    ...omitNullish({
      tools: nonEmpty(tools),
      temperature,
      top_p,
      seed,
      max_tokens,
      max_completion_tokens,
      reasoning_effort,
      response_format: format && {
        type: 'json_schema' as const,
        json_schema: { name: format.name, schema: { ...format.schema }, strict: true },
      },
    }),
  };
}

async function complete(
  client: OpenAI,
  body: OpenAI.ChatCompletionCreateParamsNonStreaming,
  exchange: Exchange,
): Promise<object> {
  const { signal } = exchange.context;
  if (!exchange.stream) return client.chat.completions.create(body, { signal });
  const options = { stream: true, stream_options: { include_usage: true } } as const;
  const chunks = await client.chat.completions.create({ ...body, ...options }, { signal });
  return collectChat(chunks, exchange.onToken);
}

/**
 * Reads the replies of compatible servers too: usage may be missing, content may be a list of
 * parts, arguments may be an object, a reply with calls may have the finish reason "stop". `step`
 * makes ids for calls without one.
 */
function toChatReply(completion: unknown, step: number): ModelReply {
  const choice = listField(completion, 'choices')[0];
  const failure = findFailure(completion, choice);
  if (failure !== null) throw failure;
  const message = field(choice, 'message');
  if (!isMessage(message))
    throw toReplyError(completion, 'The server answered without a message in "choices"');
  const stop = textField(choice, 'finish_reason');
  const isRefused = textField(message, 'refusal') !== null || stop === 'content_filter';
  const isCut = stop === 'length';
  const calls = listField(message, 'tool_calls').map((call, index) =>
    toToolCall(call, `call_${step}_${index}`),
  );
  return {
    text: readContent(field(message, 'content')),
    incompleteReason: isRefused ? 'refusal' : isCut ? 'max_tokens' : null,
    reasoning: textField(message, 'reasoning_content') ?? textField(message, 'reasoning'),
    // The last call of a reply that was cut short may lack half of its arguments.
    calls: isRefused || isCut ? [] : calls,
    stop: textField(message, 'refusal') === null ? stop : 'refusal',
    usage: toOpenAIUsage(field(completion, 'usage')),
    model: textField(completion, 'model'),
  };
}

/**
 * The error in a reply. Routers put an error of their provider there, often beside a part of a
 * text.
 */
function findFailure(completion: unknown, choice: unknown): AgentError | null {
  const stated = toStatedError(choice, completion) ?? toStatedError(completion, completion);
  if (stated !== null || field(choice, 'finish_reason') !== 'error') return stated;
  return replyFailed();
}

function isMessage(message: unknown): message is object {
  const content = field(message, 'content') ?? null;
  const isText = content === null || typeof content === 'string' || Array.isArray(content);
  return isFields(message) && isText && Object.keys(message).length > 0;
}

function readContent(content: unknown): string | null {
  if (typeof content === 'string') return content === '' ? null : content;
  if (!Array.isArray(content)) return null;
  return content.flatMap((part) => textField(part, 'text') ?? []).join('\n') || null;
}

function toToolCall(call: unknown, spareId: string): ToolCall {
  const called = field(call, 'function');
  const written = field(called, 'arguments') ?? '';
  return {
    id: textField(call, 'id') ?? spareId,
    name: textField(called, 'name') ?? '',
    arguments: typeof written === 'string' ? written : JSON.stringify(written),
  };
}

const REASONING = ['reasoning_content', 'reasoning', 'reasoning_details'];

/** The reply as the next request repeats it, with reasoning in the field that it came in. */
function replayableMessage(
  completion: unknown,
  { text, calls }: ModelReply,
): OpenAI.ChatCompletionMessageParam {
  const message = field(listField(completion, 'choices')[0], 'message');
  const tool_calls = nonEmpty(
    calls.map(({ id, ...called }) => ({ id, type: 'function' as const, function: called })),
  );
  return {
    role: 'assistant',
    content: text,
    ...omitNullish({
      ...Object.fromEntries(REASONING.map((name) => [name, field(message, name)])),
      tool_calls,
    }),
  };
}

/**
 * Joins the chunks of a streamed reply. The SDK's own collector loses all but the last piece of
 * reasoning. A stream without a finish reason was interrupted.
 */
async function collectChat(chunks: AsyncIterable<unknown>, onToken: () => void): Promise<object> {
  const texts = new Map<string, string>();
  const calls: Call[] = [];
  const last = new Map<string, unknown>();
  let isEmpty: boolean | null = null;
  for await (const chunk of chunks) {
    keepFilled(last, chunk, ['model', 'usage']);
    const choice = listField(chunk, 'choices')[0];
    isEmpty = isEmpty !== false && choice === undefined;
    keepFilled(last, choice, ['finish_reason', 'error']);
    const delta = field(choice, 'delta');
    if (TEXTS.some((name) => textField(delta, name) !== null)) onToken();
    for (const name of TEXTS) {
      const piece = field(delta, name);
      if (typeof piece === 'string') texts.set(name, (texts.get(name) ?? '') + piece);
    }
    for (const piece of listField(delta, 'tool_calls')) addPiece(calls, piece);
  }
  if (!last.has('finish_reason') && !last.has('error') && !isEmpty) throw streamEnded();
  const message = { role: 'assistant', ...Object.fromEntries(texts), tool_calls: calls };
  const { finish_reason, error, ...rest } = Object.fromEntries(last);
  return { ...rest, error, choices: isEmpty ? [] : [{ finish_reason, message }] };
}

const TEXTS = ['content', 'refusal', 'reasoning_content', 'reasoning'] as const;

function keepFilled(last: Map<string, unknown>, value: unknown, names: readonly string[]): void {
  for (const name of names) {
    const part = field(value, name) ?? null;
    if (part !== null && part !== '') last.set(name, part);
  }
}

type Call = {
  readonly index: unknown;
  id: string | null;
  readonly function: { name: string; arguments: string };
};

/**
 * Pieces of a call share an index. Some servers give all calls the same index but different ids.
 */
function addPiece(calls: Call[], piece: unknown): void {
  const index = field(piece, 'index');
  const id = textField(piece, 'id');
  const called = field(piece, 'function');
  const earlier = calls.findLast((call) => call.index === index);
  const isNew = earlier === undefined || (id !== null && earlier.id !== null && id !== earlier.id);
  const call = isNew ? { index, id, function: { name: '', arguments: '' } } : earlier;
  if (isNew) calls.push(call);
  call.id ??= id;
  call.function.name = textField(called, 'name') ?? call.function.name;
  call.function.arguments += textField(called, 'arguments') ?? '';
}

/**
 * The files that tools returned, as a message of the user: in this API a tool's message contains only
 * text.
 */
function toChatFiles(
  media: readonly MediaPart[],
): readonly OpenAI.ChatCompletionUserMessageParam[] {
  if (media.length === 0) return [];
  const text = introduceFiles(media);
  return [{ role: 'user', content: [{ type: 'text', text }, ...media.map(toPart)] }];
}

function toPart(part: MediaPart): OpenAI.ChatCompletionContentPart {
  const { kind, mediaType, name, base64 } = part;
  if (kind === 'pdf') return { type: 'file', file: { filename: name, file_data: toDataUrl(part) } };
  if (kind === 'image') return { type: 'image_url', image_url: { url: toDataUrl(part) } };
  return {
    type: 'input_audio',
    input_audio: { data: base64, format: mediaType === 'audio/wav' ? 'wav' : 'mp3' },
  };
}
