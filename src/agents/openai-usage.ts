import { field } from './outside-value.ts';
import { toTokenCounts } from './token-counts.ts';
import type { TokenCounts } from './turn.ts';

/** Usage in either form of OpenAI's APIs, whose input includes cached tokens; null when the server does not count. */
export function toOpenAIUsage(usage: unknown): TokenCounts | null {
  const read = (responses: string, chat: string) => field(usage, responses) ?? field(usage, chat);
  const input = read('input_tokens_details', 'prompt_tokens_details');
  const output = read('output_tokens_details', 'completion_tokens_details');
  return toTokenCounts({
    input_tokens: read('input_tokens', 'prompt_tokens'),
    output_tokens: read('output_tokens', 'completion_tokens'),
    cached_tokens: field(input, 'cached_tokens'),
    reasoning_tokens: field(output, 'reasoning_tokens'),
    cache_write_tokens: field(input, 'cache_write_tokens'),
  });
}
