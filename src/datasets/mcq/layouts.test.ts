import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../../../test/make-folder.ts';
import { parseJsonl } from '../../records/json.ts';
import type { Sample } from '../../types.ts';
import { parseFieldMap } from './field-map.ts';
import { loadMcq } from './load-mcq.ts';

const FIXTURES = join(import.meta.dirname, '../../../test/fixtures/mcq');

describe('published layouts', () => {
  it.each<[string, string, readonly (string | null)[]]>([
    ['wide-letters.csv', 'Options in columns', ['eight', 'three']],
    ['wide-options.csv', 'Options in columns', ['hammer', 'scissors']],
    ['wide-numbers.csv', 'Options in columns', ['6', '3']],
    ['mmlu.csv', 'MMLU without a header row', ['kite', '14', 'February']],
    ['mmlu-hub.jsonl', 'MMLU, options as a list', ['7', '8']],
    ['mmlu-pro.jsonl', 'MMLU-Pro, options as a list', ['i', 'a']],
    ['arc.jsonl', 'ARC, options as a list', ['ice', 'a cork']],
    ['arc-hub.jsonl', 'ARC, options as lists of texts and labels', ['ice', 'a cork']],
    ['medqa.jsonl', 'MedQA, options by label', ['The chain', 'The bulb']],
    ['medmcqa-from-1.jsonl', 'MedMCQA, options opa to opd', ['apple', 'rake']],
    ['medmcqa-from-0.jsonl', 'MedMCQA, options opa to opd', ['apple', 'rake', null]],
    ['gpqa.csv', 'GPQA', ['180', '91', 'longest']],
    ['right-and-wrong.json', 'Right and wrong answers', ['C', 'True']],
    ['sciq.jsonl', 'SciQ', ['water', 'snow']],
    ['truthfulqa.json', 'TruthfulQA mc1', ['It stays open', 'It has two layers']],
    ['truthfulqa-hub.jsonl', 'TruthfulQA mc1', ['It stays open', 'It has two layers']],
    ['commonsenseqa.jsonl', 'CommonsenseQA, options as a list', ['stand', 'lock']],
    ['commonsenseqa-hub.jsonl', 'CommonsenseQA, options as lists of texts and labels', [null, null]],
    ['ceval.csv', 'Options in columns', ['七天', '苹果']],
    ['agieval.jsonl', 'AGIEval, options as a list', ['Ana', '2 4']],
  ])('of %s is "%s"', async (file, layout, truths) => {
    const { samples, notes } = await loadMcq({ path: join(FIXTURES, file) });
    expect(notes.find((note) => note.includes('records, read from'))).toMatch(
      new RegExp(`^${RegExp.escape(layout)}: ${truths.length} records, read from `),
    );
    expect(samples.map(textOfTruth)).toEqual(truths);
  });

  it('names the fields that a role is read from one by one', async () => {
    const { notes } = await loadMcq({ path: join(FIXTURES, 'gpqa.csv') });
    expect(notes[0]).toContain('"Correct Answer" and "Incorrect Answer 1 to 3" (options), "Correct Answer" (answer), ');
  });

  it('is found in the answer of an API that holds the list of records', async () => {
    const results = [{ question: 'What boils?', correct_answer: 'water', incorrect_answers: ['ice', 'stone'] }];
    const folder = makeFolder({ 'q.json': JSON.stringify({ response_code: 0, results }) });
    const { samples } = await loadMcq({ path: join(folder, 'q.json') });
    expect(samples.map(textOfTruth)).toEqual(['water']);
  });

  it('is read from Parquet as from JSON lines', async () => {
    const lines = readFileSync(join(FIXTURES, 'mmlu-pro.jsonl'), 'utf8');
    const records = parseJsonl('', lines).map(({ value }) => JSON.parse(JSON.stringify(value)));
    const column = (name: string) => ({ name, data: records.map((record) => record[name]) });
    const columnData = ['question', 'options', 'answer', 'answer_index', 'category'].map(column);
    const folder = makeFolder({ 'test.parquet': new Uint8Array(parquetWriteBuffer({ columnData })) });
    const { samples, notes } = await loadMcq({ path: join(folder, 'test.parquet') });
    expect(samples.map(textOfTruth)).toEqual(['i', 'a']);
    expect(notes[0]).toMatch(/^MMLU-Pro, options as a list: 2 records/);
  });

  it.each([
    ['an id', '0,Which is it?,x,y,z,A\n1,What is it?,x,y,z,B'],
    ['a name', 'q-1,Name the oldest,x,y,z,A\nq-2,Name the next,x,y,z,B'],
    ['a subject', 'plane geometry,Which is it?,x,y,z,A\nplane geometry,What is it?,x,y,z,B'],
  ])('refuses six columns without a header where %s stands before the question', async (_, rows) => {
    const path = join(makeFolder({ 'q.csv': rows }), 'q.csv');
    await expect(loadMcq({ path })).rejects.toThrow(
      'q.csv:1: "column 1" of a table without a header row must be the question, and holds none, got',
    );
  });

  it.each([
    [
      'ARC',
      {
        question: {
          stem: 'Which?',
          choices: [
            { label: 'A', text: 'x' },
            { label: 'B', text: 'y' },
          ],
        },
      },
    ],
    ['its copy on the Hub', { question: 'Which?', choices: { text: ['x', 'y'], label: ['A', 'B'] } }],
    ['CommonsenseQA', { question: 'Which?', question_concept: 'x', choices: ['x', 'y'] }],
  ])('takes a file of %s without the field of the truth for a test split', async (_, record) => {
    const path = join(makeFolder({ 'q.jsonl': JSON.stringify(record) }), 'q.jsonl');
    const { samples, notes } = await loadMcq({ path });
    expect(samples).toMatchObject([{ target: null }]);
    expect(notes).toContain('1 of 1 truth is hidden and stays ungraded.');
  });

  it('keeps the labels that a dataset has', async () => {
    const { samples } = await loadMcq({ path: join(FIXTURES, 'arc-hub.jsonl') });
    expect(samples.map(({ target, choices }) => [target, Object.keys(choices ?? {}).join('')])).toEqual([
      ['B', 'ABC'],
      ['4', '1234'],
    ]);
  });

  it('puts a passage before its question, and never a solution', async () => {
    const [first] = (await loadMcq({ path: join(FIXTURES, 'agieval.jsonl') })).samples;
    expect(first?.input).toBe('Ana is older than Ben. Ben is older than Cem.\n\nWho is the oldest?');
    const gpqa = await loadMcq({ path: join(FIXTURES, 'gpqa.csv') });
    expect(gpqa.samples[0]?.input).toBe('How many minutes\nare in three hours?');
    expect(gpqa.samples.map(({ id, group }) => [id, group])).toEqual([
      ['rec1', 'Time'],
      ['rec2', 'Numbers'],
      ['rec3', 'Words'],
    ]);
  });

  it('takes one right option for what MedMCQA calls "multi"', async () => {
    const { samples } = await loadMcq({ path: join(FIXTURES, 'medmcqa-from-1.jsonl') });
    expect(samples.map(({ multiple, group }) => [multiple, group])).toEqual([
      [false, 'Kitchen'],
      [false, 'Garden'],
    ]);
  });
});

describe('a file that always names the right answer first', () => {
  it('gets an order that follows from each question alone', async () => {
    const whole = await loadMcq({ path: join(FIXTURES, 'gpqa.csv') });
    const lines = readFileSync(join(FIXTURES, 'gpqa.csv'), 'utf8').split('\n');
    const folder = makeFolder({ 'part.csv': [lines[0], lines[4], lines[3]].join('\n') });
    const part = await loadMcq({ path: join(folder, 'part.csv') });
    expect(part.samples.map(({ choices }) => choices)).toEqual([whole.samples[2]?.choices, whole.samples[1]?.choices]);
  });

  it('puts the right answer at every place about equally often', async () => {
    const records = Array.from({ length: 400 }, (_, index) => ({
      question: `What is ${index} plus 1?`,
      mc1_targets: { choices: [`${index + 1}`, 'x', 'y', 'z'], labels: [1, 0, 0, 0] },
    }));
    const folder = makeFolder({ 'q.json': JSON.stringify(records) });
    const { samples } = await loadMcq({ path: join(folder, 'q.json') });
    for (const label of 'ABCD') {
      const share = samples.filter(({ target }) => target === label).length / samples.length;
      expect(share).toBeGreaterThan(0.18);
      expect(share).toBeLessThan(0.32);
    }
  });

  it('spreads the right answers of questions that read the same', async () => {
    const records = Array.from({ length: 400 }, (_, index) => ({
      question: 'Which word means the same?',
      correct_answer: `w${index}`,
      incorrect_answers: [`x${index}`, `y${index}`, `z${index}`],
    }));
    const { samples } = await loadRecords(records);
    expect(samples.map(textOfTruth)).toEqual(records.map(({ correct_answer }) => correct_answer));
    for (const label of 'ABCD') {
      const share = samples.filter(({ target }) => target === label).length / samples.length;
      expect(share).toBeGreaterThan(0.18);
      expect(share).toBeLessThan(0.32);
    }
  });

  it('takes a question by the name that the user gives', async () => {
    const records = Array.from({ length: 40 }, (_, index) => ({
      q: `Which is ${index}?`,
      'Correct Answer': `${index}`,
      'Incorrect Answer 1': 'x',
    }));
    const path = join(makeFolder({ 'q.json': JSON.stringify(records) }), 'q.json');
    const { samples } = await loadMcq({ path, fields: { question: 'q' } });
    expect(new Set(samples.map(({ target }) => target))).toEqual(new Set(['A', 'B']));
  });

  it('shows no text with the evidence unless the user says so', async () => {
    const path = join(FIXTURES, 'sciq.jsonl');
    const { samples, notes } = await loadMcq({ path });
    expect(samples.map(({ input }) => input)).toEqual(['What does a kettle boil?', 'What melts in the sun?']);
    expect(notes.join()).toContain(`only where EVAL_MCQ_FIELDS='{"context": "support"}' is set`);
    const shown = await loadMcq({ path, fields: { context: 'support' } });
    expect(shown.samples.map(({ input }) => input)).toEqual([
      'A kettle boils water.\n\nWhat does a kettle boil?',
      'What melts in the sun?',
    ]);
  });

  it.each([
    ['bars between them', 'w|x|y'],
    ['a JSON list', '"[""w"", ""x"", ""y""]"'],
  ])('reads wrong answers of a table with %s', async (_, cell) => {
    const { samples } = await loadText(`question,correct_answer,incorrect_answers\nWhich?,r,${cell}\n`);
    expect(Object.values(samples[0]?.choices ?? {}).toSorted()).toEqual(['r', 'w', 'x', 'y']);
    expect(samples.map(textOfTruth)).toEqual(['r']);
    expect(samples[0]?.metadata).toEqual({});
  });

  it('refuses a list that is none of JSON', async () => {
    await expect(loadText(`question,correct_answer,incorrect_answers\nWhich?,r,"['w', 'x']"\n`)).rejects.toThrow(
      '"incorrect_answers" must be a JSON list, or texts with "|" between them',
    );
  });

  it('keeps "none of the above" last', async () => {
    const records = Array.from({ length: 8 }, (_, index) => ({
      Question: `Which is ${index}?`,
      'Correct Answer': 'None of the above',
      'Incorrect Answer 1': 'x',
      'Incorrect Answer 2': 'y',
    }));
    const folder = makeFolder({ 'q.json': JSON.stringify(records) });
    const { samples } = await loadMcq({ path: join(folder, 'q.json') });
    expect(new Set(samples.map(({ target }) => target))).toEqual(new Set(['C']));
  });
});

describe('truths that are numbers', () => {
  it.each<[string, readonly unknown[], string]>([
    ['from 0, where one is 0', [0, 3], 'A D'],
    ['from 1, where one is the number of the options', [1, 4], 'A D'],
    ['as hidden where they are -1', [0, -1], 'A -'],
    ['as hidden where all are -1, however they count', [-1, -1], '- -'],
  ])('count %s', async (_, answers, targets) => {
    const { samples } = await loadRecords(answers.map((answer) => ({ options: ['w', 'x', 'y', 'z'], answer })));
    expect(samples.map(({ target }) => target ?? '-').join(' ')).toBe(targets);
  });

  it('are refused where they show neither, with the way out', async () => {
    const records = [1, 2].map((cop, index) => ({ id: `m${index}`, opa: 'w', opb: 'x', opc: 'y', opd: 'z', cop }));
    await expect(loadRecords(records)).rejects.toThrow(
      '"cop" is a number, which may count the options from 0 or from 1, got 1 (number). Write the label of the right option, such as "A", or say how it counts: EVAL_MCQ_FIELDS=\'{"index_base": 0}\'.',
    );
    const { samples } = await loadRecords(records, '{"index_base": 1}');
    expect(samples.map(({ target }) => target)).toEqual(['A', 'B']);
  });

  it('are refused where they show both', async () => {
    await expect(loadRecords([0, 4].map((answer) => ({ options: ['w', 'x', 'y', 'z'], answer })))).rejects.toThrow(
      '"answer" is 4, the number of the options, and 0 on line 1, so it counts them neither from 0 nor from 1. Correct',
    );
  });

  it.each([
    [{ answer: 'B', label: 'A' }, '"answer" and "label" of "p" disagree (B against A)'],
    [{ answer: 'B', label: 'w' }, '"answer" and "label" of "p" disagree (B against A)'],
  ])('are refused where a label says otherwise: %j', async (truths, message) => {
    await expect(loadRecords([{ id: 'p', options: ['w', 'x', 'y'], ...truths }])).rejects.toThrow(message);
  });

  it.each([
    { answer: 'B', label: 'B' },
    { answer: 'B', label: 'hard' },
    { answer: 'B', label: 1 },
  ])('stand where a label agrees or is no option: %j', async (truths) => {
    const { samples } = await loadRecords([{ options: ['w', 'x', 'y'], ...truths }]);
    expect(samples[0]?.target).toBe('B');
  });

  it('must agree with "cop" in MedMCQA', async () => {
    const options = { opa: 'w', opb: 'x', opc: 'y', opd: 'z' };
    const records = [
      { id: 'p', ...options, cop: 4, answer: 'D' },
      { id: 'q', ...options, cop: 2, answer: 'A' },
    ];
    await expect(loadRecords(records)).rejects.toThrow('"cop" and "answer" of "q" disagree (B against A)');
  });

  it('must agree with the letter beside them', async () => {
    const record = { id: 'p', options: ['w', 'x', 'y'], answer: 'B', answer_index: 0 };
    await expect(loadRecords([record])).rejects.toThrow('"answer" and "answer_index" of "p" disagree (B against A)');
  });

  it.each<[string, readonly object[], string]>([
    [
      'the letters beside them',
      [
        { answer_index: 1, answer: 'B' },
        { answer_index: 2, answer: 'C' },
      ],
      'B C',
    ],
    [
      'the letters, which start at 1',
      [
        { answer_index: 1, answer: 'A' },
        { answer_index: 2, answer: 'B' },
      ],
      'A B',
    ],
    [
      'a field of another name',
      [
        { answer: 'B', gold_index: 1 },
        { answer: 'C', gold_index: 2 },
      ],
      'B C',
    ],
  ])('count as %s show', async (_, truths, targets) => {
    const { samples } = await loadRecords(truths.map((truth) => ({ options: ['w', 'x', 'y', 'z'], ...truth })));
    expect(samples.map(({ target }) => target).join(' ')).toBe(targets);
  });

  it.each<[string, object, string]>([
    ['a letter disagrees however they count', { answer: 'B', label: 3 }, '"answer" and "label" of "p" disagree'],
    ['another field disagrees', { answer: 'B', correct_index: 3 }, '"answer" and "correct_index" of "p" disagree'],
    ['another letter disagrees', { answer: 'B', answer_letter: 'C' }, '"answer" and "answer_letter" of "p" disagree'],
    ['another text disagrees', { answer: 'B', answer_text: 'z' }, '"answer" and "answer_text" of "p" disagree'],
    ['nothing shows how they count', { answer_index: 2 }, '"answer_index" is a number, which may count'],
    ['they are a text and an index', { options: ['1', '2', '4', '8'], answer: 4 }, 'counts another, got 4'],
    ['a label is a text too', { options: ['O', 'A', 'B', 'AB'], answer: 'A' }, 'such as "A. O"'],
    ['Python may have left them out', { answer: 'None' }, 'may be a missing value that Python wrote'],
    ['a word is no set of labels', { answer: 'Cab' }, 'names no option of the question, got "Cab"'],
  ])('are refused where %s', async (_, truth, message) => {
    await expect(loadRecords([{ id: 'p', options: ['w', 'x', 'y', 'z'], ...truth }])).rejects.toThrow(message);
  });

  it('leave a label that is a text too to the labels of the other records', async () => {
    const records = [
      { options: ['O', 'A', 'B', 'AB'], answer: 'A' },
      { options: ['w', 'x', 'y', 'z'], answer: 'C' },
    ];
    const { samples } = await loadRecords(records);
    expect(samples.map(({ target }) => target)).toEqual(['A', 'C']);
  });

  it('note what looks like another truth and cannot be read', async () => {
    const { notes } = await loadRecords([{ options: ['w', 'x'], answer: 'B', answer_text: 'as is well known' }]);
    expect(notes).toContain('"answer_text" looks like a truth too, but cannot be read as one and is ignored.');
  });

  it('must be the same for the same question with the same options', async () => {
    const record = { question: 'same', options: ['w', 'x'] };
    const records = [
      { ...record, id: 'p', answer: 'A' },
      { ...record, id: 'q', options: ['x', 'w'], answer: 'A' },
    ];
    await expect(loadRecords(records)).rejects.toThrow('"p" and "q" ask the same question with the same options');
  });

  it('leave a text that two options share to the letter beside it', async () => {
    const options = { A: 'same', B: 'other', C: 'same' };
    const { samples } = await loadRecords([{ options, answer: 'same', answer_idx: 'C' }]);
    expect(samples[0]?.target).toBe('C');
    await expect(loadRecords([{ options, answer: 'same', answer_idx: 'B' }])).rejects.toThrow('cannot be used');
  });

  it('are labels where the options have such labels', async () => {
    const choices = { text: ['w', 'x'], label: ['1', '2'] };
    const { samples } = await loadRecords([2, 1].map((answer) => ({ choices, answer })));
    expect(samples.map(({ target }) => target)).toEqual(['2', '1']);
  });
});

describe('truths that are missing', () => {
  it('are an error in one record of many', async () => {
    const folder = makeFolder({ 'q.csv': 'question,A,B,answer\nx,1,2,A\ny,1,2,\n' });
    await expect(loadMcq({ path: join(folder, 'q.csv') })).rejects.toThrow('q.csv:3: the record has no answer');
  });

  it('hide the truth of every record where a table of columns has none', async () => {
    const folder = makeFolder({ 'q.csv': 'question,A,B\nx,1,2\ny,1,2\n' });
    const { samples, notes } = await loadMcq({ path: join(folder, 'q.csv') });
    expect(samples.map(({ target }) => target)).toEqual([null, null]);
    expect(notes).toContain('2 of 2 truths are hidden and stay ungraded.');
  });
});

describe('a field map', () => {
  it('reads fields of any name', async () => {
    const fields = parseFieldMap(
      '{"question": "q", "choices": ["first", "second", "third"], "answer": "gold_number", "id": "nr", "group": "area"}',
    );
    const { samples } = await loadMcq({ path: join(FIXTURES, 'own-fields.csv'), ...(fields && { fields }) });
    expect(samples.map(({ id, group, input }) => [id, group, input])).toEqual([
      ['1', 'Things', 'Which is round?'],
      ['2', 'Things', 'Which is square?'],
    ]);
    expect(samples.map(textOfTruth)).toEqual(['ball', 'tile']);
  });

  it('wins over names that would be recognised', async () => {
    const record = { id: 'a', question: 'wrong', q: 'right', options: ['x', 'y'], alt: 'v|w', answer: 'A', gold: 'w' };
    const { samples } = await loadRecords([record], '{"question": "q", "choices": "alt", "answer": "gold"}');
    expect(samples).toMatchObject([{ input: 'right', target: 'B', choices: { A: 'v', B: 'w' } }]);
  });

  it('names the field that a record lacks', async () => {
    await expect(loadRecords([{ options: ['x', 'y'], answer: 'A' }], '{"answer": "gold"}')).rejects.toThrow(
      'q.json:1: "gold" is missing (the record has "question", "options", "answer"). Add it or leave the record out.',
    );
  });

  it.each([
    '',
    '[]',
    '{}',
    '{"question": 1}',
    '{"choices": ["a"]}',
    '{"index_base": 2}',
    '{"qestion": "q"}',
    '{"__proto__": "q"}',
  ])('is refused as %s', (text) => {
    expect(parseFieldMap(text)).toBeUndefined();
  });
});

describe('options in one text', () => {
  it.each([
    ['A) four B) five C) six', ['four', 'five', 'six']],
    ['(A) four (B) five', ['four', 'five']],
    ['["four", "five"]', ['four', 'five']],
    ['A. four\nB. five', ['four', 'five']],
  ])('%j are %j', async (options, texts) => {
    const { samples } = await loadRecords([{ options, answer: 'B' }]);
    expect(Object.values(samples[0]?.choices ?? {})).toEqual(texts);
  });
});

it.each([
  ['A,B,D', 'C'],
  ['option_a,option_b,option_d', 'option_c'],
  ['Option 1,Option 2,Option 5', 'Option 3'],
  ['choice_A,choice_B,choice_D', 'choice_C'],
])('names the column that is missing among those of the options: %s', async (columns, missing) => {
  await expect(loadText(`question,${columns},answer\nHow many?,4,5,6,A\n`)).rejects.toThrow(
    `the column "${missing}" is missing`,
  );
});

it('takes columns that count from 0 with the first of them', async () => {
  const { samples } = await loadText('question,option0,option1,option2,answer\nHow many?,4,5,6,0\n');
  expect(samples).toMatchObject([{ choices: { A: '4', B: '5', C: '6' }, target: 'A' }]);
});

it('takes a table whose header ends in a letter for one with a header', async () => {
  const folder = makeFolder({ 'q.csv': 'question,answer,A,B,C,D\nx,D,1,2,3,4\n' });
  const { samples } = await loadMcq({ path: join(folder, 'q.csv') });
  expect(samples).toMatchObject([{ input: 'x', target: 'D' }]);
});

function textOfTruth({ target, choices = {} }: Sample): string | null {
  if (target === null) return null;
  return target
    .split(',')
    .map((label) => choices[label])
    .join(' ');
}

function loadRecords(records: readonly object[], map?: string) {
  const asked = records.map((record, index) => ({ question: `How many, ${index}?`, ...record }));
  const fields = map === undefined ? undefined : parseFieldMap(map);
  const path = join(makeFolder({ 'q.json': JSON.stringify(asked) }), 'q.json');
  return loadMcq({ path, ...(fields === undefined ? {} : { fields }) });
}

function loadText(csv: string) {
  return loadMcq({ path: join(makeFolder({ 'q.csv': csv }), 'q.csv') });
}
