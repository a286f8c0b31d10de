import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { textsOf } from '../words/types.fixture.ts';
import { loadRecords, toRecordsDataset } from './load.ts';
import type { MapRecord } from './prepare-records.ts';

async function load(file: string, content: string | Uint8Array, map?: MapRecord) {
  const folder = makeFolder({ [file]: content, 'map.png': 'picture' });
  return loadRecords({ path: join(folder, file), ...(map && { map }) });
}

const toLines = (...records: readonly object[]) =>
  records.map((record) => JSON.stringify(record)).join('\n');

const RECORD = { id: 'a', input: 'Capital of France?', target: 'Paris' };
const SAMPLE = {
  id: 'a',
  input: 'Capital of France?',
  target: 'Paris',
  group: 'all',
  attachments: [],
  metadata: {},
};

const VALUES = { input: ['Pay 12 EUR.', { price: 1.1 }], target: { total: 12, items: [null] } };

describe('a record', () => {
  test.each<[string, object, object]>([
    ['input and target', RECORD, {}],
    [
      'question and answer',
      { task_id: 'a', Question: 'Capital of France?', 'Final answer': 'Paris' },
      {},
    ],
    [
      'a level and a numeric target',
      { ...RECORD, level: 2, target: 17 },
      { group: '2', target: 17, metadata: { level: 2 } },
    ],
    ['values that are false', { ...RECORD, input: 0, target: false }, { input: 0, target: false }],
    [
      'a target that is null',
      { ...RECORD, target: null },
      { target: null, metadata: { target: null } },
    ],
    ['lists and objects as values', { ...RECORD, ...VALUES }, VALUES],
    [
      'a context beside a value',
      { ...RECORD, input: { q: 1 }, context: 'Read.' },
      { input: { q: 1 }, metadata: { context: 'Read.' } },
    ],
    ['a question mark as target', { ...RECORD, target: '?' }, { target: '?' }],
    [
      'a question mark beside options, which hides the right one',
      { ...RECORD, choices: ['Rome', 'Paris'], target: '?' },
      { choices: { A: 'Rome', B: 'Paris' }, target: null },
    ],
    ['an empty target', { ...RECORD, target: ' ' }, { target: null, metadata: { target: ' ' } }],
    [
      'choices',
      { ...RECORD, choices: ['Rome', 'Paris'], multiple: false },
      {
        choices: { A: 'Rome', B: 'Paris' },
        target: 'B',
        multiple: false,
        metadata: { multiple: false },
      },
    ],
    [
      'a file',
      { ...RECORD, attachments: ['map.png'] },
      { attachments: [{ name: 'map.png', path: expect.any(String) }] },
    ],
    [
      'other fields',
      { ...RECORD, author: 'me', metadata: { year: 1 } },
      { metadata: { author: 'me', year: 1 } },
    ],
    [
      'empty fields',
      { ...RECORD, group: '', choices: null, attachments: '', multiple: null },
      { metadata: { group: '', choices: null, attachments: '', multiple: null } },
    ],
  ])('with %s is a sample', async (_, record, changes) => {
    const { samples, name } = await load('cities.jsonl', toLines(record));
    expect([samples, name]).toEqual([[{ ...SAMPLE, suite: 'records', ...changes }], 'cities']);
  });

  test('keeps all digits of its id and group, and has numbers in its other fields', async () => {
    const line = '{"id":9007199254740993,"input":"?","target":1.10,"group":2.50,"price":1.10}';
    expect((await load('cities.jsonl', line)).samples).toMatchObject([
      { id: '9007199254740993', target: 1.1, group: '2.50', metadata: { price: 1.1 } },
    ]);
    const map: MapRecord = ({ id, price }) => ({ id, input: '?', target: price * 2 });
    expect((await load('cities.jsonl', line, map)).samples).toMatchObject([
      { id: '9007199254740993', target: 2.2 },
    ]);
  });

  test('without an id gets one, and says so; without a group it is in one of its own', async () => {
    const { samples, notes } = await load(
      'cities.jsonl',
      toLines({ question: 'Why?', answer: 'So.', topic: 'x' }, RECORD),
    );
    expect(samples.map(({ id, group }) => [id, group])).toEqual([
      ['q-0001-5d8a995a', 'x'],
      ['a', 'no group'],
    ]);
    expect(textsOf(notes)).toEqual([
      expect.stringMatching(/^Usual names: 2 records, read from /),
      '1 of 2 records has no id; viva makes one from position and question.',
    ]);
  });

  test('is mapped from fields of other names, with its place in the file', async () => {
    const map: MapRecord = ({ q, gold }, index) => ({
      id: index,
      input: q,
      target: gold,
      group: null,
      metadata: { q },
    });
    const { samples } = await load('odd.json', JSON.stringify([{ q: 'Why?', gold: 'So.' }]), map);
    expect(samples).toMatchObject([
      { id: '0', input: 'Why?', target: 'So.', metadata: { q: 'Why?' } },
    ]);
  });

  test.each<[string, object | string, RegExp]>([
    [
      'no question',
      { id: 'b' },
      /jsonl:2: the record has no input, or an empty one \(the record has "id"\)\. Call it .+, or name its field by "map" in the eval file\./,
    ],
    [
      'a target beyond all numbers',
      '{"id":"b","input":"?","target":{"n":1e999}}',
      /jsonl:2: "target" must be a value that JSON has \("n" is Infinity\)\. Fix/,
    ],
    [
      'the id of another',
      { ...RECORD, id: 'first' },
      /jsonl:2: the id already belongs to line 1, got "first"/,
    ],
  ])('with %s is refused with file and line', async (_, record, message) => {
    const lines = [{ ...RECORD, id: 'first' }, record].map((each) =>
      typeof each === 'string' ? each : JSON.stringify(each),
    );
    await expect(load('cities.jsonl', lines.join('\n'))).rejects.toThrow(message);
  });

  test.each<[string, unknown, RegExp]>([
    [
      'nothing',
      undefined,
      /"map" must return an object with "input", got nothing\. Correct "map"\./,
    ],
    ['no input', { id: 'a' }, /:1: the record has no input/],
    ['options without its target', { input: '?', choices: { A: 'x', B: 'y' }, target: 'C' }, /"C"/],
  ])('that "map" turns into %s is refused', async (_, mapped, message) => {
    await expect(load('cities.jsonl', toLines(RECORD), () => mapped as never)).rejects.toThrow(
      message,
    );
  });
});

describe('a list of records in an eval file', () => {
  const file = join(import.meta.dirname, 'own.eval.ts');

  test('is a dataset of the suite', () => {
    expect(toRecordsDataset([RECORD], 'own', file)).toEqual({
      name: 'own',
      samples: [{ ...SAMPLE, suite: 'own' }],
      notes: [],
      placeholders: [],
      fetch: expect.any(Function),
      shape: '{"id":"id","input":"input","answer":"target"}',
    });
  });

  test('names a bad record by its place in the list', () => {
    expect(() => toRecordsDataset([RECORD, { id: 'b' }], 'own', file)).toThrow(
      /own\.eval\.ts, record 2: the record has no/,
    );
    expect(() => toRecordsDataset([RECORD, RECORD], 'own', file)).toThrow(
      /, record 2: the id already belongs to record 1/,
    );
  });
});

describe('records', () => {
  test('are read from all files of a folder in the order of their names, each a group', async () => {
    const path = makeFolder({
      'b.csv': 'id,input\nb,?\n',
      'a.jsonl': toLines(RECORD),
      'README.md': 'about',
    });
    const { samples, notes, source } = await loadRecords({ path });
    expect(samples.map(({ id, group }) => [id, group])).toEqual([
      ['a', 'a'],
      ['b', 'b'],
    ]);
    expect(notes[0]?.text).toBe(
      'Usual names: 2 records of a.jsonl, b.csv, read from "id" (id), "input" (question), "target" (answer).',
    );
    expect(source).toEqual({
      uri: path,
      revision: null,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test('are refused where two files share an id', async () => {
    const path = makeFolder({ 'a.jsonl': toLines(RECORD), 'b.jsonl': toLines(RECORD) });
    await expect(loadRecords({ path })).rejects.toThrow(
      /b\.jsonl:1: the id already belongs to line 1 of "a\.jsonl"/,
    );
  });
});

test.each([
  [{ answer: 1 }, 'such as "A".'],
  [{ answer: 'A', answer_index: 'B' }, 'Keep the right one.'],
  [
    { question: 'See <image 1>', answer: 'A' },
    'Call the field of the picture "image", or leave the record out.',
  ],
])(
  'a bad record with %j names no setting that a suite of your own does not read',
  async (fields, remedy) => {
    const record = { question: 'x?', options: ['p', 'q', 'r'], ...fields };
    const loading = load('a.jsonl', toLines(record));
    await expect(loading).rejects.toThrow(remedy);
    await expect(loading).rejects.not.toThrow('EVAL_MCQ_FIELDS');
  },
);
