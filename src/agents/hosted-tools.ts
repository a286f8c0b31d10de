import { oneOf, type ValueParser } from '../text/setting-values.ts';
import { showValue } from '../text/show.ts';
import { nearest } from '../text/wording.ts';
import type { TraceStep } from '../types.ts';
import { field, listField, textField } from './outside-value.ts';

/** Tools that a provider runs itself. */
const HOSTED_TOOLS = ['web_search', 'web_fetch', 'code_execution'] as const;

export type HostedName = (typeof HOSTED_TOOLS)[number];

/** One that an agent has. */
export type HostedTool = {
  /** The API's word for it and its version. */
  readonly type: string;
  /** Whether it is told which sites to leave out; null when it reads no page. */
  readonly guarded: boolean | null;
};

/** "on", "off" or a version of the tool by the API's own name. */
export function hostedTool<const T extends string = never>(...versions: readonly T[]): ValueParser<'on' | 'off' | T> {
  return oneOf<'on' | 'off' | T>('on', 'off', ...versions);
}

/** The version to use, or null: the spec's parameter wins over the run's setting. */
export function chooseHosted<T extends string>(
  name: HostedName,
  value: 'on' | 'off' | T | undefined,
  usual: T,
  setting: readonly HostedName[],
): T | null {
  const chosen = value ?? (setting.includes(name) ? 'on' : 'off');
  return chosen === 'on' ? usual : chosen === 'off' ? null : chosen;
}

/** What is wrong with the committed setting, which no type checker may have seen. */
export function findHostedProblems(names: readonly unknown[]): readonly string[] {
  return names
    .filter((name) => !HOSTED_TOOLS.some((known) => known === name))
    .map((name) => {
      const meant = nearest(String(name), HOSTED_TOOLS);
      return `hostedTools in vitest.config.ts must name ${HOSTED_TOOLS.join(', ')}, got ${showValue(name)}. Did you mean ${meant}?`;
    });
}

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
