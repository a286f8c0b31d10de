import { expect, test } from 'vitest';
import { AgentError, type Answer, type Grade, type Sample } from '../types.ts';
import type { Asked } from './ask.ts';
import { type Scoring, toResult } from './to-result.ts';

const sample: Sample = {
  id: 'q1',
  suite: 'gaia',
  input: 'why?',
  target: '17',
  group: 'level 1',
  attachments: [],
  metadata: {},
};

const trial = {
  suite: 'gaia',
  dataset: 'own',
  agent: 'a',
  id: 'q1',
  trial: 1,
  group: 'level 1',
  prompt_hash: '',
  question_hash: '',
  run: 'r',
};

const times = { startedAt: '', answeredAt: '', latencyMs: 5, attempts: 1, cached: false };

/** Equality, and no answer where nothing is said. */
const scoring: Scoring = {
  extract: (output) => ({ answer: output, how: 'whole text' }),
  grade: (output, target): Grade => ({
    state: output === '' ? 'no_answer' : output === target ? 'correct' : 'incorrect',
    reason: output === '' ? 'empty' : null,
    correct: output === target,
    answer: output,
    how: 'whole text',
    rule: 'equal',
    explanation: 'compared',
    rules: null,
    confidence: null,
  }),
};

function grade(answer: Answer, changes: Partial<Sample> = {}) {
  const asked: Asked = { ...times, outcome: 'answered', answer };
  return toResult({ ...sample, ...changes }, trial, asked, scoring);
}

test.each<[string, Answer, Partial<Sample>, object]>([
  ['a right answer', { text: '17' }, {}, { state: 'correct', reason: null, explanation: 'compared' }],
  [
    'a right answer that was cut short',
    { text: '17', cutShort: 'max_tokens' },
    {},
    { state: 'correct', reason: 'max_tokens', explanation: 'compared (the output was cut short: max_tokens)' },
  ],
  [
    'a wrong answer that was cut short',
    { text: 'so far', cutShort: 'context_window' },
    {},
    { state: 'incorrect', reason: 'context_window' },
  ],
  [
    'an output that was cut short before its answer',
    { text: '', cutShort: 'max_tokens' },
    {},
    { state: 'no_answer', reason: 'max_tokens' },
  ],
  [
    'an output that was cut short and has no truth',
    { text: 'so far', cutShort: 'max_tokens' },
    { target: null },
    { state: 'ungraded', reason: 'max_tokens' },
  ],
  ['a refusal', { text: null, reason: 'refusal' }, {}, { state: 'no_answer', reason: 'refusal', output: null }],
])('%s gets its state and its reason', (_, answer, changes, expected) => {
  expect(grade(answer, changes)).toMatchObject(expected);
});

test('a failure keeps what was said, the status and the id of the request', () => {
  const error = new AgentError('bad_response', 'HTML came', { status: 200, requestId: 'req_1' });
  expect(toResult(sample, trial, { ...times, outcome: 'failed', error }, scoring)).toMatchObject({
    state: 'errored',
    reason: 'bad_response',
    error: { kind: 'bad_response', message: 'HTML came', status: 200, request_id: 'req_1' },
  });
});
