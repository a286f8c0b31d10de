import type OpenAI from 'openai';
import { introduceFiles, type MediaPart, toDataUrl } from '../tools/media.ts';
import type { Agent } from '../words/answer.ts';
import { field, isFields, nonEmpty, omitNullish } from '../words/fields.ts';
import { wholeNumber } from '../words/setting-values.ts';
import { tryOrUndefined } from '../words/show.ts';
import {
  beginHistory,
  type Conversation,
  type Exchange,
  type ModelReply,
  readCounted,
} from './converse.ts';
import { readEnding, readStop, toCutShort } from './failures.ts';
import {
  addPieces,
  CallReader,
  keepSentBack,
  LISTED_FIELDS,
  toSendable,
  toSendableValue,
} from './history.ts';
import { CHAT_PARAMETERS, createModelAgent, type ModelSetting } from './model-agent.ts';
import { refuseBroken, streamEnded, toReplyError, toStatedError } from './model-error.ts';
import { createOpenAI, toOpenAIUsage } from './openai-client.ts';
import { glueParts, joinTexts, toText, toThought } from './reply-texts.ts';
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
  const { format, server } = exchange;
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    ...(format ? [{ role: 'system' as const, content: format.system }] : []),
    ...beginHistory(exchange, toPart),
  ];
  const fixed = toRequest(exchange, parameters);
  const reader = new CallReader(exchange.tools, /^.{1,64}$/s);
  return {
    ask: async () => {
      const completion = await complete(client, { ...fixed, messages: [...messages] }, exchange);
      const usage = toOpenAIUsage(completion?.usage ?? findChoice(completion)?.usage);
      const reply = readCounted(usage, () => readReply(completion, reader));
      messages.push(toReplayed(completion, reply, server));
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
): Promise<Completion> {
  const { signal } = exchange.context;
  if (!exchange.stream)
    return (await client.chat.completions.create(body, { signal })) as Completion;
  const options = { stream: true, stream_options: { include_usage: true } } as const;
  const chunks = await client.chat.completions.create({ ...body, ...options }, { signal });
  return collectChat(chunks as AsyncIterable<Chunk>, exchange);
}

/**
 * What servers send as a chat completion: less than the SDK's type promises, and more. A value of
 * another type throws a TypeError, which is told as a broken reply.
 */
type Completion = Readonly<{
  choices?: readonly (Readonly<{
    index?: number;
    message?: Message | null;
    finish_reason?: string | null;
    error?: unknown;
    /** Moonshot counts tokens here. */
    usage?: unknown;
  }> | null)[];
  model?: unknown;
  usage?: unknown;
  error?: unknown;
}> | null;

type Message = Readonly<{
  content?: Content;
  refusal?: string | null;
  reasoning_content?: unknown;
  reasoning?: unknown;
  reasoning_text?: unknown;
  reasoning_opaque?: string | null;
  reasoning_details?: readonly Readonly<{ text?: unknown; summary?: unknown }>[] | null;
  thinking_blocks?: readonly Readonly<{ thinking?: unknown }>[] | null;
  tool_calls?: readonly WireCall[] | null;
  /** The form before `tool_calls`, with one call. */
  function_call?: WireCall['function'];
}>;

type WireCall = Readonly<{
  id?: unknown;
  function?: Readonly<{ name?: unknown; arguments?: unknown }> | null;
}>;

/** Mistral sends parts of type "thinking", whose text is in parts of their own. */
type Content = string | ContentPart | readonly (string | ContentPart)[] | null | undefined;
type ContentPart = Readonly<{
  type?: string;
  text?: unknown;
  thinking?: Content;
  reasoning?: unknown;
  refusal?: string;
}>;

function readReply(completion: Completion, reader: CallReader): Omit<ModelReply, 'usage'> {
  const choice = findChoice(completion);
  const failure = toStatedError(choice, completion) ?? toStatedError(completion, completion);
  if (failure !== null) throw failure;
  const stop = readStop(choice?.finish_reason);
  const ending = readEnding(stop);
  refuseBroken(ending, stop);
  // Gemini answers so to a prompt that it blocks.
  const isBlocked = choice?.message === null;
  const message: Message | null = isBlocked ? {} : (choice?.message ?? null);
  if (message === null || (!isBlocked && Object.keys(message).length === 0))
    throw toReplyError(completion, 'The server answered without a message in "choices"');
  const refusal =
    message.refusal || toParts(message.content).find((part) => part.refusal)?.refusal || null;
  const isRefused = refusal !== null || ending === 'refusal' || isBlocked;
  const oldForm: readonly WireCall[] = message.function_call
    ? [{ function: message.function_call }]
    : [];
  const calls = nonEmpty(message.tool_calls ?? []) ?? oldForm;
  return {
    text: readTexts(message.content, 'text'),
    incompleteReason: isRefused ? 'refusal' : toCutShort(ending),
    reasoning: toReasoning(message),
    // The last call of a reply that was cut short may lack half of its arguments.
    calls:
      isRefused || ending !== 'whole'
        ? []
        : reader.read(
            calls.map(({ id, function: called }) => ({
              id,
              name: called?.name,
              arguments: called?.arguments,
            })),
          ),
    stop: refusal === null ? (isBlocked ? (stop ?? 'blocked') : stop) : 'refusal',
    model: typeof completion?.model === 'string' ? completion.model : null,
  };
}

/** The first choice: a server may send several. */
function findChoice<T extends { readonly index?: number } | null>(
  reply: Readonly<{ choices?: readonly T[] }> | null | undefined,
): T | undefined {
  return reply?.choices?.find((choice) => (choice?.index ?? 0) === 0);
}

/** The texts of a content, or its thoughts. */
function readTexts(content: Content, kind: 'text' | 'thinking'): string | null {
  const texts = toParts(content).map((part) => {
    if (isThought(part) !== (kind === 'thinking')) return null;
    return readPart(part);
  });
  return joinTexts(texts, glueParts);
}

function readPart(part: ContentPart): string {
  const thought = isThought(part) ? readTexts(part.thinking, 'text') : null;
  return thought ?? (toText(part.text) || toText(part.reasoning));
}

function isThought({ type = '' }: ContentPart): boolean {
  return /^(?:thinking|reasoning)/.test(type);
}

function toParts(content: Content): readonly ContentPart[] {
  const parts = Array.isArray(content) ? content : [content];
  return parts.flatMap((part) => (typeof part === 'string' ? { text: part } : (part ?? [])));
}

function toReasoning(message: Message): string | null {
  const { reasoning_content, reasoning, reasoning_text } = message;
  const { reasoning_details, thinking_blocks, content } = message;
  const inDetails = (reasoning_details ?? []).map(({ text, summary }) =>
    toThought(text ?? summary),
  );
  const inBlocks = (thinking_blocks ?? []).map(({ thinking }) => toThought(thinking));
  return (
    toThought(reasoning_content) ||
    toThought(reasoning) ||
    toThought(reasoning_text) ||
    inDetails.join('') ||
    inBlocks.filter((text) => text !== '').join('\n') ||
    readTexts(content, 'thinking')
  );
}

/** The reply as the next request repeats it, with what its server wants back. */
function toReplayed(
  completion: Completion,
  { text, calls }: ModelReply,
  host: string,
): OpenAI.ChatCompletionMessageParam {
  const message = findChoice(completion)?.message;
  const written = message?.tool_calls ?? [];
  // Mistral wants its thoughts back where they stood.
  const hasThoughts = readTexts(message?.content, 'thinking') !== null;
  const parts = toParts(message?.content).filter((part) => readPart(part).trim() !== '');
  return {
    role: 'assistant',
    content: hasThoughts ? (toSendableValue(parts) as never) : toSendable(text),
    ...keepSentBack(message, 'message', host),
    ...omitNullish({
      tool_calls: nonEmpty(
        calls.map(({ id, name, input }, index) => ({
          id,
          type: 'function' as const,
          function: {
            name,
            arguments: JSON.stringify(toSendableValue(input)),
            ...keepSentBack(written[index]?.function, 'function', host),
          },
          ...keepSentBack(written[index], 'call', host),
        })),
      ),
    }),
  };
}

type MessagePiece = Message & { readonly tool_calls?: readonly CallPiece[] | null };

type Chunk = Readonly<{
  choices?: readonly (Readonly<{
    index?: number;
    delta?: MessagePiece | null;
    message?: MessagePiece | null;
    finish_reason?: string | null;
    error?: unknown;
  }> | null)[];
}>;

type CallPiece = WireCall & Readonly<{ index?: unknown; [field: string]: unknown }>;

/**
 * Joins the chunks of a streamed reply. The SDK's own collector (openai 7.55) loses reasoning, and
 * throws at servers that leave out an index or a finish reason (openai-node#1292). A stream without
 * one was interrupted, unless it says [DONE] or ends in whole calls: some servers give none.
 */
async function collectChat(
  chunks: AsyncIterable<Chunk>,
  { onToken, received }: Pick<Exchange, 'onToken' | 'received'>,
): Promise<Completion> {
  const texts = new Map<string, string>();
  const content: ContentPart[] = [];
  const lists = new Map<string, Record<string, unknown>[]>();
  const calls: CallInPieces[] = [];
  const last = new Map<string, unknown>();
  const signed = new Map<string, unknown>();
  let isEmpty: boolean | null = null;
  for await (const chunk of chunks) {
    keepFilled(last, chunk, ['model', 'usage']);
    // OpenRouter and others state an error beside a choice, or instead of one.
    const stated = field(chunk, 'error') ?? null;
    if (stated !== null) last.set('error', stated);
    const choice = findChoice(chunk);
    isEmpty = isEmpty !== false && choice === undefined;
    keepFilled(last, choice, ['finish_reason', 'error', 'usage']);
    // Some servers send a whole message as a chunk, or reply so to who asked for a stream.
    const delta = choice?.message ? { ...choice.message, ...choice.delta } : choice?.delta;
    if (delta === undefined || delta === null) continue;
    addTexts(texts, delta, onToken);
    addContent(content, delta.content);
    keepFilled(signed, delta, ['extra_content', 'provider_specific_fields']);
    for (const name of LISTED_FIELDS) {
      const list = lists.get(name) ?? [];
      addPieces(list, delta[name] ?? []);
      if (list.length > 0) lists.set(name, list);
    }
    if (delta.function_call) addCallPiece(calls, { index: 'old', function: delta.function_call });
    for (const piece of delta.tool_calls ?? []) addCallPiece(calls, piece);
  }
  const isStated = readStop(last.get('finish_reason')) !== null || last.has('error') || isEmpty;
  const isDone = received()?.isDone === true && (content.length > 0 || texts.size > 0);
  const isWhole = calls.length === 0 ? isDone : calls.every((call) => isObject(call.arguments));
  if (isStated !== true && !isWhole) throw streamEnded();
  const message = {
    role: 'assistant',
    ...Object.fromEntries([...texts, ...lists, ...signed]),
    content,
    tool_calls: calls.map(({ arguments: args, name, inner, ...call }) => ({
      ...call,
      function: { ...inner, name, arguments: args },
    })),
  };
  const { finish_reason, ...rest } = Object.fromEntries(last);
  return { ...rest, choices: isEmpty ? [] : [{ finish_reason, message }] } as Completion;
}

function addTexts(texts: Map<string, string>, delta: Message, onToken: () => void): void {
  for (const name of TEXTS) {
    const piece = delta[name];
    if (typeof piece === 'string') texts.set(name, (texts.get(name) ?? '') + piece);
    if (piece) onToken();
  }
  const { content } = delta;
  if (
    typeof content === 'string'
      ? content
      : (readTexts(content, 'text') ?? readTexts(content, 'thinking'))
  )
    onToken();
}

const TEXTS = [
  'refusal',
  'reasoning_content',
  'reasoning',
  'reasoning_text',
  'reasoning_opaque',
] as const;

function keepFilled(last: Map<string, unknown>, value: unknown, names: readonly string[]): void {
  for (const name of names) {
    const part = field(value, name) ?? null;
    if (part !== null && part !== '') last.set(name, part);
  }
}

/** Adds the pieces of a content: adjacent texts are one, and so are adjacent thoughts. */
function addContent(content: ContentPart[], pieces: Content): void {
  const last = content.at(-1);
  if (typeof pieces === 'string' && last !== undefined && Object.keys(last).join() === 'text') {
    // Most chunks: a stream may have thousands.
    content[content.length - 1] = { text: last.text + pieces };
    return;
  }
  for (const [index, piece] of toParts(pieces).entries()) {
    const before = content.at(-1);
    const kind = readTexts(piece, 'thinking') === null ? 'text' : 'thinking';
    const text = readTexts(piece, kind);
    // A part without a text, such as a refusal, stays as it is.
    if (text === null && piece.refusal === undefined) continue;
    if (
      before === undefined ||
      text === null ||
      before.refusal !== undefined ||
      isThought(before) !== isThought(piece)
    )
      content.push(piece);
    else content[content.length - 1] = joinParts(before, text, { kind, isSame: index === 0 });
  }
}

/** `isSame` says that a piece goes on with the part: a chunk with several has parts of its own. */
function joinParts(
  before: ContentPart,
  more: string,
  { kind, isSame }: { kind: 'text' | 'thinking'; isSame: boolean },
): ContentPart {
  const start = readTexts(before, kind) ?? '';
  const text = isSame ? start + more : glueParts(start, more);
  return before.thinking === undefined
    ? { ...before, text }
    : { ...before, thinking: [{ type: 'text', text }] };
}

type CallInPieces = {
  index: unknown;
  id: unknown;
  name: string;
  arguments: string;
  /** Other fields of the function. */
  inner: object;
};

/**
 * Pieces of a call share an index. Some servers give all calls one index, others none: there a name
 * begins a call whose id is another, or whose predecessor is whole.
 */
function addCallPiece(calls: CallInPieces[], piece: CallPiece): void {
  const { index = null, id: written, function: called, ...others } = piece;
  const id = written || null;
  const name = typeof called?.name === 'string' ? called.name : '';
  const earlier = index === null ? calls.at(-1) : calls.findLast((call) => call.index === index);
  const isNew = earlier === undefined || (name !== '' && isNext(earlier, { id, index }));
  const call = isNew ? { index, id, name: '', arguments: '', inner: {} } : earlier;
  if (isNew) calls.push(call);
  call.id ??= id;
  const { name: _, arguments: args, ...inner } = called ?? {};
  call.name = joinName(call.name, name);
  call.arguments = joinArguments(call.arguments, args);
  Object.assign(call.inner, omitNullish(inner));
  Object.assign(call, omitNullish(others));
}

/** Whether a piece with a name belongs to the call behind this one. */
function isNext(earlier: CallInPieces, { id, index }: Pick<CallInPieces, 'id' | 'index'>): boolean {
  if (id !== null && earlier.id !== null) return id !== earlier.id;
  return earlier.name !== '' && (index === null || isObject(earlier.arguments));
}

/** Names come whole, whole with each piece, growing, or in pieces. */
function joinName(before: string, name: string): string {
  return name.startsWith(before) || name === '' ? name || before : `${before}${name}`;
}

/** Some gateways send an empty object before the arguments. */
function joinArguments(before: string, args: unknown): string {
  const more = typeof args === 'string' ? args : args ? JSON.stringify(args) : '';
  return before === '{}' && more.trimStart().startsWith('{') ? more : before + more;
}

function isObject(args: string): boolean {
  return tryOrUndefined(() => isFields(JSON.parse(args))) === true;
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
