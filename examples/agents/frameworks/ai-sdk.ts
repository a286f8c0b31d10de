import { openai } from '@ai-sdk/openai';
import { generateText, isStepCount, tool } from 'ai';
import { aiSdk } from '../../../src/agents/ai-sdk.ts';
import { daysBetween } from './days-between.ts';

const model = openai('gpt-5-mini');
const tools = { [daysBetween.name]: tool(daysBetween) };

/** An agent of the Vercel AI SDK. */
export default aiSdk(({ prompt }, options, { maxSteps }) =>
  generateText({ model, tools, prompt, stopWhen: isStepCount(maxSteps ?? 20), ...options }),
);
