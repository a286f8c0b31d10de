import { describe, expect, test } from 'vitest';
import { makeFile, makeFolder } from '../../test/make-folder.ts';
import { RecordError } from './files/record.ts';
import { loadGaia, loadMcq, loadRecords, toRecordsDataset } from './load.ts';

const GOOD = { question: 'x?', options: ['x', 'y'], answer: 'A' };

/** One record of each fault, with the stage at which it is found. */
const LINES = [
  JSON.stringify(GOOD),
  '{"question": "broken',
  '"a text"',
  JSON.stringify({ ...GOOD, question: '' }),
  JSON.stringify({ ...GOOD, options: ['x'] }),
  JSON.stringify({ ...GOOD, answer: '' }),
  JSON.stringify({ ...GOOD, answer: 'C' }),
  JSON.stringify({ ...GOOD, id: 'twice' }),
  JSON.stringify({ ...GOOD, id: 'twice' }),
  JSON.stringify({ ...GOOD, question: 'See <image 1>' }),
  JSON.stringify({ ...GOOD, question: 'y?', answer: 'B' }),
];
const BAD = [2, 3, 4, 5, 6, 7, 9, 10];

function write(): string {
  return makeFile('q.jsonl', LINES.join('\n'));
}

async function refusal(loading: Promise<unknown>): Promise<RecordError> {
  const error = await loading.catch((reason: unknown) => reason);
  if (error instanceof RecordError) return error;
  throw new Error(`expected a RecordError, got ${String(error)}`);
}

describe('bad records', () => {
  test('are listed at once, in the order of their lines', async () => {
    const { message, idsOnly } = await refusal(loadMcq({ path: write() }));
    const [head, ...lines] = message.split('\n');
    expect(head).toBe(
      '8 of 11 records are bad. Correct them, or set EVAL_SKIP_BAD=1 to leave them out:',
    );
    expect(lines.map((line) => /q\.jsonl:(\d+): /.exec(line)?.[1])).toEqual(BAD.map(String));
    expect(idsOnly.split('\n')).toHaveLength(lines.length + 1);
    expect(idsOnly).not.toContain('a text');
  });

  test('are left out if the user says so, and their places are known', async () => {
    const { samples, leftOut, notes } = await loadMcq({ path: write(), skipBad: true });
    expect(samples.map(({ input, target }) => [input, target])).toEqual([
      ['x?', 'A'],
      ['x?', 'A'],
      ['y?', 'B'],
    ]);
    expect(leftOut).toEqual(BAD.map((line) => expect.stringMatching(`q\\.jsonl:${line}$`)));
    expect(notes[0]?.text).toContain('Usual names: 3 records');
  });

  test('are named up to 20, and counted', async () => {
    const records = Array.from({ length: 30 }, () => ({ ...GOOD, answer: 'C' }));
    const path = makeFile('q.json', JSON.stringify([GOOD, ...records]));
    const { message } = await refusal(loadMcq({ path }));
    expect(message.split('\n')).toHaveLength(22);
    expect(message).toMatch(/^30 of 31 records are bad\.[\s\S]+\nand 10 more$/);
  });

  test('are rows of a table with too few or too many cells', async () => {
    const path = makeFile('q.csv', 'question,answer\nx?,1\ny?,2,3\nz?\nw?,4\nv?,5\n');
    expect((await refusal(loadRecords({ path }))).message).toContain('2 of 5 records are bad');
    const { samples, leftOut } = await loadRecords({ path, skipBad: true });
    expect([samples.length, leftOut?.length]).toEqual([3, 2]);
  });

  test('of a single kind say that one can be left out', async () => {
    const path = makeFile(
      'q.jsonl',
      '{"question":"x","level":9,"answer":"1"}\n{"question":"y","level":1,"answer":"2"}',
    );
    const { message } = await refusal(loadGaia({ path }));
    expect(message).toMatch(/got 9\. .+\nEVAL_SKIP_BAD=1 leaves this record out\.$/);
  });

  test.each<[string, string, object]>([
    ['that is no object', '"text"', {}],
    [
      'without a field that the user names',
      JSON.stringify({ ...GOOD, answer: undefined }),
      { answer: 'answer' },
    ],
    ['without the field around its fields', '{"sample": {}}', {}],
  ])('may be the first record: one %s', async (_, first, fields) => {
    const good = first.includes('sample') ? { item: GOOD } : GOOD;
    const path = makeFile(
      'q.jsonl',
      [first, JSON.stringify(good), JSON.stringify(good)].join('\n'),
    );
    const { samples, leftOut } = await loadMcq({ path, fields, skipBad: true });
    expect([samples.length, leftOut]).toEqual([2, [expect.stringMatching(/q\.jsonl:1$/)]]);
  });

  test('may be members of an object by id', async () => {
    const records = { a: GOOD, b: null, c: { answer: 'A' }, d: GOOD, e: GOOD };
    const path = makeFile('q.json', JSON.stringify(records, null, 1));
    const { samples, leftOut } = await loadMcq({ path, skipBad: true });
    expect(samples.map(({ id }) => id)).toEqual(['a', 'd', 'e']);
    expect(leftOut?.map((place) => place.replace(/^.*\//, ''))).toEqual(['q.json:10', 'q.json:11']);
  });

  test('of a list in an eval file, and of several files, have their places', async () => {
    const list = [{ input: 'x' }, { id: 'b' }, { input: 'y' }];
    expect(
      toRecordsDataset(list, 'own', '/own.eval.ts', undefined, { skipBad: true }).leftOut,
    ).toEqual(['/own.eval.ts, record 2']);
    const files = {
      'a.jsonl': '{"input":"x","id":"1"}\n{"id":"2"}',
      'b.jsonl': '{"input":"y","id":"1"}',
    };
    const { leftOut } = await loadRecords({ path: makeFolder(files), skipBad: true });
    expect(leftOut?.map((place) => place.replace(/^.*\//, ''))).toEqual(['a.jsonl:2', 'b.jsonl:1']);
  });

  test('are refused where no good one is left, and where the file as a whole is unclear', async () => {
    const path = makeFile('q.jsonl', '{"id":"a"}\n{"id":"b"}');
    await expect(loadRecords({ path, skipBad: true })).rejects.toThrow('2 of 2 records are bad');
    const unclear = [
      { ...GOOD, answer: 0 },
      { ...GOOD, answer: 2 },
      { ...GOOD, options: [] },
    ];
    const whole = makeFile('q.json', JSON.stringify(unclear));
    await expect(loadMcq({ path: whole, skipBad: true })).rejects.toThrow('it is unclear whether');
    await expect(loadMcq({ path: whole })).rejects.toThrow('2 of 3 records are bad');
  });

  test('are not told from good ones where most lines are no records', async () => {
    const path = makeFile('q.jsonl', 'This is\nno data\n{"input":"x"}\nat all.');
    await expect(loadRecords({ path, skipBad: true })).rejects.toThrow(
      'q.jsonl:1: the line is not',
    );
  });
});
