import { AgentError, type TokenCounts } from '../words/answer.ts';
import { field, isFields, listField, omitNullish, textField } from '../words/fields.ts';
import { tryOrUndefined } from '../words/show.ts';
import { causesOf } from '../words/thrown.ts';
import type { AiModel } from './ai-package.ts';
import { type ModelReply, readCounted } from './converse.ts';
import { readEnding, readStop, toCutShort } from './failures.ts';
import { type CallReader, toSendableValue, type WrittenCall } from './history.ts';
import {
  createModelError,
  type Received,
  refuseBroken,
  streamEnded,
  toReplyError,
  toStatedError,
} from './model-error.ts';
import { toTokenCounts } from './price.ts';

/** What a model is asked. */
export type AiCall = Parameters<AiModel['doGenerate']>[0];
export type AiMessage = AiCall['prompt'][number];

/** A whole reply. */
export type AiResult = Awaited<ReturnType<AiModel['doGenerate']>>;

type Content = AiResult['content'][number];
type Call = Extract<Content, { type: 'tool-call' }>;
type Replayed = Extract<AiMessage, { role: 'assistant' }>['content'][number];
type Piece = Extract<Content, { type: 'text' | 'reasoning' }>;
type Streamed = Awaited<ReturnType<AiModel['doStream']>>;
type StreamPart = Streamed['stream'] extends ReadableStream<infer Part> ? Part : never;

/** Reads a reply. Throws for an error that its server states in it. */
export function toAiReply(result: AiResult, reader: CallReader): ModelReply {
  return readCounted(toUsage(result), () => readReply(result, reader));
}

function toUsage({ usage }: AiResult): TokenCounts | null {
  return toTokenCounts({
    input_tokens: usage?.inputTokens?.total,
    output_tokens: usage?.outputTokens?.total,
    cached_tokens: usage?.inputTokens?.cacheRead,
    cache_write_tokens: usage?.inputTokens?.cacheWrite,
    reasoning_tokens: usage?.outputTokens?.reasoning,
  });
}

function readReply(
  { content, finishReason, response }: AiResult,
  reader: CallReader,
): Omit<ModelReply, 'usage'> {
  refuseStated(response?.body);
  const status = textField(response?.body, 'status');
  if (status === 'in_progress' || status === 'queued')
    throw toReplyError(response?.body, 'The response is unfinished');
  const { stop, ending } = readEnd(finishReason);
  refuseBroken(ending, stop);
  const textsOf = (type: Piece['type']) =>
    content.flatMap((part) => (part.type === type && part.text !== '' ? part.text : []));
  const calls = content.filter((part) => part.type === 'tool-call');
  const served = calls.filter((call) => !isOurs(call));
  return {
    text: textsOf('text').join('') || null,
    incompleteReason: ending === 'refusal' ? 'refusal' : toCutShort(ending),
    reasoning: textsOf('reasoning').join('\n') || null,
    // The last call of a reply that was cut short may lack half of its arguments.
    calls: ending === 'whole' ? reader.read(calls.filter(isOurs).map(toWritten)) : [],
    served: served.map(({ toolName: name, input }) => ({
      name,
      arguments: input,
      result: null,
      failed: false,
    })),
    stop,
    model: response?.modelId ?? null,
  };
}

/** How a reply ended: by the provider's word, or by the package's for it. */
function readEnd(reason: AiResult['finishReason'] | undefined) {
  const { unified = null, raw } = reason ?? {};
  // The packages say "other" of no word, and of each that they do not know.
  const own = unified === 'other' ? null : unified;
  const stop = readStop(raw ?? own);
  const ending = readEnding(stop);
  return { stop, ending: ending === 'whole' ? readEnding(own) : ending };
}

/** A reply as the next request repeats it: its calls as they were read, with all signatures. */
export function toReplayed({ content }: AiResult, { calls }: ModelReply): readonly Replayed[] {
  const rest = [...calls];
  return content.flatMap((part): readonly Replayed[] => {
    const options = omitNullish({ providerOptions: part.providerMetadata });
    switch (part.type) {
      case 'tool-call': {
        if (!isOurs(part)) return [{ ...part, ...options, input: toServedInput(part.input) }];
        const call = rest.shift();
        if (call === undefined) return [];
        const { id: toolCallId, name: toolName } = call;
        return [{ ...part, ...options, toolCallId, toolName, input: toSendableValue(call.input) }];
      }
      case 'tool-result':
        return [{ ...part, ...options, output: { type: 'json', value: part.result } }];
      case 'text':
        // Servers refuse a text of blanks, but its signature must come back.
        return part.text.trim() || part.providerMetadata
          ? [{ ...part, ...options, text: toSendableValue(part.text) }]
          : [];
      case 'source':
      case 'tool-approval-request':
        return [];
      case 'reasoning':
        // A signature is of the text as it came.
        return [
          {
            ...part,
            ...options,
            text: part.providerMetadata ? part.text : toSendableValue(part.text),
          },
        ];
      default:
        return [{ ...part, ...options }];
    }
  });
}

function toServedInput(written: string): unknown {
  return tryOrUndefined(() => JSON.parse(written || '{}')) ?? {};
}

/** Whether the provider leaves the call to viva. */
function isOurs({ providerExecuted }: Call): boolean {
  return providerExecuted !== true;
}

function toWritten({ toolCallId, toolName, input }: Call): WrittenCall {
  return { id: toolCallId, name: toolName, arguments: input };
}

/** Joins the parts of a streamed reply into a whole one. */
export async function collectAiStream(
  { stream }: Streamed,
  onToken: () => void,
): Promise<AiResult> {
  const content: Content[] = [];
  const open = new Map<string, Piece>();
  const head: Pick<AiResult, 'warnings' | 'response'> = { warnings: [] };
  let finish: Pick<AiResult, 'finishReason' | 'usage'> | undefined;
  for await (const part of stream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'raw') refuseStated(part.rawValue);
    else if (part.type === 'stream-start') head.warnings = part.warnings;
    else if (part.type === 'response-metadata') head.response = part;
    else if (part.type === 'finish') finish = part;
    else if (isWhole(part)) content.push(part);
    else if (isPiece(part)) {
      if ('delta' in part && part.delta !== '') onToken();
      addPiece(content, open, part);
    }
  }
  if (finish === undefined || isInterrupted(finish.finishReason)) throw streamEnded();
  return { content, ...head, ...finish };
}

type PiecePart = Extract<StreamPart, { type: `${Piece['type']}-${string}`; id: string }>;

function isPiece(part: StreamPart): part is PiecePart {
  return /^(?:text|reasoning)-(?:start|delta|end)$/.test(part.type);
}

/** Parts of a stream that belong to the reply as they are. */
function isWhole(part: StreamPart): part is Extract<StreamPart, Content> {
  if (part.type === 'tool-result') return part.preliminary !== true;
  return /^(?:tool-call|file|reasoning-file|custom)$/.test(part.type);
}

/** Parts of one text or one piece of reasoning share an id. The last metadata is the whole one. */
function addPiece(content: Content[], open: Map<string, Piece>, part: PiecePart): void {
  const type = part.type.startsWith('text') ? 'text' : 'reasoning';
  const id = `${type} ${part.id}`;
  const known = part.type.endsWith('-start') ? undefined : open.get(id);
  const piece: Piece = known ?? { type, text: '' };
  if (known === undefined) content.push(piece);
  open.set(id, piece);
  if ('delta' in part) piece.text += part.delta;
  if (part.providerMetadata) piece.providerMetadata = part.providerMetadata;
}

/**
 * The packages close a stream without a last event by a finish of their own. Those of AI SDK 6 call
 * it "other" (https://github.com/vercel/ai/issues/19165).
 */
function isInterrupted({ unified, raw }: AiResult['finishReason']): boolean {
  return unified === 'interrupted' || (unified === 'other' && raw === undefined);
}

function refuseStated(body: unknown): void {
  const stated = toStatedAiError(body);
  if (stated !== null) throw stated;
}

/** The error that a server states in a reply with status 200, or in a choice of it. */
function toStatedAiError(body: unknown): AgentError | null {
  const whole = field(body, 'object') === 'error' ? { error: body } : null;
  const parts = [...listField(body, 'choices'), body, whole];
  return parts.map((part) => toStatedError(part, body)).find((error) => error !== null) ?? null;
}

/**
 * The error of a package for a reply with status 200 that it could not read: what the server says in
 * it. The package keeps it as a text or as the value.
 */
export function toAiError(error: unknown, received: Received | null): unknown {
  const causes = causesOf(error);
  if (received?.status !== 200 || causes.some((cause) => cause instanceof AgentError)) return error;
  const written = causes.flatMap((cause) => textField(cause, 'responseBody') ?? [])[0];
  const body: unknown =
    written === undefined
      ? causes.map((cause) => field(cause, 'value') ?? field(cause, 'data')).find(isFields)
      : (tryOrUndefined(() => JSON.parse(written)) ?? written);
  if (body === undefined) return (isFields(error) ? toStatedAiError(error) : null) ?? error;
  const [choice] = listField(body, 'choices');
  const stop = readStop(field(choice, 'finish_reason'));
  // Gemini answers so to a prompt that it blocks.
  if (readEnding(stop) === 'refusal' || field(choice, 'message') === null)
    return createModelError('refusal', 'The server refused the prompt', {
      code: stop ?? 'blocked',
    });
  return toStatedAiError(body) ?? toReplyError(body, "The server's reply cannot be read");
}
