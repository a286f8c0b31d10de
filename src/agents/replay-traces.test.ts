import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { toCall, toMessage, toOtlpLine } from '../../test/otlp-lines.ts';
import { readRequests } from '../data/files/recorded-requests.ts';
import { textsOf } from '../words/types.fixture.ts';
import { createReplay } from './create-replay.ts';

const user = (text: string) => toMessage('user', text);
const reply = (text: string) => [toMessage('assistant', text)];
const USED = { 'gen_ai.usage.input_tokens': 1_000_000, 'gen_ai.usage.output_tokens': 0 };
const PRICES = { 'gpt-5-mini': { input: 2, output: 4 } };

/** The agent that replays a file, and what it answers to each request. */
async function replayAll(text: string) {
  const target = join(makeFolder({ 'traces.jsonl': text }), 'traces.jsonl');
  const ids = readRequests(target).requests.map(({ id }) => id);
  const spec = { kind: 'replay', target, text: 'replay:traces.jsonl' };
  const setting = { suite: 'own', ids, predictions: '', prices: PRICES };
  const [agent] = await createReplay(spec, setting);
  return { agent, answers: ids.map((id) => agent?.replayAnswer?.(id, 1)) };
}

test('recorded answers are those of the agent', async () => {
  const talk = [toMessage('system', 'Be kind.'), user('Hi'), ...reply('Hello'), user('1 + 2?')];
  const { agent, answers } = await replayAll(
    [
      toOtlpLine({ id: 'a', attributes: { ...toCall([user('Q')], reply('A')), ...USED } }),
      toOtlpLine({ trace: 't2', id: 'a', to: 20, attributes: toCall(talk, reply('3')) }),
      toOtlpLine({ trace: 't3', id: 'a', error: 'no route', attributes: toCall([user('Q')], []) }),
      toOtlpLine({
        ...{ trace: 't4', id: 'a', error: '' },
        attributes: { ...toCall([user('Q')], reply('half')), 'error.type': 'timed_out' },
      }),
      toOtlpLine({ trace: 't5', id: 'a', attributes: toCall([user('Q')], []) }),
      toOtlpLine({
        ...{ trace: 't6', id: 'a' },
        attributes: { ...toCall([user('Q')], []), 'gen_ai.output.messages': '[{"role' },
      }),
    ].join('\n'),
  );
  expect(answers).toMatchObject([
    {
      ...{ output: 'A', latencyMs: 900, model: 'gpt-5-mini', steps: 1 },
      ...{ usage: { input_tokens: 1_000_000 }, costUsd: 2, costEstimated: true },
      ...{ trace: [{ text: 'A' }], sent: { messages: [{ role: 'user', text: 'Q' }], tools: [] } },
    },
    {
      ...{ output: '3', latencyMs: 20, conversation: { turns: 2, ended: 'turns' } },
      sent: { messages: [{ role: 'system' }, { text: 'Hi' }, { text: '1 + 2?' }] },
      messages: ['Hi', 'Hello', '1 + 2?', '3'].map((content) => ({ content })),
    },
    { kind: 'agent_crash', message: 'no route', latencyMs: 900 },
    { kind: 'timed_out', message: 'timed_out' },
    { output: null, reason: 'empty' },
    null,
  ]);
  expect(textsOf(agent?.notes ?? [])).toEqual(['1 answer is cut in the traces, and not graded.']);
});
