import { createOpenAI } from '@ai-sdk/openai';
import { generateText, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';
import { lastOf, stubModel } from '../stubs/model.ts';

const fetch = stubModel((messages) => {
  const found = lastOf(messages, 'tool');
  if (found !== '') return `Your parcel is in ${/"place":"(\w+)"/.exec(found)?.[1]}.`;
  const [id] = /P\d+/.exec(lastOf(messages, 'user')) ?? [];
  return id === undefined
    ? 'What is the number of your parcel?'
    : { name: 'track', arguments: { id } };
});
const model = createOpenAI({ apiKey: 'none', fetch }).chat('gpt-4.1-mini');

const PLACES = new Map([
  ['P7', 'Lisbon'],
  ['P9', 'Oslo'],
]);

const track = tool({
  description: 'Where a parcel is.',
  inputSchema: z.object({ id: z.string() }),
  execute: async ({ id }) => ({ id, place: PLACES.get(id) ?? 'transit' }),
});

export const tools = { track };

/** What generateText and streamText take beside the question, in each version of the AI SDK. */
type Options = { abortSignal?: AbortSignal; onStepFinish?: (step: unknown) => void };

/** Answers a question by the tool `track`. */
export function askTracker(prompt: string, options: Options = {}, given = tools) {
  return generateText({ model, prompt, tools: given, stopWhen: stepCountIs(4), ...options });
}

/** Answers without a tool, as a stream. */
export function streamGreeting(prompt: string, options: Options = {}) {
  return streamText({ model, prompt, ...options });
}
