import { mergeUsageMetadata, type UsageMetadata } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { AIMessage, createAgent, ToolMessage, tool } from 'langchain';
import { recordTools, type SuiteAgent } from '../../../src/index.ts';
import { daysBetween } from './days-between.ts';

const MODEL = 'gpt-5-mini';
const days = tool(daysBetween.execute, { ...daysBetween, schema: daysBetween.inputSchema });
// EVAL_TOOLS=record keeps what they return, and EVAL_TOOLS=replay runs the evals without them.
const tools = recordTools([days], { name: 'days' });
const agent = createAgent({ model: new ChatOpenAI({ model: MODEL, maxRetries: 2 }), tools });

/** An agent of LangChain.js. */
export default (async ({ prompt: content }, { signal, maxSteps }) => {
  // The graph counts each call of the model and each round of tools.
  const limits = { signal, recursionLimit: 2 * (maxSteps ?? 20) };
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content }] }, limits);
  const results = messages.filter((message) => ToolMessage.isInstance(message));
  const replies = messages.filter((message) => AIMessage.isInstance(message));
  const trace = replies.map(({ text, tool_calls = [], response_metadata, usage_metadata }) => {
    const calls = tool_calls.map(({ id, name, args }) => {
      const end = results.find(({ tool_call_id }) => tool_call_id === id);
      return { name, arguments: args, result: end?.text, failed: end?.status === 'error' };
    });
    const stop = response_metadata?.['finish_reason'];
    return { text, tool_calls: calls, stop, usage: toUsage(usage_metadata) };
  });
  const used: (UsageMetadata | undefined)[] = replies.map(({ usage_metadata }) => usage_metadata);
  const usage = toUsage(used.reduce(mergeUsageMetadata));
  return { output: replies.at(-1)?.text ?? null, model: MODEL, steps: trace.length, usage, trace };
}) satisfies SuiteAgent;

const toUsage = (usage?: UsageMetadata) => ({
  input_tokens: usage?.input_tokens ?? 0,
  cached_tokens: usage?.input_token_details?.cache_read ?? 0,
  output_tokens: usage?.output_tokens ?? 0,
  reasoning_tokens: usage?.output_token_details?.reasoning ?? 0,
});
