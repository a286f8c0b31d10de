import { describe, expect, it } from 'vitest';
import { makeFile } from '../../test/make-folder.ts';
import { RecordError } from './files/record.ts';
import { loadMcq } from './load.ts';
import { toMultiple } from './shape.ts';

const HEADER = 'ID,Case context,Question,Answer type,Options,Corrrect Option (s),Subject';

describe('the sample table', () => {
  it('turns a row into a sample', async () => {
    expect(
      await loadCsv('q1,"A jar holds\n5 marbles.",How many?,Single,4|5|6,B,Counting'),
    ).toMatchObject({
      name: 'questions',
      samples: [
        {
          id: 'q1',
          suite: 'mcq',
          input: 'A jar holds\n5 marbles.\n\nHow many?',
          target: 'B',
          multiple: false,
          group: 'Counting',
          choices: { A: '4', B: '5', C: '6' },
          attachments: [],
          metadata: { 'Answer type': 'Single' },
        },
      ],
      notes: [
        {
          kind: 'layout',
          text: 'Usual names: 1 record, read from "ID" (id), "Case context" (context), "Question" (question), "Options" (options), "Corrrect Option (s)" (answer), "Subject" (group).',
        },
      ],
    });
  });

  it('keeps all digits of options and answers that are numbers, and reads others as indices', async () => {
    const lines = [
      '{"id":12345678901234567890,"question":"Which?","choices":[1.1,1.10],"answer":1.10}',
      '{"id":2,"question":"Which?","choices":[9007199254740993,9007199254740992],"answer":9007199254740993}',
    ];
    expect((await loadFile('q.jsonl', lines.join('\n'))).samples).toMatchObject([
      { id: '12345678901234567890', choices: { A: '1.1', B: '1.10' }, target: 'B' },
      { id: '2', choices: { A: '9007199254740993', B: '9007199254740992' }, target: 'A' },
    ]);
    const counted =
      '{"question":"Which?","choices":[1.10,2.20],"answer":0.0}\n{"question":"?","choices":[5,6],"answer":1}';
    expect((await loadFile('q.jsonl', counted)).samples).toMatchObject([
      { target: 'A' },
      { target: 'B' },
    ]);
  });

  it.each(['Correct Option(s)', 'correct option', 'Correct Answer'])(
    'knows the answer as "%s" too',
    async (name) => {
      const { samples } = await loadFile(
        'q.csv',
        `id;question;options;"${name}"\r\n1;How many?;4|5;B\r\n`,
      );
      expect(samples).toMatchObject([{ id: '1', input: 'How many?', target: 'B', group: 'all' }]);
    },
  );

  it.each([
    ['4|5|6', 'Single', '5', 'B', false],
    ['4|5|6', 'Multi', '"A, C"', 'A,C', true],
    ['4|5|6', 'Multiple choice', 'AC', 'A,C', undefined],
    ['4|5|All of the above', 'Single', 'All', 'C', false],
    ['4|5|6', 'Single', 'NONE', 'NONE', false],
    ['4|5', 'Multi', '?', null, true],
  ])('reads of "%s" (%s) the answer %s as %s', async (options, type, answer, target, multiple) => {
    const { samples } = await loadCsv(`q1,,How many?,${type},${options},${answer},`);
    expect(samples[0]?.target).toBe(target);
    expect(samples[0]?.multiple).toBe(multiple);
  });

  it.each<[string, string, readonly string[]]>([
    ['labels in front of all', 'A. four|B. five', ['four', 'five']],
    ['labels in brackets', '(A) four | (b)five', ['four', 'five']],
    ['labels in front of some', 'A. four|five', ['A. four', 'five']],
    ['initials', 'A.B|B.C', ['A.B', 'B.C']],
    ['empty options at the end', 'four|five||', ['four', 'five']],
    ['bars that belong to a text', String.raw`a \| b|c`, ['a | b', 'c']],
    ['lines', '"four\nfive"', ['four', 'five']],
  ])('reads options with %s', async (_, options, texts) => {
    const { samples } = await loadCsv(`q1,,How many?,Single,${options},A,`);
    expect(Object.values(samples[0]?.choices ?? {})).toEqual(texts);
  });

  it.each([
    ['B. four|A. five|C. six', 'B, A, C'],
    ['A. four|C. five|D. six', 'A, C, D'],
    ['(c) four|(b) five|(a) six', 'c, b, a'],
  ])('refuses options whose texts start with other labels: %s', async (options, labels) => {
    const loading = loadCsv(`q1,,How many?,Single,${options},A,`);
    await expect(loading).rejects.toThrow(`texts that start with the labels ${labels}`);
  });

  it.each([
    ['c|a|b', 'a', null],
    ['a|b|c', 'a', 'A'],
  ])('of "%s" reads the answer %s as %s', async (options, answer, target) => {
    const loading = loadCsv(`q1,,Which?,,${options},${answer},`);
    if (target !== null) return expect((await loading).samples).toMatchObject([{ target }]);
    await expect(loading).rejects.toThrow('is the label of one option and the text of another');
  });

  it('reads letters as labels where other questions have labels', async () => {
    const { samples } = await loadCsv('q1,,Which?,,c|a|b,a,\nq2,,Who?,,x|y|z,c,');
    expect(samples).toMatchObject([{ target: 'A' }, { target: 'C' }]);
  });

  it('reads the numbers before the options as labels', async () => {
    const { samples } = await loadCsv('q1,,How many?,Single,1. four|2. five|3. six,2,');
    expect(samples).toMatchObject([
      { choices: { '1': 'four', '2': 'five', '3': 'six' }, target: '2' },
    ]);
    await expect(loadCsv('q1,,How many?,Single,1. four|2. five|3. six,B,')).rejects.toThrow(
      'Use a label (1, 2, 3)',
    );
  });

  it.each([
    ['no question', 'q1,x,,,4|5,A,', 'questions.csv:2: the record has no question, '],
    ['no options', 'q0,,x,,4|5,A,\nq1,,x,,,A,', 'questions.csv:3: the record has no options, '],
    ['one option', 'q1,,x,,4,A,', '"Options" must have at least 2 options, got "4"'],
    ['an empty option', 'q1,,x,,4||6,A,', '"Options" has an empty option "B", got "4||6".'],
    [
      'too many options',
      `q1,,x,,${'4|'.repeat(27)}5,A,`,
      '"Options" must have at most 26 options, but has 28, got "4|4',
    ],
    [
      'an answer that names no option',
      'q1,,x,,4|5,Z,',
      '"Corrrect Option (s)" of "q1" cannot be used (The expected answer names no option',
    ],
  ])('refuses %s', async (_, rows, message) => {
    await expect(loadCsv(rows)).rejects.toThrow(message);
  });

  it('can name an unusable answer without quoting it', async () => {
    const path = makeFile('q.csv', `${HEADER}\nq1,,x,,4|5,Z,`);
    const error = await loadMcq({ path }).catch((reason: unknown) => reason);
    expect(error instanceof RecordError && error.idsOnly).toMatch(
      /q\.csv:2 \(id "q1"\): "Corrrect Option \(s\)" of "q1" cannot be used\. Fix/,
    );
  });
});

describe('JSON records', () => {
  it.each<[string, unknown, Readonly<Record<string, string>>, string]>([
    ['an object', { options: { A: '4', B: '5' }, answer: 'B' }, { A: '4', B: '5' }, 'B'],
    [
      'an object padded with nulls',
      { options: { A: '4', B: '5', C: null }, answer: 'B' },
      { A: '4', B: '5' },
      'B',
    ],
    [
      'a list of labelled texts',
      { options: ['(A)4', '(B)5'], answer: ['A', 'B'] },
      { A: '4', B: '5' },
      'A,B',
    ],
    [
      'a list of {label, text}',
      { choices: toOptions('label', 'text', 'XY'), answer: 'Y' },
      { X: '4', Y: '5' },
      'Y',
    ],
    ['labels in one text', { options: 'A) 4 B) 5', answer: 'B' }, { A: '4', B: '5' }, 'B'],
    ['a JSON list in one text', { options: '["4", "5"]', answer: 'B' }, { A: '4', B: '5' }, 'B'],
    [
      'a text beside two answers that agree, and an empty one',
      { options: '4|5', answer: '5', target: 'B', truth: '' },
      { A: '4', B: '5' },
      'B',
    ],
  ])('reads options as %s', async (_, record, choices, target) => {
    const text = JSON.stringify(Object.assign({ id: 'a', question: 'How many?' }, record));
    const { samples } = await loadFile('q.jsonl', text);
    expect(samples).toMatchObject([{ id: 'a', input: 'How many?', target }]);
    expect(samples[0]?.choices).toEqual(choices);
  });

  it.each<[string, unknown, string]>([
    [
      'questions that disagree',
      { input: 'z', options: ['x', 'y'], answer: 'A' },
      '"question" and "input" disagree ("How many?" against "z"). Keep the right one.',
    ],
    [
      'a label with a comma',
      { options: { 'A,B': 'x', C: 'y' } },
      '"options" has an unusable label; a label must be short,',
    ],
    [
      'a label twice',
      { options: toOptions('label', 'text', 'AA') },
      '"options" has the label "A" twice',
    ],
    [
      'labels for some only',
      { options: [{ label: 'A', text: 'x' }, 'y'] },
      'must have a label for every option or for none',
    ],
    [
      'no options at all',
      { answer: 'A' },
      'the records have no known layout (the record has "id", "question", "answer"). Use "question", "options" and "answer"; options may be "a|b|c", a list, an object or columns A, B, C. Or name the fields: EVAL_MCQ_FIELDS=\'{"input": "...", "choices": "...", "answer": "..."}\'.',
    ],
  ])('refuses %s', async (_, record, message) => {
    const text = JSON.stringify(Object.assign({ id: 'a', question: 'How many?' }, record));
    await expect(loadFile('q.jsonl', text)).rejects.toThrow(
      new RegExp(`/q.jsonl:1: .*${RegExp.escape(message)}`),
    );
  });
});

it.each<[boolean | undefined, readonly unknown[]]>([
  [
    false,
    [
      'single',
      'Single choice',
      'mcq_single',
      'One answer',
      'True/False',
      'Multiple choice (single answer)',
      false,
    ],
  ],
  [
    true,
    [
      'multi',
      'Multi-select',
      'Multiple',
      'multiple answers',
      'multiple-choice, multiple answers',
      true,
    ],
  ],
  [undefined, ['Multiple choice', 'MCQ', '', undefined, 3]],
])('reads that several options are right (%s) from the answer types %j', (multiple, types) => {
  expect(types.map(toMultiple)).toEqual(types.map(() => multiple));
});

/** Two options with these labels. */
function toOptions(label: string, text: string, labels: string) {
  return [...labels].map((each, index) => ({ [label]: each, [text]: `${index + 4}` }));
}

function loadCsv(rows: string) {
  return loadFile('questions.csv', `${HEADER}\n${rows}\n`);
}

function loadFile(name: string, text: string) {
  return loadMcq({ path: makeFile(name, text) });
}

describe('clusters', () => {
  const toLines = (records: readonly object[]) =>
    records.map((record) => JSON.stringify(record)).join('\n');
  const read = async (records: readonly object[], fields: object | null = null) => {
    const path = makeFile('q.jsonl', toLines(records));
    const { samples, clusteredBy, notes } = await loadMcq({ path, fields });
    return {
      clusters: samples.map(({ cluster }) => cluster),
      clusteredBy,
      notes: notes.filter(({ kind }) => kind === 'clusters').map(({ text }) => text),
    };
  };
  const asked = { question: 'Which?', options: ['one', 'two'], answer: 'A' };
  const texts = ['One text.', 'One text.', 'Another.'];

  it.each([
    ['RACE', 'article', asked],
    ['MuSR', 'narrative', { question: 'Which?', choices: ['one', 'two'], answer_index: 0 }],
    [
      'Belebele',
      'flores_passage',
      { question: 'Which?', mc_answer1: 'one', mc_answer2: 'two', correct_answer_num: 1 },
    ],
    ['LogiQA', 'context', { query: 'Which?', options: ['one', 'two'], correct_option: 0 }],
  ])('of %s are its passages', async (_, field, record) => {
    const records = texts.map((text, index) => {
      return { link: `l${index}`, question_number: 1, [field]: text, ...record };
    });
    const { clusters, clusteredBy, notes } = await read(records);
    expect([clusters, clusteredBy, notes]).toEqual([texts, field, []]);
  });

  it('are those of EVAL_MCQ_FIELDS, and asked for where texts repeat without one', async () => {
    const records = texts.map((context, index) => ({
      ...asked,
      context,
      nr: index % 2,
      cluster: 1,
    }));
    expect(await read(records)).toEqual({
      clusters: [undefined, undefined, undefined],
      clusteredBy: undefined,
      notes: [
        expect.stringMatching(
          /^2 of 3 questions share 1 text of "context".*Set EVAL_MCQ_FIELDS='\{"input":.*,"cluster":"context"\}'\.$/,
        ),
      ],
    });
    const named = await read(records, { cluster: 'nr' });
    expect(named).toEqual({ clusters: ['0', '1', '0'], clusteredBy: 'nr', notes: [] });
    await expect(read(records, { cluster: 'number' })).rejects.toThrow('number');
  });
});
