import type { RunResult, Usage } from '@openai/agents';

/** What viva reports of a run of the OpenAI Agents SDK: its output, tokens, and a step for each reply. */
// biome-ignore lint/suspicious/noExplicitAny: of any agent.
export function toAnswer({ finalOutput, newItems, rawResponses, state }: RunResult<any, any>) {
  const ends = newItems.filter((item) => item.type === 'tool_call_output_item');
  const trace = rawResponses.map(({ output, usage }) => {
    const calls = output.filter((item) => item.type === 'function_call');
    const tool_calls = calls.map(({ callId, name, arguments: given }) => {
      const end = ends.find(({ rawItem }) => 'callId' in rawItem && rawItem.callId === callId);
      return { name, arguments: given, result: String(end?.output ?? '') };
    });
    return { tool_calls, usage: toUsage(usage) };
  });
  const usage = toUsage(state.usage);
  return { output: String(finalOutput ?? ''), steps: trace.length, usage, trace };
}

function toUsage({ inputTokens, outputTokens }: Pick<Usage, 'inputTokens' | 'outputTokens'>) {
  return { input_tokens: inputTokens, output_tokens: outputTokens };
}
