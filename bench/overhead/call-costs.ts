import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { createAgents, parseAgentSpecs } from '../../src/agents/kinds.ts';
import { toAsked, UNLIMITED } from '../../src/words/types.fixture.ts';
import { median } from '../measure/median.ts';

/* Prints as JSON what calls cost through viva and by the SDKs alone, against a server on a port. */

const url = `http://127.0.0.1:${process.argv[2]}`;
Object.assign(process.env, { OPENAI_API_KEY: 'none', ANTHROPIC_API_KEY: 'none' });
const openai = new OpenAI({ baseURL: `${url}/v1` });
const anthropic = new Anthropic({ baseURL: url });
const messages = [{ role: 'user' as const, content: '?' }];
const question = { model: 'm', max_tokens: 4096, messages };

const collect = async (stream: AsyncIterable<object>) => {
  const parts: object[] = [];
  for await (const part of stream) parts.push(part);
};

/** What is measured: the agent, and the same call by its SDK. */
const CALLS: readonly { name: string; spec: string; times: number; bySdk(): Promise<unknown> }[] = [
  {
    name: 'chat',
    spec: `openai-chat:m?base_url=${url}/v1&stream=off`,
    times: 400,
    bySdk: () => openai.chat.completions.create({ model: 'm', messages }),
  },
  {
    name: 'chat streamed',
    spec: `openai-chat:m?base_url=${url}/v1&stream=on`,
    times: 150,
    bySdk: async () =>
      collect(await openai.chat.completions.create({ model: 'm', messages, stream: true })),
  },
  {
    name: 'Messages',
    spec: `anthropic:m?base_url=${url}&stream=off`,
    times: 400,
    bySdk: () => anthropic.messages.create(question),
  },
  {
    name: 'Messages streamed',
    spec: `anthropic:m?base_url=${url}&stream=on`,
    times: 150,
    bySdk: async () => collect(await anthropic.messages.create({ ...question, stream: true })),
  },
];

const ROUNDS = 7;

const costs = [];
for (const { name, spec, times, bySdk } of CALLS) {
  const byViva = await toCall(spec);
  const spent: Readonly<Record<'viva' | 'sdk', number[]>> = { viva: [], sdk: [] };
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    spent.viva.push(await measure(byViva, times));
    spent.sdk.push(await measure(bySdk, times));
  }
  costs.push({ name, viva: median(spent.viva.slice(1)), sdk: median(spent.sdk.slice(1)) });
}
console.log(JSON.stringify(costs));

async function toCall(text: string): Promise<() => Promise<unknown>> {
  const [spec] = parseAgentSpecs(text) ?? [];
  if (spec === undefined) throw new Error(`no agent: ${text}`);
  const [agent] = await createAgents(spec, { suite: 's', ids: [], predictions: '' });
  return async () => {
    const answer = await agent?.answer(toAsked('?'), UNLIMITED);
    if (!answer?.output) throw new Error(`no output: ${JSON.stringify(answer)}`);
  };
}

/** The CPU time of one call in ms, of so many in turn. */
async function measure(call: () => Promise<unknown>, times: number): Promise<number> {
  const before = process.cpuUsage();
  for (let done = 0; done < times; done++) await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / times;
}
