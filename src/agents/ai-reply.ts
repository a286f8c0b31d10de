import { isFields, omitNullish } from '../records/record.ts';
import { causesOf, tryOrUndefined } from '../text/thrown.ts';
import { AgentError } from '../types.ts';
import type { ModelReply } from './converse.ts';
import type { Received } from './fetch.ts';
import { field, listField, textField } from './fields.ts';
import { createModelError, toReplyError, toStatedError } from './model-error.ts';
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
  if (stop === 'error')
    throw createModelError('server', 'The provider ended the reply with the finish reason "error"');
  const content = listField(result, 'content');
  const ofType = (type: string) => content.filter((part) => field(part, 'type') === type);
  const textOf = (type: string) => ofType(type).flatMap((part) => textField(part, 'text') ?? []);
  const isWhole = unified !== 'length' && unified !== 'content-filter';
  const [served, calls] = split(ofType('tool-call'));
  return {
    text: textOf('text').join('') || null,
    incompleteReason: isWhole ? null : unified === 'length' ? 'max_tokens' : 'refusal',
    reasoning: textOf('reasoning').join('\n') || null,
    // The last call of a reply that was cut short may lack half of its arguments.
    calls: isWhole
      ? calls.map((part) => ({ id: textField(part, 'toolCallId') ?? '', ...toCall(part) }))
      : [],
    served: served.map((part) => ({ ...toCall(part), result: null, failed: false })),
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
export function toStatedAiError(body: unknown): AgentError | null {
  const parts = [...listField(body, 'choices'), body];
  const whole = field(body, 'object') === 'error' ? { error: body } : null;
  return (
    [...parts, whole].map((part) => toStatedError(part, body)).find((error) => error !== null) ??
    null
  );
}

/**
 * The error of a package with what the server said, which it keeps as a text or as the value that
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

function split(calls: readonly unknown[]) {
  const isServed = (part: unknown) => field(part, 'providerExecuted') === true;
  return [calls.filter(isServed), calls.filter((part) => !isServed(part))] as const;
}

function toCall(part: unknown) {
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
