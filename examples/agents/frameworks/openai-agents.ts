import { Agent, run, setTracingDisabled, tool, type Usage } from '@openai/agents';
import { recordTools, type SuiteAgent } from '../../../src/index.ts';
import { daysBetween } from './days-between.ts';

const [MODEL, name] = ['gpt-5-mini', 'days'];
const days = tool({ ...daysBetween, parameters: daysBetween.inputSchema });
// EVAL_TOOLS=record keeps what tools return, and EVAL_TOOLS=replay runs the evals without them.
const agent = new Agent({ name, model: MODEL, tools: recordTools([days], { name }) });
setTracingDisabled(true); // They would go to OpenAI.

/** An agent of the OpenAI Agents SDK. */
export default (async ({ prompt }, { signal, maxSteps }) => {
  const errorHandlers = { maxTurns: () => ({ finalOutput: '' }) };
  const result = await run(agent, prompt, { signal, maxTurns: maxSteps ?? 20, errorHandlers });
  const ends = result.newItems.filter((item) => item.type === 'tool_call_output_item');
  const trace = result.rawResponses.map(({ output, usage }) => {
    const calls = output.filter((item) => item.type === 'function_call');
    const tool_calls = calls.map(({ callId, name, arguments: given }) => {
      const end = ends.find(({ rawItem }) => 'callId' in rawItem && rawItem.callId === callId);
      const failed = /^An error occurred while running/.test(String(end?.output));
      return { name, arguments: given, result: end?.output, failed };
    });
    const replies = output.filter((item) => 'role' in item && item.role === 'assistant');
    const said = replies.flatMap(({ content }) => content);
    const texts = said.map((part) => (part.type === 'output_text' ? part.text : ''));
    return { text: texts.join(''), tool_calls, usage: toUsage(usage) };
  });
  const { finalOutput: output = null, state } = result;
  return { output, model: MODEL, steps: trace.length, usage: toUsage(state.usage), trace };
}) satisfies SuiteAgent;

const toUsage = ({ inputTokens, inputTokensDetails, outputTokens, outputTokensDetails }: Usage) => {
  const sum = (all: Record<string, number>[], name: string) =>
    all.reduce((total, counts) => total + (counts[name] ?? 0), 0);
  return {
    ...{ input_tokens: inputTokens, output_tokens: outputTokens },
    cached_tokens: sum(inputTokensDetails, 'cached_tokens'),
    reasoning_tokens: sum(outputTokensDetails, 'reasoning_tokens'),
  };
};
