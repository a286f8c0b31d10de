import type OpenAI from 'openai';
import { toReplyError } from './model-error.ts';
import { toOpenAIUsage } from './openai-usage.ts';
import { field, isNoPartList, isNoText, listField, textField } from './outside-value.ts';
import { findResponsesCalls, SERVED_ITEMS } from './served-calls.ts';
import type { ToolCall, Turn } from './turn.ts';

type Replayable =
  | OpenAI.Responses.ResponseOutputMessage
  | OpenAI.Responses.ResponseReasoningItem
  | OpenAI.Responses.ResponseFunctionToolCall
  | OpenAI.Responses.ResponseFunctionWebSearch
  | OpenAI.Responses.ResponseCodeInterpreterToolCall;

/** The items of a response that the next request repeats: all kinds that a model with our tools writes. */
export function isReplayable(item: OpenAI.Responses.ResponseOutputItem): item is Replayable {
  const type = field(item, 'type');
  return ['message', 'reasoning', 'function_call', ...SERVED_ITEMS].some((known) => known === type);
}

/** A whole response that its server is still at; a stream ends by its last event, whatever status stands in that. */
export function checkCompleted<T>(response: T): T {
  const status = textField(response, 'status');
  if (status !== 'queued' && status !== 'in_progress') return response;
  throw toReplyError(response, `The response is ${status}, not completed`);
}

/** A reply of the Responses API; throws when it failed, or is no such reply. A missing status counts as completed. */
export function toResponsesTurn(response: unknown): Turn {
  const status = textField(response, 'status');
  if (status === 'failed' || status === 'cancelled') throw toReplyError(response, `The response is ${status}`);
  if (!Array.isArray(field(response, 'output'))) {
    throw toReplyError(response, 'The server answered without a list "output"');
  }
  const items = listField(response, 'output');
  // A reply that a limit cut short may hold nothing; one that was completed has at least a message.
  if (items.length === 0 && status !== 'incomplete') {
    throw toReplyError(response, 'The server answered with an empty list "output"');
  }
  if (items.length > 0 && items.every((item) => textField(item, 'type') === null)) {
    throw toReplyError(response, 'The server answered with a list "output" that holds no item');
  }
  const messages = items.filter((item) => field(item, 'type') === 'message');
  const parts = messages.flatMap((item) => listField(item, 'content'));
  // Text in another form would count as an answer of nothing.
  if (messages.some((item) => isNoPartList(item, 'content')) || parts.some((part) => isNoText(part, 'text'))) {
    throw toReplyError(response, 'The server answered with a message whose text is no text');
  }
  const why = status === 'incomplete' ? textField(field(response, 'incomplete_details'), 'reason') : null;
  const refused = parts.some((part) => textField(part, 'refusal') !== null);
  return {
    text: join(parts.map((part) => textField(part, 'text'))),
    flaw: refused ? 'refusal' : status === 'incomplete' ? toFlaw(why) : null,
    reasoning: join(items.filter((item) => field(item, 'type') === 'reasoning').flatMap(toThoughts)),
    // The last call of a reply that was cut short may lack half of its arguments.
    calls:
      refused || status === 'incomplete'
        ? []
        : items.filter((item) => field(item, 'type') === 'function_call').map(toCall),
    served: findResponsesCalls(items),
    stop: refused ? 'refusal' : (why ?? status),
    usage: toOpenAIUsage(field(response, 'usage')),
    model: textField(response, 'model'),
  };
}

function toFlaw(why: string | null): Turn['flaw'] {
  if (why === 'content_filter') return 'refusal';
  return why === 'max_output_tokens' ? 'max_tokens' : 'incomplete';
}

function toThoughts(item: unknown): readonly (string | null)[] {
  return [...listField(item, 'summary'), ...listField(item, 'content')].map((part) => textField(part, 'text'));
}

function toCall(item: unknown): ToolCall {
  return {
    id: textField(item, 'call_id') ?? '',
    name: textField(item, 'name') ?? '',
    arguments: textField(item, 'arguments') ?? '',
  };
}

function join(texts: readonly (string | null)[]): string | null {
  return texts.filter((text) => text !== null).join('\n') || null;
}
