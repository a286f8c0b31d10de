import { expect, test } from 'vitest';
import { makeFile } from '../../test/make-folder.ts';
import { textsOf } from '../words/types.fixture.ts';
import { loadGaia, loadMcq, loadRecords } from './load.ts';
import { parseShape } from './shape.ts';

function write(...records: readonly object[]): string {
  return makeFile('test.jsonl', records.map((record) => JSON.stringify(record)).join('\n'));
}

const QUESTION = { question: 'who wrote it' };

test.each<[string, object, readonly string[]]>([
  ['NQ-open', { answer: ['a', 'b', 'a'] }, ['a', 'b']],
  [
    'TriviaQA',
    {
      question_id: 't',
      answer: { value: 'A', aliases: ['A', 'B'], normalized_aliases: ['a', 'b'] },
    },
    ['A', 'B', 'a', 'b'],
  ],
  [
    'TriviaQA',
    { QuestionId: 't', Answer: { Value: 'A', Aliases: ['B'], NormalizedAliases: ['b'] } },
    ['A', 'B', 'b'],
  ],
  ['PopQA', { subj: 's', prop: 'p', obj: 'o', possible_answers: '["a", "b"]' }, ['a', 'b']],
  ['WebQuestions', { url: 'u', answers: ['a', 'b'] }, ['a', 'b']],
  ['SQuAD', { context: 'c', answers: { text: ['a', 'b'], answer_start: [1, 2] } }, ['a', 'b']],
  ['EVOUNA', { golden_answer: 'a/b c / d', improper: false }, ['a', 'b c', 'd']],
])('of %s %j, any answer is accepted', async (name, record, target) => {
  for (const load of [loadGaia, loadRecords]) {
    const { samples, notes } = await load({ path: write({ ...QUESTION, ...record }) });
    expect(samples).toMatchObject([{ target, accepts: 'any' }]);
    expect(notes[0]?.text).toMatch(new RegExp(`^${name}: 1 record`));
    expect(textsOf(notes)).toContain('1 of 1 question accepts any one of several answers.');
  }
});

test('a question and a list is NQ-open where it is as typed into a search box, and for EVAL_GAIA', async () => {
  for (const record of [
    { question: 'Who wrote it?', answer: ['a', 'b'] },
    { question: 'Who wrote it?', answers: ['a', 'b'] },
  ]) {
    const path = write(record);
    expect((await loadGaia({ path })).samples).toMatchObject([{ accepts: 'any' }]);
    expect((await loadRecords({ path })).samples[0]).not.toHaveProperty('accepts');
  }
});

test('a hidden answer of TriviaQA is none', async () => {
  const path = write({
    ...QUESTION,
    answer: { value: '<unk>', aliases: [], normalized_aliases: [] },
  });
  expect((await loadGaia({ path })).samples).toMatchObject([{ target: null }]);
});

test('SimpleQA has one answer', async () => {
  const record = { metadata: "{'topic': 'Art'}", problem: 'Who?', answer: 'a/b' };
  const [sample] = (await loadGaia({ path: write(record) })).samples;
  expect(sample).toMatchObject({ input: 'Who?', target: 'a/b' });
  expect(sample).not.toHaveProperty('accepts');
});

test('a list means all of it, unless the suite says that any is accepted', async () => {
  const path = write(
    { ...QUESTION, id: 'x', answer: ['a', 'b'] },
    { ...QUESTION, id: 'y', answer: 'c' },
  );
  const [all] = (await loadRecords({ path })).samples;
  expect(all).toMatchObject({ target: ['a', 'b'] });
  expect(all).not.toHaveProperty('accepts');
  await expect(loadGaia({ path })).rejects.toThrow(
    '"answer" must be text or a number, got ["a","b"]. Write one answer, or ask in a suite of your own, which says accepts: "any"',
  );
  for (const load of [loadGaia, loadRecords])
    expect((await load({ path, accepts: 'any' })).samples).toMatchObject([
      { target: ['a', 'b'], accepts: 'any' },
      { target: ['c'], accepts: 'any' },
    ]);
});

test('a slash separates answers only where the shape says so', async () => {
  const [sample] = (await loadGaia({ path: write({ ...QUESTION, golden_answer: '1/2' }) })).samples;
  expect(sample?.target).toBe('1/2');
  const fields = parseShape('{"alternatives": "/"}');
  const path = write({ ...QUESTION, answer: '1/2' });
  const { samples } = await loadGaia({ path, ...(fields && { fields }) });
  expect(samples).toMatchObject([{ target: ['1', '2'], accepts: 'any' }]);
});

test('of options, each label of a list may be right alone', async () => {
  const record = { question: 'Which?', options: ['x', 'y', 'z'], answer: ['A', 'C'] };
  const fields = parseShape('{"accepts": "any"}');
  for (const answers of [
    {},
    { question_type: 'single' },
    { answer: ['x', 'z'] },
    { answer: [1, 0, 1] },
  ])
    expect(
      (await loadMcq({ path: write({ ...record, ...answers }), ...(fields && { fields }) }))
        .samples,
    ).toMatchObject([{ target: 'A,C', accepts: 'any' }]);
  expect(parseShape('{"accepts": "all"}')).toBeUndefined();
});

test('a list of questions is not NQ-open', async () => {
  const path = write({ question: ['who wrote it', 'who read it'], answer: ['a'] });
  expect((await loadRecords({ path })).samples[0]).not.toHaveProperty('accepts');
});
