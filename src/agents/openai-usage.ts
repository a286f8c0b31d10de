import { countField, field } from './outside-value.ts';
import type { TokenCounts } from './turn.ts';

/** Usage in either form of OpenAI's APIs, whose input includes cached tokens; null when the server does not count. */
export function toOpenAIUsage(usage: unknown): TokenCounts | null {
  if (typeof usage !== 'object' || usage === null) return null;
  const read = (responses: string, chat: string) => countField(usage, responses) || countField(usage, chat);
  const input = field(usage, 'input_tokens_details') ?? field(usage, 'prompt_tokens_details');
  const output = field(usage, 'output_tokens_details') ?? field(usage, 'completion_tokens_details');
  return {
    input_tokens: read('input_tokens', 'prompt_tokens'),
    output_tokens: read('output_tokens', 'completion_tokens'),
    cached_tokens: countField(input, 'cached_tokens'),
    reasoning_tokens: countField(output, 'reasoning_tokens'),
    cache_write_tokens: countField(input, 'cache_write_tokens'),
  };
}
