import { AgentError } from '../words/answer.ts';
import { field, isFields, listField, omitNullish, textField } from '../words/fields.ts';
import { tryOrUndefined } from '../words/show.ts';
import { causesOf } from '../words/thrown.ts';
import type { ModelReply } from './converse.ts';
import {
  createModelError,
  type Received,
  replyFailed,
  streamEnded,
  toReplyError,
  toStatedError,
} from './model-error.ts';
import { toTokenCounts } from './price.ts';

/** Reads a reply of the AI SDK's interface. Throws for an error that its server states in it. */
export function toAiReply(result: unknown): ModelReply {
  const body = field(field(result, 'response'), 'body');
  const stated = toStatedAiError(body);
  if (stated !== null) throw stated;
  if (field(body, 'status') === 'in_progress' || field(body, 'status') === 'queued')
    throw toReplyError(body, 'The response is unfinished');
  const reason = field(result, 'finishReason');
  const unified = textField(reason, 'unified');
  const stop = textField(reason, 'raw') ?? unified;
  // A raw word of another kind is a mistake of the model, such as a malformed call.
  if (stop === 'error') throw replyFailed();
  const content = listField(result, 'content');
  const ofType = (type: string) => content.filter((part) => field(part, 'type') === type);
  const textOf = (type: string) => ofType(type).flatMap((part) => textField(part, 'text') ?? []);
  const isWhole = unified !== 'length' && unified !== 'content-filter';
  const [served, calls] = splitCalls(ofType('tool-call'));
  return {
    text: textOf('text').join('') || null,
    incompleteReason: isWhole ? null : unified === 'length' ? 'max_tokens' : 'refusal',
    reasoning: textOf('reasoning').join('\n') || null,
    // The last call of a reply that was cut short may lack half of its arguments.
    calls: isWhole
      ? calls.map((part) => ({ id: textField(part, 'toolCallId') ?? '', ...readCall(part) }))
      : [],
    served: served.map((part) => ({ ...readCall(part), result: null, failed: false })),
    stop,
    usage: toUsage(field(result, 'usage')),
    model: textField(field(result, 'response'), 'modelId'),
  };
}

/** A part of a reply as the next request repeats it, with the provider's signatures. */
export function toReplayed(part: unknown): readonly object[] {
  if (!isFields(part)) return [];
  const { type, providerMetadata, toolCallId, toolName, input, providerExecuted } = part;
  const options = omitNullish({ providerOptions: providerMetadata });
  const called = { type, toolCallId, toolName };
  if (type === 'tool-call')
    return [{ ...called, input: toInput(input), ...omitNullish({ providerExecuted }), ...options }];
  if (type === 'tool-result')
    return [{ ...called, output: { type: 'json', value: part['result'] }, ...options }];
  if (type === 'text' || type === 'reasoning') return [{ type, text: part['text'], ...options }];
  const { mediaType, data, kind } = part;
  if (type === 'file' || type === 'reasoning-file') return [{ type, mediaType, data, ...options }];
  return type === 'custom' ? [{ type, kind, ...options }] : [];
}

/** The error that a server states in a reply with status 200, or in a choice of it. */
function toStatedAiError(body: unknown): AgentError | null {
  const parts = [...listField(body, 'choices'), body];
  const whole = field(body, 'object') === 'error' ? { error: body } : null;
  return (
    [...parts, whole].map((part) => toStatedError(part, body)).find((error) => error !== null) ??
    null
  );
}

/**
 * The error of a package with what the server said, which it keeps as a string or as the value that
 * it could not read. The status is that of the response: the packages give a failed reply one of
 * their own.
 */
export function toAiError(error: unknown, received: Received | null): unknown {
  const causes = causesOf(error);
  if (causes.some((cause) => cause instanceof AgentError)) return error;
  const written = causes.flatMap((cause) => textField(cause, 'responseBody') ?? [])[0];
  const body: unknown =
    written === undefined
      ? causes.map((cause) => field(cause, 'value') ?? field(cause, 'data')).find(isFields)
      : (tryOrUndefined(() => JSON.parse(written)) ?? written);
  const status = received?.status ?? 0;
  if (status >= 400) return toRefusal(error, status, body);
  if (status === 0 || (body === undefined && !isFields(error))) return error;
  const frame = body ?? error;
  return (
    toStatedAiError(frame) ??
    (body === undefined ? error : toReplyError(body, "The server's reply cannot be read"))
  );
}

/** The words of a refusal, which each provider puts elsewhere. */
function toRefusal(error: unknown, status: number, body: unknown): Error {
  const inner = field(body, 'error');
  const stated = isFields(inner) ? inner : body;
  const message =
    textField(body, 'error') ??
    textField(stated, 'message') ??
    (error instanceof Error ? error.message : String(error));
  const codes = omitNullish({ code: textField(stated, 'code'), type: textField(stated, 'type') });
  return Object.assign(new Error(message), { status, ...codes });
}

function splitCalls(calls: readonly unknown[]) {
  const isServed = (part: unknown) => field(part, 'providerExecuted') === true;
  return [calls.filter(isServed), calls.filter((part) => !isServed(part))] as const;
}

function readCall(part: unknown) {
  const name = textField(part, 'toolName') ?? '';
  return { name, arguments: textField(part, 'input') ?? '' };
}

/** The field for arguments that are not a JSON object: the APIs accept objects only. */
function toInput(written: unknown): unknown {
  const input: unknown = tryOrUndefined(() => JSON.parse(String(written || '{}')));
  return isFields(input) ? input : { malformed_arguments: written };
}

function toUsage(usage: unknown) {
  const [input, output] = [field(usage, 'inputTokens'), field(usage, 'outputTokens')];
  return toTokenCounts({
    input_tokens: field(input, 'total'),
    output_tokens: field(output, 'total'),
    cached_tokens: field(input, 'cacheRead'),
    cache_write_tokens: field(input, 'cacheWrite'),
    reasoning_tokens: field(output, 'reasoning'),
  });
}

/** Parts of a stream that belong to the reply as they are. */
const WHOLE: ReadonlySet<unknown> = new Set([
  'tool-call',
  'tool-result',
  'file',
  'reasoning-file',
  'custom',
]);

type Piece = { readonly type: string; text: string; providerMetadata?: unknown };

/** Joins the parts of a streamed reply into the form of a whole one. */
export async function collectAiStream(streamed: unknown, onToken: () => void): Promise<object> {
  const content: unknown[] = [];
  const open = new Map<string, Piece>();
  const last = new Map<string, unknown>();
  for await (const part of partsOf(streamed)) {
    const type = textField(part, 'type') ?? '';
    const kind = /^(text|reasoning)-(?:start|delta|end)$/.exec(type)?.[1];
    if (kind !== undefined) addPiece(content, open, kind, part);
    if (kind !== undefined && textField(part, 'delta') !== null) onToken();
    if (WHOLE.has(type)) content.push(part);
    if (type === 'error') throw field(part, 'error');
    if (type === 'raw') refuseStated(field(part, 'rawValue'));
    last.set(type, part);
  }
  const finish = last.get('finish');
  if (finish === undefined || isInterrupted(field(finish, 'finishReason'))) throw streamEnded();
  return {
    content,
    finishReason: field(finish, 'finishReason'),
    usage: field(finish, 'usage'),
    warnings: field(last.get('stream-start'), 'warnings'),
    response: last.get('response-metadata'),
  };
}

async function* partsOf(streamed: unknown): AsyncGenerator<unknown> {
  const stream = field(streamed, 'stream');
  if (!(stream instanceof ReadableStream))
    throw createModelError('bad_response', "The provider's package gave no stream");
  yield* stream;
}

/** Parts of one text or one piece of reasoning share an id. The last metadata is the whole one. */
function addPiece(content: unknown[], open: Map<string, Piece>, type: string, part: unknown): void {
  const id = `${type} ${textField(part, 'id')}`;
  const isNew = field(part, 'type') === `${type}-start`;
  const piece = (isNew ? undefined : open.get(id)) ?? { type, text: '' };
  if (!content.includes(piece)) content.push(piece);
  open.set(id, piece);
  piece.text += textField(part, 'delta') ?? '';
  piece.providerMetadata = field(part, 'providerMetadata') ?? piece.providerMetadata;
}

function refuseStated(chunk: unknown): void {
  const stated = toStatedAiError(chunk);
  if (stated !== null) throw stated;
}

/** The packages close a stream without a last event by a finish of their own. */
function isInterrupted(reason: unknown): boolean {
  const unified = field(reason, 'unified');
  return unified === 'interrupted' || (unified === 'other' && textField(reason, 'raw') === null);
}
