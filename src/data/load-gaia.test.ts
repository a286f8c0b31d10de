import { linkSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFile, makeFolder } from '../../test/make-folder.ts';
import { textsOf } from '../words/types.fixture.ts';
import { RecordError } from './files/record.ts';
import { loadGaia } from './load.ts';

describe('places', () => {
  const lines = toLines([official({ task_id: 'here' })]);

  it.each([
    ['2023/validation/metadata.jsonl', '', undefined],
    ['test/metadata.jsonl', '', 'test'],
    ['own.jsonl', 'own.jsonl', undefined],
  ] as const)('finds %s from "%s" (split %s)', async (file, path, split) => {
    const root = makeFolder({ [file]: lines });
    const dataset = await loadGaia({
      path: join(root, path),
      ...(split === undefined ? {} : { split }),
    });
    expect(dataset.samples.map(({ id }) => id)).toEqual(['here']);
  });

  it.each([
    [
      'notes.txt',
      '',
      ': the folder has no file with records. Put the records there, as JSON lines,',
    ],
    [
      'metadata.jsonl',
      toLines([official({ task_id: '0-0-0-0-0' })]),
      'metadata.jsonl: the file has no questions. Check the path.',
    ],
  ])('refuses a folder without questions, with %s', async (name, content, message) => {
    await expect(loadGaia({ path: makeFolder({ [name]: content }) })).rejects.toThrow(message);
  });

  it('takes a table beside the records for an attachment', async () => {
    const [table, path] = ['question,answer\nx,1\n', '2023/validation/metadata.jsonl'];
    const root = makeFolder({ [path]: lines, '2023/validation/a.csv': table, 'b.csv': table });
    expect((await loadGaia({ path: root })).samples.map(({ id }) => id)).toEqual(['here']);
  });
});

describe('GAIA layout', () => {
  it('turns a record into a sample', async () => {
    const root = makeFolder({
      '2023/validation/metadata.jsonl': toLines([
        official({
          task_id: 'a-1',
          Level: '2',
          file_name: 'a-1.txt',
          'Annotator Metadata': { Steps: '1. Count.' },
          file_path: 'x',
        }),
      ]),
      '2023/validation/a-1.txt': 'x',
    });
    expect((await loadGaia({ path: root })).samples).toEqual([
      {
        id: 'a-1',
        suite: 'gaia',
        input: 'How many?',
        target: '17',
        group: 'level 2',
        attachments: [{ name: 'a-1.txt', path: join(root, '2023/validation/a-1.txt') }],
        metadata: { 'Annotator Metadata': { Steps: '1. Count.' }, file_path: 'x', Level: '2' },
      },
    ]);
  });

  it.each([undefined, null, ''])('reads the file name %j as none', async (file_name) => {
    expect((await loadOne({ file_name })).samples[0]?.attachments).toEqual([]);
  });

  it.each([
    [' 007, "x" ', ' 007, "x" '],
    [-3.5, '-3.5'],
  ])('keeps the answer %j as it is written', async (answer, target) => {
    expect((await loadOne({ 'Final answer': answer })).samples[0]?.target).toBe(target);
  });

  it('leaves hidden answers ungraded and says so', async () => {
    const { samples, notes } = await loadOne({ 'Final answer': '?' });
    expect(samples[0]?.target).toBeNull();
    expect(textsOf(notes)).toContain('1 of 1 question has no known answer and is not graded.');
  });

  it('skips the placeholder row and says so', async () => {
    const { samples, notes } = await load([official({}), { task_id: '0-0-0-0-0', Level: 3 }]);
    expect(samples).toHaveLength(1);
    expect(textsOf(notes)).toContain('The placeholder row "0-0-0-0-0" was skipped.');
  });

  it.each<[string, unknown, string]>([
    [
      'a record that is not an object',
      [1, 2],
      'a record must be a JSON object, got [1,2]. Write {"name": value, ...} or leave the record out.',
    ],
    [
      'no id',
      official({ task_id: undefined }),
      '"task_id" is missing (the record has "Question", "Level", "Final answer", "file_name"). Add it, or leave the record out.',
    ],
    [
      'an empty id',
      official({ task_id: ' ' }),
      'the record has no id, or an empty one (the record has "task_id", "Question",',
    ],
    [
      'an empty answer',
      official({ 'Final answer': '' }),
      'Fill "Final answer" ("?" hides it), or leave the record out.',
    ],
    [
      'an answer that is infinite',
      '{"task_id":"b","Question":"q","Level":1,"Final answer":1e999}',
      '"Final answer" must be text or a number, got Infinity.',
    ],
    [
      'a level of control characters',
      official({ Level: '\u001b[2J\u0085\u202e' }),
      '"Level" must be 1, 2 or 3, got "\\u001b[2J\\u0085\\u202e". Fix the record or leave it out.',
    ],
  ])('refuses %s', async (_, record, message) => {
    const line = typeof record === 'string' ? record : JSON.stringify(record);
    const root = makeFolder({
      'metadata.jsonl': `${JSON.stringify(official({ task_id: 'first' }))}\n${line}\n`,
    });
    await expect(loadGaia({ path: root })).rejects.toThrow(
      new RegExp(`/metadata.jsonl:2: .*${RegExp.escape(message)}`),
    );
  });

  it('can name an error without quoting the record', async () => {
    const root = makeFolder({
      'metadata.jsonl': toLines([official({ task_id: 'a-1', Question: 42 })]),
    });
    const error = await loadGaia({ path: root }).catch((reason: unknown) => reason);
    expect(error instanceof RecordError && error.idsOnly.replace(`${root}/`, '')).toBe(
      'metadata.jsonl:1 (id "a-1"): "Question" must be text, the value (number) is hidden. Fix the record or leave it out.',
    );
  });
});

describe('attachments', () => {
  it.each([
    ['gone.txt', 'names a file that does not exist'],
    ['/etc/hostname', 'must be a file name, not an absolute path'],
    ['../outside.txt', 'must not leave the folder of the records'],
    ['sub', 'must be a file'],
    ['link.txt', 'is a link that leaves the folder of the records'],
    ['metadata.jsonl', 'must not be the file with the expected answers'],
    ['hard.txt', 'must not be the file with the expected answers'],
    ['loop', 'names a file that cannot be read (ELOOP)'],
    ['\\\\server\\share\\x', 'must be a file name, not an absolute path'],
    ['x\u0000y', 'names a file that cannot be read (ERR_INVALID_ARG_VALUE)'],
  ])('refuses %j', async (file_name, problem) => {
    const root = makeFolder({
      'in/metadata.jsonl': toLines([official({ file_name })]),
      'in/sub/a.txt': '',
      'outside.txt': '',
    });
    symlinkSync(join(root, 'outside.txt'), join(root, 'in/link.txt'));
    symlinkSync(join(root, 'in/loop'), join(root, 'in/loop'));
    linkSync(join(root, 'in/metadata.jsonl'), join(root, 'in/hard.txt'));
    const shown = JSON.stringify(file_name);
    await expect(loadGaia({ path: join(root, 'in') })).rejects.toThrow(
      `in/metadata.jsonl:1: "file_name" ${problem}, got ${shown}. Put the file beside the records and write its name here.`,
    );
  });

  it('are of less than 2 GiB, as they are read in one piece', async () => {
    const root = makeFolder({
      'metadata.jsonl': toLines([official({ file_name: 'a.bin' })]),
      'a.bin': '',
    });
    truncateSync(join(root, 'a.bin'), 2 ** 31 - 1);
    expect((await loadGaia({ path: root })).samples[0]?.attachments).toMatchObject([
      { name: 'a.bin' },
    ]);
    truncateSync(join(root, 'a.bin'), 2 ** 31);
    await expect(loadGaia({ path: root })).rejects.toThrow(
      'names a file of 2147483648 bytes; it must have less than 2 GiB',
    );
  });

  it('may be links into the blobs of the same Hub cache', async () => {
    const snapshot = `datasets--o--Set/snapshots/${'ab'.repeat(20)}/2023/validation`;
    const root = makeFolder({
      [`${snapshot}/metadata.jsonl`]: toLines([official({ file_name: 'a.txt' })]),
      'datasets--o--Set/blobs/1f': '',
    });
    symlinkSync('../../../../blobs/1f', join(root, snapshot, 'a.txt'));
    const { samples } = await loadGaia({ path: join(root, snapshot) });
    expect(samples[0]?.attachments[0]?.name).toBe('a.txt');
  });
});

describe('question/answer records', () => {
  it('says which fields were read', async () => {
    const { notes, name } = await loadFile(
      'common_questions.json',
      '[{ "ID": "a", "question": "x", "Final answer": "1", "Level": 1 }, { "question": "y", "answer": "2" }]',
    );
    expect(notes[0]?.text).toBe(
      'Usual names: 2 records, read from "ID" (id), "question" (question), "Final answer" or "answer" (answer), "Level" (group).',
    );
    expect(name).toBe('common_questions');
  });

  it('keeps a "__proto__" field as a plain field', async () => {
    const { samples } = await loadFile(
      'qa.jsonl',
      '{"question":"x","answer":"1","__proto__":{"level":4}}',
    );
    expect(Object.keys(samples[0]?.metadata ?? {})).toEqual(['__proto__']);
    expect(samples[0]?.group).toBe('all');
  });

  it.each<[string, string, string]>([
    [
      'two answers that disagree',
      '[{"question":"x","answer":"1","correct_answer":"2"}]',
      '"correct_answer" and "answer" disagree ("2" against "1"). Keep the right one.',
    ],
    [
      'fields without any known name',
      '[{"q":"x","a":"1"}]',
      'the records have no known layout (the record has "q", "a"). Use "task_id", "Question", "Level" and "Final answer", or at least "question" and "answer".',
    ],
    [
      'questions with options',
      '[{"question":"x","mc1_targets":{"y":1,"z":0}}]',
      'the records are multiple choice (TruthfulQA mc1), which EVAL_GAIA would ask without options. Set EVAL_MCQ instead.',
    ],
    [
      'an id that cannot be a text',
      '[{"question":"x","answer":"1","task_id":{"toString":1}}]',
      '"task_id" must be text, got {"toString":1}.',
    ],
  ])('refuses %s', async (_, text, message) => {
    await expect(loadFile('qa.json', text)).rejects.toThrow(`qa.json:1: ${message}`);
  });
});

it('calls the committed samples "sample"', async () => {
  const path = makeFile('metadata.jsonl', toLines([official({})]));
  expect((await loadGaia({ path, sample: true })).name).toBe('sample');
});

function official(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return {
    task_id: 'a',
    Question: 'How many?',
    Level: 1,
    'Final answer': '17',
    file_name: '',
    ...fields,
  };
}

function toLines(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

function load(records: readonly unknown[]) {
  return loadGaia({ path: makeFolder({ 'metadata.jsonl': toLines(records) }) });
}

function loadOne(fields: Readonly<Record<string, unknown>>) {
  return load([official(fields)]);
}

function loadFile(name: string, text: string) {
  return loadGaia({ path: makeFile(name, text) });
}
