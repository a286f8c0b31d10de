import { expect, test } from 'vitest';
import { extractFinalAnswer } from '../scoring/gaia/extract-final-answer.ts';
import { AgentError, type Answer, type Outcome } from '../words/answer.ts';
import type { Sample } from '../words/sample.ts';
import { toSample } from '../words/types.fixture.ts';
import { NAMED } from './lanes.fixture.ts';
import { toRow } from './result.ts';
import { toSuite } from './suite.ts';

const sample = toSample({ target: '17' });

const EQUAL = 'equal to the expected answer';
const times = { started_at: '', answered_at: '', latency_ms: 5, attempts: 1, cached: false };

const scoring = toSuite('own', { data: [{}] }, 'own.eval.ts');

async function grade(answer: Answer, changes: Partial<Sample> = {}) {
  const outcome: Outcome = { ...times, outcome: 'answered', answer };
  return (await toRow({ ...sample, ...changes }, NAMED, outcome, scoring, 1000)).row;
}

test.each<[string, Answer, Partial<Sample>, object]>([
  [
    'a right answer',
    { output: '17', firstTokenMs: 2 },
    {},
    { state: 'correct', reason: null, explanation: EQUAL, first_token_ms: 2 },
  ],
  [
    'a right answer that was cut short',
    { output: '17', cutShort: 'max_tokens' },
    {},
    {
      state: 'correct',
      reason: 'max_tokens',
      explanation: `${EQUAL} (the output was cut short: max_tokens)`,
    },
  ],
  [
    'an output that was cut short before its answer',
    { output: '', cutShort: 'max_tokens' },
    {},
    { state: 'no_answer', reason: 'max_tokens' },
  ],
  [
    'an output that was cut short and has no truth',
    { output: 'so far', cutShort: 'max_tokens' },
    { target: null },
    { state: 'ungraded', reason: 'max_tokens' },
  ],
  [
    'a refusal',
    { output: null, reason: 'refusal' },
    {},
    { state: 'no_answer', reason: 'refusal', output: null },
  ],
])('%s gets its state and its reason', async (_, answer, changes, expected) => {
  expect(await grade(answer, changes)).toMatchObject(expected);
});

test('a failure keeps the conversation, the status and the id of the request', async () => {
  const error = new AgentError('bad_response', 'HTML came', { status: 200, requestId: 'req_1' });
  expect(
    (await toRow(sample, NAMED, { ...times, outcome: 'failed', error }, scoring, 1000)).row,
  ).toMatchObject({
    state: 'errored',
    reason: 'bad_response',
    error: { kind: 'bad_response', message: 'HTML came', status: 200, request_id: 'req_1' },
  });
});

const plain = toSample({
  target: 'A,B',
  choices: { A: 'cow', B: 'ant', C: 'bee' },
  multiple: true,
});
/** The dataset has ant, bee, cow. */
const shuffled: Sample = {
  ...plain,
  presentation: { seed: 7, ownLabels: { A: 'C', B: 'A', C: 'B' } },
};

test.each([
  [
    'B,C',
    {
      answer: 'A,B',
      target: 'A,C',
      presented: { seed: 7, order: ['C', 'A', 'B'], target: [1, 2], answer: [2, 3] },
    },
  ],
  [
    'NONE',
    { answer: 'NONE', presented: { seed: 7, order: ['C', 'A', 'B'], target: [1, 2], answer: [] } },
  ],
])(
  'the row of a shuffled question that is answered %s has the labels of the dataset',
  async (text, row) => {
    expect(await grade({ output: text }, shuffled)).toMatchObject({
      ...row,
      options: 3,
      multiple: true,
    });
  },
);

test.each([
  ['expected B (ant), got A', 'expected B (ant), got A (labels as presented)'],
  ['Bees are no ants', 'Bees are no ants'],
  [undefined, 'not equal to the expected answer'],
])('where options were shuffled, the explanation %j is %j', async (explanation, shown) => {
  const score = () => ({ pass: false, explanation });
  const own = explanation === undefined ? {} : { score };
  const judging = toSuite('own', { data: [{}], ...own }, 'own.eval.ts');
  const outcome: Outcome = { ...times, outcome: 'answered', answer: { output: 'C' } };
  const { row } = await toRow(shuffled, NAMED, outcome, judging, 1000);
  expect(row.explanation).toBe(shown);
});

test('a row has the order of options if they were shuffled, also where the expected answer is hidden', async () => {
  expect(await grade({ output: 'A' }, plain)).toMatchObject({
    options: 3,
    multiple: true,
    answer: 'A',
  });
  expect(await grade({ output: 'A' }, plain)).not.toHaveProperty('presented');
  expect(await grade({ output: 'A' }, { ...shuffled, target: null })).toMatchObject({
    answer: 'C',
    presented: { seed: 7, order: ['C', 'A', 'B'], target: [], answer: [1] },
  });
  expect(await grade({ output: 'A' })).not.toHaveProperty('options');
});

test.each([
  ['an answer', 'FINAL ANSWER: 17', { answer: '17', certain: true }],
  [
    'two answers that differ',
    'FINAL ANSWER: 16\nFINAL ANSWER: 17',
    { answer: '17', certain: false },
  ],
])('a row keeps whether the reading of %s is certain', async (_, output, expected) => {
  const finding = toSuite('own', { data: [{}], extract: extractFinalAnswer }, 'own.eval.ts');
  const outcome: Outcome = { ...times, outcome: 'answered', answer: { output } };
  const hidden = { ...sample, target: null };
  for (const asked of [sample, hidden]) {
    const { row } = await toRow(asked, NAMED, outcome, finding, 1000);
    expect(row).toMatchObject(expected);
  }
});
