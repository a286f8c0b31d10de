import type OpenAI from 'openai';
import type { AgentError } from '../types.ts';
import { createModelError, toReplyError, toStatedError } from './model-error.ts';
import { toOpenAIUsage } from './openai-usage.ts';
import { field, isNoPartList, isNoText, listField, textField } from './outside-value.ts';
import type { ToolCall, Turn } from './turn.ts';

/**
 * A reply of the chat API; `step` makes ids for calls that a server gave none. Compatible servers differ: usage may be
 * missing, content may be a list of parts, arguments may be an object, and a reply with calls may say that it stopped.
 */
export function toChatTurn(completion: unknown, step: number): Turn {
  const choice = listField(completion, 'choices')[0];
  const failure = findFailure(completion, choice);
  if (failure !== null) throw failure;
  const message = field(choice, 'message');
  if (typeof message !== 'object' || message === null) {
    throw toReplyError(completion, 'The server answered without a message in "choices"');
  }
  if (hasWrongText(message)) throw toReplyError(completion, 'The server answered with "content" that is no text');
  const stop = textField(choice, 'finish_reason');
  const text = toText(field(message, 'content'));
  const refused = textField(message, 'refusal') !== null || stop === 'content_filter';
  if (!refused && stop !== 'length' && isHollow(message)) {
    throw toReplyError(completion, 'The server answered with a message that holds nothing');
  }
  return {
    text,
    flaw: refused ? 'refusal' : stop === 'length' ? 'max_tokens' : null,
    reasoning: textField(message, 'reasoning_content') ?? textField(message, 'reasoning'),
    // The last call of a reply that was cut short may lack half of its arguments.
    calls:
      refused || stop === 'length'
        ? []
        : listField(message, 'tool_calls').map((call, index) => toCall(call, step, index)),
    stop: textField(message, 'refusal') === null ? stop : 'refusal',
    usage: toOpenAIUsage(field(completion, 'usage')),
    model: textField(completion, 'model'),
  };
}

/**
 * Routers state an error of the provider above them inside a reply, mostly with a part of a text: no answer of the model,
 * which the user can ask for again.
 */
function findFailure(completion: unknown, choice: unknown): AgentError | null {
  const stated = toStatedError(choice, completion) ?? toStatedError(completion, completion);
  if (stated !== null || field(choice, 'finish_reason') !== 'error') return stated;
  return createModelError('server', 'The provider broke the reply off with the finish reason "error"');
}

/** The reply as the next request repeats it; reasoning goes back in the field it came in, where servers look for it. */
export function replayableMessage(completion: unknown, { text, calls }: Turn): OpenAI.ChatCompletionMessageParam {
  const message = field(listField(completion, 'choices')[0], 'message');
  const reasoning = ['reasoning_content', 'reasoning', 'reasoning_details'].flatMap((name) => {
    const value = field(message, name) ?? null;
    return value === null ? [] : [[name, value] as const];
  });
  const toolCalls = calls.map(({ id, name, arguments: text }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: text },
  }));
  return {
    role: 'assistant',
    content: text,
    ...Object.fromEntries(reasoning),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
  };
}

/** An empty text is an answer of nothing; a message without any content, calls or thoughts is no reply of a model. */
function isHollow(message: object): boolean {
  const fields = ['content', 'tool_calls', 'refusal', 'reasoning_content', 'reasoning'];
  const values = fields.map((name) => field(message, name) ?? null);
  return values.every((value) => value === null || (Array.isArray(value) && value.length === 0));
}

/** Text in another form would count as an answer of nothing. */
function hasWrongText(message: object): boolean {
  if (!isNoText(message, 'content')) return false;
  return isNoPartList(message, 'content') || listField(message, 'content').some((part) => isNoText(part, 'text'));
}

function toText(content: unknown): string | null {
  if (typeof content === 'string') return content === '' ? null : content;
  if (!Array.isArray(content)) return null;
  return content.flatMap((part) => textField(part, 'text') ?? []).join('\n') || null;
}

function toCall(call: unknown, step: number, index: number): ToolCall {
  const called = field(call, 'function');
  const written = field(called, 'arguments') ?? '';
  return {
    id: textField(call, 'id') ?? `call_${step}_${index}`,
    name: textField(called, 'name') ?? '',
    arguments: typeof written === 'string' ? written : JSON.stringify(written),
  };
}
