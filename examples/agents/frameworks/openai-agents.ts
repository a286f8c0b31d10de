import { Agent, run, setTracingDisabled, tool, type Usage } from '@openai/agents';
import type { SuiteAgent } from '../../../src/index.ts';
import { daysBetween } from './days-between.ts';

const MODEL = 'gpt-5-mini';
const tools = [tool({ ...daysBetween, parameters: daysBetween.inputSchema })];
const agent = new Agent({ name: 'days', model: MODEL, tools });
// They would go to OpenAI.
setTracingDisabled(true);

/** An agent of the OpenAI Agents SDK. */
export default (async ({ prompt }, { signal, maxSteps }) => {
  const errorHandlers = { maxTurns: () => ({ finalOutput: '' }) };
  const result = await run(agent, prompt, { signal, maxTurns: maxSteps ?? 20, errorHandlers });
  const ends = result.newItems.filter((item) => item.type === 'tool_call_output_item');
  const trace = result.rawResponses.map(({ output, usage }) => {
    const calls = output.filter((item) => item.type === 'function_call');
    const tool_calls = calls.map(({ callId, name, arguments: given }) => {
      const end = ends.find(({ rawItem }) => 'callId' in rawItem && rawItem.callId === callId);
      const failed = String(end?.output).startsWith('An error occurred while running the tool');
      return { name, arguments: given, result: end?.output, failed };
    });
    const said = output.flatMap((it) =>
      'role' in it && it.role === 'assistant' ? it.content : [],
    );
    const text = said.map((part) => (part.type === 'output_text' ? part.text : '')).join('');
    return { text, tool_calls, usage: toUsage(usage) };
  });
  const usage = toUsage(result.state.usage);
  return { output: result.finalOutput ?? null, model: MODEL, steps: trace.length, usage, trace };
}) satisfies SuiteAgent;

const toUsage = ({ inputTokens, inputTokensDetails, outputTokens, outputTokensDetails }: Usage) => {
  const sum = (details: Record<string, number>[], name: string) =>
    details.reduce((total, counts) => total + (counts[name] ?? 0), 0);
  return {
    input_tokens: inputTokens,
    cached_tokens: sum(inputTokensDetails, 'cached_tokens'),
    output_tokens: outputTokens,
    reasoning_tokens: sum(outputTokensDetails, 'reasoning_tokens'),
  };
};
