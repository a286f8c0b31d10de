import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { aiSdk } from '../../../src/agents/ai-sdk.ts';
import { daysBetween } from './days-between.ts';

const { name, execute, ...described } = daysBetween;
const tools = { [name]: createTool({ id: name, ...described, execute }) };
const agent = new Agent({
  ...{ id: 'days', name: 'days', instructions: 'Answer the question.' },
  ...{ model: 'openai/gpt-5-mini', tools },
});

/** An agent of Mastra. Its results are like those of the AI SDK. */
export default aiSdk(({ prompt }, options, { maxSteps }) =>
  agent.generate(prompt, { maxSteps: maxSteps ?? 20, ...options }),
);
