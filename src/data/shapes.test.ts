import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFile } from '../../test/make-folder.ts';
import type { Sample } from '../words/sample.ts';
import { textsOf } from '../words/types.fixture.ts';
import { loadMcq } from './load.ts';
import { parseShape } from './shape.ts';

const FIXTURES = join(import.meta.dirname, '../../test/fixtures/mcq');

describe('published layouts', () => {
  it.each<[string, string, readonly (string | null)[]]>([
    ['wide-options.csv', 'Usual names', ['hammer', 'scissors']],
    ['mmlu.csv', 'MMLU without a header row', ['kite', '14', 'February']],
    ['mmlu-hub.jsonl', 'MMLU', ['7', '8']],
    ['mmlu-pro.jsonl', 'MMLU-Pro', ['i', 'a']],
    ['arc.jsonl', 'ARC', ['ice', 'a cork']],
    ['arc-hub.jsonl', 'ARC', ['ice', 'a cork']],
    ['medqa.jsonl', 'MedQA', ['The chain', 'The bulb']],
    ['medmcqa-from-1.jsonl', 'MedMCQA', ['apple', 'rake']],
    ['medmcqa-from-0.jsonl', 'MedMCQA', ['apple', 'rake', null]],
    ['gpqa.csv', 'GPQA', ['180', '91', 'longest']],
    ['sciq.jsonl', 'SciQ', ['water', 'snow']],
    ['truthfulqa.json', 'TruthfulQA mc1', ['It stays open', 'It has two layers']],
    ['truthfulqa-hub.jsonl', 'TruthfulQA mc1', ['It stays open', 'It has two layers']],
    ['commonsenseqa.jsonl', 'CommonsenseQA', ['stand', 'lock']],
    ['commonsenseqa-hub.jsonl', 'CommonsenseQA', [null, null]],
  ])('of %s is "%s"', async (file, layout, answers) => {
    const { samples, notes } = await loadMcq({ path: join(FIXTURES, file) });
    expect(notes.find(({ text }) => text.includes('records, read from'))?.text).toMatch(
      new RegExp(`^${RegExp.escape(layout)}: ${answers.length} records, read from `),
    );
    expect(samples.map(textOfTarget)).toEqual(answers);
  });

  it.each([
    ['ARC', { question: { stem: 'Which?', choices: ['x', 'y'] } }],
    ['its copy on the Hub', { choices: { text: ['x', 'y'], label: ['A', 'B'] }, answerKey: '' }],
  ])('takes a file of %s without answers for a test split', async (_, record) => {
    const { samples, notes } = await loadRecords([record]);
    expect(samples).toMatchObject([{ target: null }]);
    expect(textsOf(notes).join()).toContain('no known answer');
  });
});

describe('a file that always names the right answer first', () => {
  it('gets an order that follows from each question alone', async () => {
    const whole = await loadMcq({ path: join(FIXTURES, 'gpqa.csv') });
    const lines = readFileSync(join(FIXTURES, 'gpqa.csv'), 'utf8').split('\n');
    const part = await loadText([lines[0], lines[4], lines[3]].join('\n'));
    expect(part.samples.map(({ choices }) => choices)).toEqual([
      whole.samples[2]?.choices,
      whole.samples[1]?.choices,
    ]);
  });

  it.each<[string, (index: number) => object]>([
    [
      'by the question',
      (i) => ({ question: `${i}?`, mc1_targets: { [`w${i}`]: 1, x: 0, y: 0, z: 0 } }),
    ],
    [
      'by the options',
      (i) => ({ question: 'Which?', correct_answer: `w${i}`, incorrect_answers: ['x', 'y', 'z'] }),
    ],
  ])('puts the right answer at every place about equally often, %s', async (_, toRecord) => {
    const { samples } = await loadRecords(
      Array.from({ length: 400 }, (_each, index) => toRecord(index)),
    );
    expect(samples.map(textOfTarget)).toEqual(samples.map((_each, index) => `w${index}`));
    for (const label of 'ABCD') {
      const share = samples.filter(({ target }) => target === label).length / samples.length;
      expect(share).toBeGreaterThan(0.18);
      expect(share).toBeLessThan(0.32);
    }
  });

  it('shows no text with the evidence unless the user says so', async () => {
    const path = join(FIXTURES, 'sciq.jsonl');
    const { samples, notes } = await loadMcq({ path });
    expect(samples.map(({ input }) => input)).toEqual([
      'What does a kettle boil?',
      'What melts in the sun?',
    ]);
    expect(notes[0]?.text).toContain(
      '"correct_answer, distractor1, distractor2, distractor3" (options)',
    );
    expect(textsOf(notes).join()).toContain(
      '"support" mostly contains the answer: agents see it only if ',
    );
    const shown = await loadMcq({ path, fields: { context: 'support' } });
    expect(shown.samples[0]?.input).toBe('A kettle boils water.\n\nWhat does a kettle boil?');
  });

  it('reads wrong answers of a table as a list of Python, and refuses what is no list', async () => {
    const load = (cell: string) =>
      loadText(`question,correct_answer,incorrect_answers\nWhich?,r,"${cell}"\n`);
    const { samples } = await load(`['w', 'x', 'y']`);
    expect(Object.values(samples[0]?.choices ?? {}).toSorted()).toEqual(['r', 'w', 'x', 'y']);
    expect(samples.map(textOfTarget)).toEqual(['r']);
    expect(samples[0]?.metadata).toEqual({});
    await expect(load('[w, x]')).rejects.toThrow(
      '"incorrect_answers" must be a JSON list, or texts with "|" between them',
    );
  });

  it('keeps "none of the above" last', async () => {
    const wrong = { 'Incorrect Answer 1': 'x', 'Incorrect Answer 2': 'y' };
    const { samples } = await loadRecords(
      Array(8).fill({ 'Correct Answer': 'None of the above', ...wrong }),
    );
    expect(new Set(samples.map(({ target }) => target))).toEqual(new Set(['C']));
  });
});

describe('answers', () => {
  const WXYZ = { options: ['w', 'x', 'y', 'z'] };
  it.each<[string, readonly object[], string]>([
    ['from 0, where one is 0', [{ answer: 0 }, { answer: 3 }], 'A D'],
    ['from 1, where one is the number of the options', [{ answer: 1 }, { answer: 4 }], 'A D'],
    ['as hidden where they are -1', [{ answer: 0 }, { answer: -1 }], 'A -'],
    [
      'as the letters show',
      [
        { answer_index: 1, answer: 'B' },
        { answer_index: 2, answer: 'C' },
      ],
      'B C',
    ],
    [
      'as the letters show, from 1',
      [
        { answer_index: 1, answer: 'A' },
        { answer_index: 2, answer: 'B' },
      ],
      'A B',
    ],
    [
      'as columns do',
      [{ option0: 'w', option1: 'x', option2: 'y', options: undefined, answer: 1 }],
      'B',
    ],
  ])('that are numbers count %s', async (_, records, targets) => {
    const { samples, notes } = await loadRecords(records.map((record) => ({ ...WXYZ, ...record })));
    expect(samples.map(({ target }) => target ?? '-').join(' ')).toBe(targets);
    const isNoted = textsOf(notes).includes('"answer_index" counts the options from 1.');
    expect(isNoted).toBe(targets === 'A B');
  });

  it.each([
    { answer: 'B', label: 'B' },
    { answer: 'B', label: 'hard' },
    { answer: 'B', label: 1 },
    { answer: 'B', answer_text: 'as is well known' },
    { options: { A: 'w', B: 'same', C: 'same' }, answer: 'same', answer_idx: 'B' },
  ])('are kept where another field agrees or names no option: %j', async (answers) => {
    const { samples } = await loadRecords([{ ...WXYZ, ...answers }]);
    expect(samples[0]?.target).toBe('B');
  });

  it.each<[string, readonly object[], string]>([
    [
      'nothing shows how they count',
      [{ answer: 2 }],
      '"answer" is an index, and the file does not show whether it counts from 0 or from 1, got 2. Write the label of the right option, such as "A", or say how it counts: EVAL_MCQ_FIELDS=\'{"counts": 0}\'.',
    ],
    [
      'they show both ways of counting',
      [{ answer: 0 }, { answer: 4 }],
      '"answer" is the number of the options, but line 1 has 0, so it is unclear whether the field counts from 0 or from 1, got 4. Correct',
    ],
    [
      'a letter disagrees',
      [{ answer: 'B', label: 'A' }],
      '"answer" and "label" of "p" disagree (B against A). Keep',
    ],
    [
      'they are a text and an index',
      [{ options: ['1', '2', '4', '8'], answer: 4 }],
      'the index of another, got 4',
    ],
    [
      'a label is a text too',
      [{ options: ['O', 'A', 'B', 'AB'], answer: 'A' }],
      'such as "B. iron"',
    ],
    [
      'a text is left to no label',
      [{ options: ['s', 't', 's'], answer: 's', answer_idx: 'B' }],
      'cannot be used',
    ],
    [
      'Python may have left them out',
      [{ answer: 'None' }],
      'may be a missing value that Python wrote',
    ],
  ])('are refused where %s', async (_, [first, ...records], message) => {
    const asked = [{ id: 'p', ...first }, ...records].map((record) => ({ ...WXYZ, ...record }));
    await expect(loadRecords(asked)).rejects.toThrow(message);
  });
});

describe('answers that are missing', () => {
  it('are an error in one record of many', async () => {
    const loading = loadText('question,A,B,answer\nx,1,2,A\ny,1,2,\n');
    await expect(loading).rejects.toThrow('q.csv:3: the record has no answer');
  });

  it('are hidden in every record where a table of columns has none', async () => {
    const { samples } = await loadText('question,A,B\nx,1,2\ny,1,2\n');
    expect(samples.map(({ target }) => target)).toEqual([null, null]);
  });
});

describe('a field map', () => {
  it('reads fields of any name', async () => {
    const fields = parseShape(
      '{"input": "q", "choices": ["first", "second", "third"], "answer": "gold_number", "id": "nr", "group": "area"}',
    );
    const path = join(FIXTURES, 'own-fields.csv');
    const { samples } = await loadMcq({ path, ...(fields && { fields }) });
    expect(samples).toMatchObject([
      { id: '1', group: 'Things', input: 'Which is round?' },
      { id: '2', group: 'Things', input: 'Which is square?' },
    ]);
    expect(samples.map(textOfTarget)).toEqual(['ball', 'tile']);
  });

  it('replaces all that a known dataset says about options', async () => {
    const record = { mc1_targets: { r: 1, s: 0 }, opts: [...'stuvwxyz'], gold: 'B' };
    const { samples } = await loadRecords([record], '{"choices": "opts", "answer": "gold"}');
    expect(Object.values(samples[0]?.choices ?? {})).toEqual([...'stuvwxyz']);
  });

  it('names the field that a record lacks', async () => {
    await expect(
      loadRecords([{ options: ['x', 'y'], answer: 'A' }], '{"answer": "gold"}'),
    ).rejects.toThrow(
      'q.json:1: "gold" is missing (the record has "question", "options", "answer"). Add it, correct its name in EVAL_MCQ_FIELDS, or leave the record out.',
    );
  });

  it.each(['', '{}', '{"question": 1}', '{"index_base": 2}', '{"__proto__": "q"}'])(
    'is refused as %s',
    (text) => {
      expect(parseShape(text)).toBeUndefined();
    },
  );
});

it('reads a table whose header ends in a letter as one with a header', async () => {
  const { samples } = await loadText('question,answer,A,B,C,D\nx,D,1,2,3,4\n');
  expect(samples).toMatchObject([{ input: 'x', target: 'D' }]);
});

function textOfTarget({ target, choices = {} }: Sample): string | null {
  if (target === null) return null;
  return String(target)
    .split(',')
    .map((label) => choices[label])
    .join(' ');
}

function loadRecords(records: readonly object[], map?: string) {
  const asked = records.map((record, index) => ({ question: `How many, ${index}?`, ...record }));
  const fields = map === undefined ? undefined : parseShape(map);
  return loadMcq({ path: makeFile('q.json', JSON.stringify(asked)), ...(fields && { fields }) });
}

function loadText(csv: string) {
  return loadMcq({ path: makeFile('q.csv', csv) });
}

it.each([
  ['0,Which is it?,x,y,z,A\n1,What is it?,x,y,z,B', '"id,question,A,B,C,answer"'],
  ['Which is it?,x\nWhat is it?,x', '"question,answer"'],
  ['Which is it?;x;y;A\nWhat is it?;y;x;B', '"question;A;B;answer"'],
  ['Which is it,4,4,4\nWhat is it,4,4,4', '"question,id,group,answer"'],
])(
  'says that the first line of %j looks like data, and which header to add',
  async (rows, header) => {
    await expect(loadText(rows)).rejects.toThrow(
      `q.csv:1: the first line looks like data, not like the names of the columns, got ${JSON.stringify(rows.split('\n')[0])}. Add a header line above it, such as ${header}.`,
    );
  },
);

it('says which header to add where the first line may be names', async () => {
  await expect(loadText('q-1,Name the oldest,x,y,z,A\nq-2,Name the next,x,y,z,B')).rejects.toThrow(
    /q\.csv:2: .+ If the first line is a record: Add .+ "id,question,A,B,C,answer"\.$/,
  );
});

it('reads texts that begin with numbers or letters of their own as texts', async () => {
  const steps = ['1. NaNH2 2. Br2', '1. HBr 2. NaOH', '1. H2', '2. O3 3. Zn'];
  const [right = '', ...wrong] = steps;
  const named = Object.fromEntries(
    wrong.map((text, index) => [`Incorrect Answer ${index + 1}`, text]),
  );
  for (const [record, answer] of [
    [{ 'Correct Answer': right, ...named }, right],
    [{ options: steps, answer: 'D' }, steps[3]],
    [{ options: ['A. x', 'A. y'], answer: 'B' }, 'A. y'],
    [{ correct_answer: 'B) x', incorrect_answers: ['A) y', 'C) z'] }, 'x'],
  ] as const) {
    const { samples } = await loadRecords([record]);
    expect(samples.map(textOfTarget)).toEqual([answer]);
  }
});

it('reads an answer by the field of labels where texts are letters too', async () => {
  const options = { A: 'B', B: 'C', C: 'D', D: 'E' };
  for (const answers of [
    { answer: 'B', answer_idx: 'A' },
    { answer_idx: 'A', answer: 'B' },
    { answer: 'B', answer_index: 0 },
  ])
    expect((await loadRecords([{ options, ...answers }])).samples).toMatchObject([{ target: 'A' }]);
  await expect(loadRecords([{ options, answer: 'D', answer_idx: 'A' }])).rejects.toThrow(
    '"answer" and "answer_idx" of "',
  );
});

describe('records inside other records', () => {
  const item = { question: 'Which?', A: 'x', B: 'y', answer: 'B', id: 7 };

  it.each<[string, object]>([
    ['item', { item, sample: { output_text: 'A' } }],
    ['datasource_item', { id: 'o', datasource_item: item }],
    ['row', { row_idx: 0, row: item, truncated_cells: [] }],
  ])('are read from "%s"', async (within, record) => {
    const path = makeFile('q.jsonl', `${JSON.stringify(record)}\n`);
    const { samples, notes } = await loadMcq({ path });
    expect(samples).toMatchObject([{ id: '7', input: 'Which?', target: 'B', metadata: {} }]);
    expect(textsOf(notes).join()).toContain(`the fields are read from "${within}", and no others.`);
  });

  it('are read as the user names their fields', async () => {
    const path = makeFile(
      'q.jsonl',
      JSON.stringify({ item: { q: 'Which?', o: ['x', 'y'], a: 'B' } }),
    );
    for (const prefix of ['item.', '']) {
      const fields = { input: `${prefix}q`, choices: `${prefix}o`, answer: `${prefix}a` };
      const { samples } = await loadMcq({ path, fields });
      expect(samples).toMatchObject([{ input: 'Which?', target: 'B' }]);
    }
  });

  it('are not looked for beside a question', async () => {
    const { samples } = await loadMcq({
      path: makeFile(
        'q.json',
        JSON.stringify([{ question: 'Which?', item, A: 'p', B: 'q', answer: 'A' }]),
      ),
    });
    expect(samples).toMatchObject([{ choices: { A: 'p', B: 'q' }, target: 'A' }]);
  });
});
