import { expect, test } from 'vitest';
import { makeFile } from '../../test/make-folder.ts';
import { textsOf } from '../words/types.fixture.ts';
import { loadGaia, loadMcq, loadRecords, toRecordsDataset } from './load.ts';

const QUESTION = { question: 'Is it entailed?', answer: 'yes' };

function write(...records: readonly object[]): string {
  return makeFile('test.jsonl', records.map((record) => JSON.stringify(record)).join('\n'));
}

test.each([
  ['hypothesis', 'Ann sleeps.', 'a text', 'context'],
  ['facts', ['Ann is tired.'], 'a list', 'context'],
  ['evidence', 'Ann yawns a lot.', 'a text', 'context'],
  ['table', [['a', 'b']], 'a list', 'context'],
  ['table', { a: ['x'] }, 'an object', 'context'],
  ['code', 'print(1)', 'a text', 'context'],
  ['claim', 'Ann sleeps.', 'a text', 'context'],
  ['prompt', 'Think of Ann.', 'a text', 'context'],
  ['anything', 'a text of six or more words', 'a text', 'context'],
  ['data', 'Ann 3, Bo 4', 'a text', 'context'],
  ['word', 'cat', 'a text', 'context'],
  ['numbers', [3, 4], 'a list', 'context'],
  ['table', [[1, 2]], 'a list', 'context'],
  ['input_string', 'abc', 'a text', 'context'],
  ['firstWord', 'cat', 'a text', 'context'],
  ['heights', [170, 180], 'a list', 'context'],
  ['x', 7, 'a number', 'context'],
  ['distance', 120, 'a number', 'context'],
  ['text', 'cat', 'a text', 'context'],
  ['optoins', ['x', 'y'], 'a list', 'choices'],
  ['contxt', 'Ann', 'a text', 'context'],
  ['attachmnets', 'a', 'a text', 'attachments'],
])('a field %s with %j, which no shape takes, is named', async (name, value, what, role) => {
  const { notes } = await loadRecords({ path: write({ ...QUESTION, [name]: value }) });
  expect(textsOf(notes)).toContain(
    `1 of 1 record has "${name}", ${what} that the agent does not see. If the question needs it, call it "${role}".`,
  );
});

test.each<[string, unknown]>([
  ['lang_code', 'en'],
  ['question_type', 'one of the hard ones that nobody can solve'],
  ['contextId', 'a b'],
  ['tags', ['x', 'y']],
  ['explanation', 'Because of what was said before, I think.'],
  ['template', 'Answer this question: Is it entailed?'],
  ['table', ''],
  ['year', 1984],
  ['number', 3],
  ['mood', 'sad'],
  ['word_count', 3],
  ['scores', [1, 0]],
  ['instruction_id_list', ['x', 'y']],
  ['word', 'entailed'],
  ['words', ['is', 'it']],
  ['numbers', []],
])('a field %s with %j, which no question needs, is not', async (name, value) => {
  const { notes } = await loadRecords({ path: write({ ...QUESTION, [name]: value }) });
  expect(textsOf(notes).join()).not.toContain('does not see');
});

test.each([
  [{ Body: 'Ann has 5 pens.', Question: 'How many?', Answer: 5 }, 'Ann has 5 pens.\n\nHow many?'],
  [{ background: 'Ann has 5 pens.', ...QUESTION }, 'Ann has 5 pens.\n\nIs it entailed?'],
  [{ instruction: 'Translate.', input: 'Good day', output: 'Bonjour' }, 'Good day\n\nTranslate.'],
  [{ instruction: 'Translate.', input: '', output: 'Bonjour' }, 'Translate.'],
  [{ instruction: 'Translate.', input: 'Good day', answer: 'x' }, 'Good day\n\nTranslate.'],
])('%j is asked with all that belongs to its question', async (record, input) => {
  for (const load of [loadGaia, loadRecords])
    expect((await load({ path: write(record) })).samples).toMatchObject([{ input }]);
});

test.each([
  'golden_answer',
  'golden_answers',
  'gold_answer',
  'Gold Answer',
  'ground_truth_answer',
  'reference_answer',
  'true_answer',
])('the answer may be called %s', async (name) => {
  for (const load of [loadGaia, loadRecords])
    expect((await load({ path: write({ question: 'x?', [name]: '4' }) })).samples).toMatchObject([
      { target: '4' },
    ]);
});

test('an answer and a golden answer that differ are refused', async () => {
  const path = write({ ...QUESTION, golden_answer: 'no' });
  await expect(loadRecords({ path })).rejects.toThrow(
    '"answer" and "golden_answer" disagree ("yes" against "no")',
  );
});

test('where no record has a target, the fields that may be one are named, misspelt ones alone', async () => {
  const record = { input: 'x?', year: 1984, tagret: '4', metadata: { note: 'y' } };
  expect(textsOf((await loadRecords({ path: write(record) })).notes)).toContain(
    'No record has a target; "tagret" is not read. If it is the expected answer, call it "target".',
  );
  const others = write({ input: 'x?', year: 1984, verdict: 'no' });
  expect(textsOf((await loadRecords({ path: others })).notes)).toContain(
    'No record has a target; "year", "verdict" are not read. If one of them is the expected answer, call it "target".',
  );
  const table = makeFile('q.csv', 'question,A,B,anwser,rationale\nx,1,2,A,y\n');
  expect(textsOf((await loadMcq({ path: table })).notes).join()).toContain(
    '"anwser" is not read. If it is',
  );
});

test('where some records have no target, a misspelt one is named', async () => {
  const path = write({ input: 'x?', target: 'a' }, { input: 'y?', tagret: 'b', year: 1 });
  expect(textsOf((await loadRecords({ path })).notes)).toContain(
    '1 of 2 records has no expected answer, but "tagret", which is not read. If it is the answer, call it "target".',
  );
});

test('a value that JSON does not have is named, too', () => {
  const round: unknown[] = ['x'];
  round.push(round);
  const { notes } = toRecordsDataset([{ ...QUESTION, words: round }], 'own', '/own.eval.ts');
  expect(textsOf(notes).join()).toContain('"words", a list');
});
