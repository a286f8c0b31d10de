import { toArguments } from './anthropic-input.ts';
import { toReplyError } from './model-error.ts';
import { field, isNoText, listField, textField } from './outside-value.ts';
import { findAnthropicCalls } from './served-calls.ts';
import { toTokenCounts } from './token-counts.ts';
import type { TokenCounts, Turn } from './turn.ts';

/** A whole message without the reason why it ends is not finished; one that is streamed ends by its last event. */
export function checkStopped<T>(message: T): T {
  if (field(message, 'stop_reason') !== null) return message;
  throw toReplyError(message, 'The message is not finished, its "stop_reason" is null');
}

/** A message of the Messages API. Calls count only where it stopped for them: a cut one may lack half of its input. */
export function toAnthropicTurn(message: unknown): Turn {
  if (!Array.isArray(field(message, 'content'))) {
    throw toReplyError(message, 'The server answered without a list "content"');
  }
  const blocks = listField(message, 'content');
  if (blocks.length > 0 && blocks.every((block) => textField(block, 'type') === null)) {
    throw toReplyError(message, 'The server answered with a list "content" that holds no block');
  }
  if (blocks.some((block) => field(block, 'type') === 'text' && isNoText(block, 'text'))) {
    throw toReplyError(message, 'The server answered with a block whose "text" is no text');
  }
  const stop = textField(message, 'stop_reason');
  const calls = stop === 'tool_use' ? blocks.filter((block) => field(block, 'type') === 'tool_use') : [];
  return {
    text: joinTexts(blocks),
    flaw: toFlaw(stop),
    reasoning: join(blocks.map((block) => textField(block, 'thinking'))),
    calls: calls.map((block) => ({
      id: textField(block, 'id') ?? '',
      name: textField(block, 'name') ?? '',
      arguments: toArguments(field(block, 'input')),
    })),
    served: findAnthropicCalls(blocks),
    stop,
    usage: toUsage(field(message, 'usage')),
    model: textField(message, 'model'),
  };
}

function toFlaw(stop: string | null): Turn['flaw'] {
  if (stop === 'refusal' || stop === 'max_tokens') return stop;
  return stop === 'model_context_window_exceeded' ? 'context_window' : null;
}

/** Anthropic's `input_tokens` leaves out what was read from a cache or written to one. */
function toUsage(usage: unknown): TokenCounts | null {
  const said = {
    input_tokens: field(usage, 'input_tokens'),
    output_tokens: field(usage, 'output_tokens'),
    cached_tokens: field(usage, 'cache_read_input_tokens'),
    reasoning_tokens: field(field(usage, 'output_tokens_details'), 'thinking_tokens'),
    cache_write_tokens: field(usage, 'cache_creation_input_tokens'),
  };
  return toTokenCounts(said, { cacheApart: true });
}

/** Texts that follow each other are one: where it cites a source, the API cuts a sentence into blocks. */
function joinTexts(blocks: readonly unknown[]): string | null {
  const paragraphs: string[] = [];
  let open = false;
  for (const block of blocks) {
    const isText = field(block, 'type') === 'text';
    const text = isText ? (textField(block, 'text') ?? '') : '';
    if (isText && open) paragraphs.push((paragraphs.pop() ?? '') + text);
    else if (isText) paragraphs.push(text);
    open = isText;
  }
  return join(paragraphs.filter((paragraph) => paragraph !== ''));
}

function join(texts: readonly (string | null)[]): string | null {
  return texts.filter((text) => text !== null).join('\n') || null;
}
