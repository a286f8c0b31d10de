import type { TraceStep } from '../types.ts';
import { field, listField, textField } from './outside-value.ts';

/** A call of a tool that the provider ran itself, as the trace shows it. */
export type ServedCall = TraceStep['tool_calls'][number];

/** Of a reply of the Responses API: its searches and the code it ran. */
export function findResponsesCalls(items: readonly unknown[]): readonly ServedCall[] {
  return items
    .filter((item) => SERVED_ITEMS.some((type) => type === field(item, 'type')))
    .map((item) => ({
      name: textField(item, 'type')?.replace(/_call$/, '') ?? '',
      arguments: textField(item, 'code') ?? JSON.stringify(field(item, 'action') ?? {}),
      result: show(field(item, 'outputs')),
      failed: textField(item, 'status') === 'failed',
    }));
}

/** The items of the Responses API that stand for such a call. */
export const SERVED_ITEMS = ['web_search_call', 'code_interpreter_call'] as const;

/** Of a message of the Messages API: each call with the result that refers to it. */
export function findAnthropicCalls(blocks: readonly unknown[]): readonly ServedCall[] {
  const calls = blocks.filter((block) => field(block, 'type') === 'server_tool_use');
  return calls.map((call) => {
    const id = textField(call, 'id');
    const result = blocks.find((block) => id !== null && field(block, 'tool_use_id') === id);
    const content = field(result, 'content');
    return {
      name: textField(call, 'name') ?? '',
      arguments: JSON.stringify(field(call, 'input') ?? {}),
      result: show(Array.isArray(content) ? listField(result, 'content').map(withoutCipher) : withoutCipher(content)),
      failed: textField(content, 'error_code') !== null,
    };
  });
}

/** Search results come with their text enciphered. */
function withoutCipher(part: unknown): unknown {
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(Object.entries(part).filter(([name]) => name !== 'encrypted_content'));
}

function show(result: unknown): string | null {
  return result === undefined || result === null ? null : JSON.stringify(result);
}
