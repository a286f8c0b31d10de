import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readExportedRun } from '../../reporters/exported-run.ts';
import { listSpans } from '../../reporters/otlp-spans.ts';
import { makeFolder } from '../../test/make-folder.ts';
import { makeRun } from '../../test/make-run.ts';
import { toCall, toMessage, toOtlpLine } from '../../test/otlp-lines.ts';
import { fromOtlp } from '../data/from-otlp.ts';
import { toResult } from '../figures/result.fixture.ts';
import { writeQuestions } from '../store/run-folder.ts';
import type { Agent } from '../words/answer.ts';
import type { SampleResult } from '../words/row.ts';
import { textsOf, toSample } from '../words/types.fixture.ts';
import { createReplay } from './create-replay.ts';

const user = (text: string) => toMessage('user', text);
const reply = (text: string) => [toMessage('assistant', text)];
const USED = { 'gen_ai.usage.input_tokens': 1_000_000, 'gen_ai.usage.output_tokens': 0 };
const PRICES = { 'gpt-5-mini': { input: 2, output: 4 } };

/** The records of a file, and the agent that replays it for them. */
async function open(text: string) {
  const folder = makeFolder({ 'traces.jsonl': text });
  const target = join(folder, 'traces.jsonl');
  const { records, source } = await fromOtlp('traces.jsonl')({ folder });
  const values = records.records.map(({ value }) => value);
  const spec = { kind: 'replay', target, text: 'replay:traces.jsonl' };
  const setting = {
    suite: 'own',
    ids: values.map(({ id }) => id),
    predictions: '',
    prices: PRICES,
  };
  const [agent] = await createReplay(spec, setting);
  if (agent === undefined) throw new Error('no agent');
  return { values, source, agent };
}

const answersOf = (agent: Agent, values: readonly { readonly id: string }[]) =>
  values.map(({ id }) => agent.replayAnswer?.(id, 1));

test('recorded requests become records, and their answers those of the agent', async () => {
  const talk = [toMessage('system', 'Be kind.'), user('Hi'), ...reply('Hello'), user('1 + 2?')];
  const { values, source, agent } = await open(
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
  const metadata = { model: 'gpt-5-mini', time: '2026-11-28T00:15:58.000Z', tools: [] };
  expect(values.slice(0, 2)).toEqual([
    { id: 't1', input: 'Q', metadata: { output: 'A', ...metadata } },
    {
      ...{ id: 't2', turns: ['Hi', '1 + 2?'] },
      metadata: { output: '3', ...metadata },
    },
  ]);
  expect([source.name, source.notes]).toEqual(['traces', []]);
  expect(answersOf(agent, values)).toMatchObject([
    {
      ...{ output: 'A', latencyMs: 900, model: 'gpt-5-mini', steps: 1 },
      ...{ usage: { input_tokens: 1_000_000 }, cost: 2, costEstimated: true },
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
  expect(textsOf(agent.notes)).toEqual(['1 answer is cut in the traces, and not graded.']);
});

test("viva's own export is read again: questions, answers, failures and times", async () => {
  const facts = { suite: 'own', dataset: 'd', latency_ms: 3000, cost_usd: 0.25, model: 'm' };
  const states = ['correct', 'incorrect', 'no_answer', 'errored', 'timed_out'] as const;
  const rows = states.map((state) => toResult(state, { ...facts, id: state }));
  const long = { ...toResult('correct', { ...facts, id: 'long' }), reason: 'max_tokens' };
  const all = [...rows, long as SampleResult];
  const run = makeRun(all);
  writeQuestions(
    run,
    'own',
    all.map(({ id }) => toSample({ id, input: `Is it ${id}?` })),
  );
  const spans = [...listSpans(readExportedRun(run, true))];
  const text = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
  const { values, agent } = await open(text);
  expect(values.map(({ input }) => input)).toEqual(all.map(({ id }) => `Is it ${id}?`));
  const said = { output: 'text', latencyMs: 3000, cost: 0.25, model: 'm' };
  expect(answersOf(agent, values)).toMatchObject([
    said,
    said,
    { output: null, reason: 'empty', latencyMs: 3000 },
    { kind: 'network', message: 'down', latencyMs: 3000 },
    { kind: 'timed_out', latencyMs: 3000 },
    { ...said, cutShort: 'max_tokens' },
  ]);
});
