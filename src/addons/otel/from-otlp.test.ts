import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../test/make-folder.ts';
import { toCall, toMessage, toOtlpLine } from '../../../test/otlp-lines.ts';
import { readHubSettings } from '../../data/hub/hub-source.ts';
import type { EvalDefinition } from '../../run/definition.ts';
import { loadSamples } from '../../run/samples.ts';
import { readConfig } from '../../settings.ts';
import { fromOtlp } from './index.ts';

const user = (text: string) => toMessage('user', text);
const reply = (text: string) => [toMessage('assistant', text)];

test('a record has what the user said, and what was answered, by which model, when and with which tools', async () => {
  const talk = [toMessage('system', 'Be kind.'), user('Hi'), ...reply('Hello'), user('1 + 2?')];
  const call = { type: 'tool_call', id: 'c', name: 'add', arguments: {} };
  const folder = makeFolder({
    'traces.jsonl': [
      toOtlpLine({ id: 'a', attributes: toCall([user('Q')], [toMessage('assistant', call, 'A')]) }),
      toOtlpLine({ trace: 't2', id: 'a', to: 20, attributes: toCall(talk, reply('3')) }),
      toOtlpLine({ trace: 't3', id: 'a', attributes: toCall([user('Q')], []) }),
    ].join('\n'),
  });
  const { records, source } = await fromOtlp('traces.jsonl')({ folder });
  const metadata = { model: 'gpt-5-mini', time: '2026-11-28T00:15:58.000Z', tools: [] };
  expect(records.records.map(({ value }) => value)).toEqual([
    { id: 't1', input: 'Q', metadata: { ...metadata, output: 'A', tools: ['add'] } },
    { id: 't2', turns: ['Hi', '1 + 2?'], metadata: { ...metadata, output: '3' } },
    { id: 't3', input: 'Q', metadata: { ...metadata, output: null } },
  ]);
  expect([source.name, source.notes]).toEqual(['traces', []]);
});

test('requests of traces become samples, with targets by "map", notes and without keys', async () => {
  const key = 'sk-0123456789abcdefghijklmnop';
  const call = toCall([toMessage('user', `Is ${key} valid?`)], [toMessage('assistant', key)]);
  const talk = toCall([toMessage('user', 'Hi'), toMessage('user', 'Hello')], []);
  const turns = toCall(
    [toMessage('user', 'Hi'), toMessage('assistant', 'Yes?'), toMessage('user', 'Bye')],
    [toMessage('assistant', 'Bye')],
  );
  const lines = [call, talk, turns].map((attributes, index) =>
    toOtlpLine({ trace: `t${index}`, id: 'a', attributes }),
  );
  const file = join(makeFolder({ 'x/traces.jsonl': [...lines, '{'].join('\n') }), 'own.eval.ts');
  const definition: EvalDefinition = {
    data: fromOtlp('x/traces.jsonl'),
    map: (record) => ({ ...record, target: record.metadata.output ?? 'none' }),
  };
  const run = { config: readConfig({}), hub: readHubSettings({}), secrets: [key] };
  const { samples, notes, name, source } = await loadSamples(
    { name: 'own', file, definition },
    [],
    run,
  );
  expect(samples).toMatchObject([
    { id: 't0', input: 'Is [key] valid?', target: '[key]', metadata: { output: '[key]' } },
    { id: 't1', input: 'Hi\n\nHello', target: 'none' },
    { id: 't2', turns: ['Hi', 'Bye'], target: 'Bye' },
  ]);
  expect([name, source?.hash.length]).toEqual(['traces', 64]);
  expect(notes[0]?.text).toBe('1 line is left out: not JSON of OTLP, such as line 4.');
});
