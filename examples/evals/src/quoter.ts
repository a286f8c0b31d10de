import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';
import { lastOf, stubModel } from '../stubs/model.ts';

const fetch = stubModel((messages) => {
  const price = lastOf(messages, 'tool');
  if (price !== '') return `It costs ${price} euros.`;
  const [, kg = '1'] = /(\d+) kg/.exec(lastOf(messages, 'user')) ?? [];
  return { name: 'price', arguments: { kg: Number(kg) } };
});
const openAIClient = new OpenAI({ apiKey: 'none', fetch });
const runner = new Runner({
  modelProvider: new OpenAIProvider({ openAIClient, useResponses: false }),
  tracingDisabled: true,
});

const price = tool({
  name: 'price',
  description: 'The price of a parcel in euros.',
  parameters: z.object({ kg: z.number() }),
  execute: ({ kg }) => 4 + 2 * kg,
});
const quoter = new Agent({ name: 'quoter', model: 'gpt-4.1-mini', tools: [price] });

/** Quotes the price of a parcel. */
export function quote(prompt: string, signal: AbortSignal) {
  return runner.run(quoter, prompt, { signal });
}
