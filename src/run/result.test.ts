import { expect, test } from 'vitest';
import { toResult as makeResult } from '../metrics/result.fixture.ts';
import { AgentError, type Answer, type Grade, type Sample } from '../types.ts';
import type { Asked } from './ask.ts';
import {
  choiceFacts,
  cutFrames,
  hideGated,
  presentedFact,
  type Scoring,
  showFirstLine,
  showQuestion,
  showTarget,
  toFailure,
  toOwnLabels,
  toResult,
} from './result.ts';

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

const plain: Sample = {
  id: 'a',
  suite: 'mcq',
  input: 'Which?',
  target: 'A,B',
  group: 'all',
  choices: { A: 'cow', B: 'ant', C: 'bee' },
  multiple: true,
  attachments: [],
  metadata: {},
};
/** The dataset has ant, bee, cow. */
const shuffled: Sample = { ...plain, presentation: { seed: 7, ownLabels: { A: 'C', B: 'A', C: 'B' } } };

test.each([
  ['A', 'C'],
  ['A,B', 'A,C'],
  ['NONE', 'NONE'],
  [null, null],
])('%s of a shuffled question is %s of the dataset', (presented, own) => {
  expect(toOwnLabels(presented, shuffled)).toBe(own);
  expect(toOwnLabels(presented, plain)).toBe(presented);
});

test('a row says how many options there are and where the right ones stood', () => {
  expect(choiceFacts(plain)).toEqual({ options: 3, multiple: true });
  expect(choiceFacts(shuffled).presented).toEqual({ seed: 7, target: [1, 2], answer: null });
});

test('a row says where the chosen options stood', () => {
  expect(presentedFact(shuffled, 'B,C').presented?.answer).toEqual([2, 3]);
  expect(presentedFact(shuffled, 'NONE').presented?.answer).toEqual([]);
  expect(presentedFact({ ...shuffled, target: null }, 'A')).toEqual({});
});

test('a question without options has no such facts', () => {
  const { choices: _, ...open } = plain;
  expect(choiceFacts(open)).toEqual({});
});

test('leaves a wrong answer no stack, so that it is compared with no other', () => {
  const error = new Error('3 is not 4');
  expect(cutFrames(error, { error: null }, false)).toBe(error);
  expect(error).toMatchObject({ message: '3 is not 4', stack: '' });
});

test('cuts the stack of a missing prediction to what equal ones have in common', () => {
  const [first, second] = [1, 2].map(() => new Error('none'));
  expect(cutFrames(first, { error: null }, true)).toMatchObject({ stack: 'Error: none' });
  expect(cutFrames(second, { error: null }, true)).toMatchObject({ stack: first?.stack });
});

test('shows of an error once what it says, and where the code of the agent threw', () => {
  const own = `    at answer (${import.meta.dirname}/ask.ts:4:5)\n    at node:internal/timers:1:2`;
  const inner = Object.assign(new Error('refused'), { stack: `Error: refused\n    at dial (/a/net.ts:1:2)\n${own}` });
  const boom = Object.assign(new Error('boom', { cause: inner }), {
    stack: `Error: boom\n    at /a/agent.ts:1:26\n${own}`,
  });
  const error = new AgentError('agent_crash', 'Error: boom', { cause: boom });
  const asked: Asked = { ...times, outcome: 'failed', error };
  const result = toResult(sample, trial, asked, scoring);
  const shown = toFailure(asked, result);
  showTarget(shown, sample);
  showFirstLine(shown, sample);
  const message = 'Error: boom\nExpected: "17"\nQuestion: "why?"';
  expect(cutFrames(shown, result, false)).toMatchObject({
    message,
    stack: `AgentError: ${message}\n    at /a/agent.ts:1:26`,
    cause: { message: 'refused', stack: 'Error: refused\n    at dial (/a/net.ts:1:2)' },
  });
});

test('shows no expected answer where none is known', () => {
  const error = new Error('down');
  showTarget(error, { target: null });
  expect(error.message).toBe('down');
});

test('passes on what is no error', () => {
  expect(cutFrames('thrown text', { error: null }, false)).toBe('thrown text');
});

test('hides the answer of a gated record, stack included', () => {
  const { message, stack } = hideGated(makeResult('no_answer'));
  expect(message).toBe('no_answer (empty). Set EVAL_SHOW_GATED=1 to show questions, truths and answers in CI.');
  expect(stack).toBe(`Error: ${message}`);
});

function show(input: string, choices?: Readonly<Record<string, string>>): string {
  const error = new Error('wrong');
  showQuestion(error, { input, ...(choices === undefined ? {} : { choices }) });
  return error.message;
}

test('shows a question in its own lines, and its options in lines', () => {
  expect(show('Which?\n  1  2', { A: 'one', B: 'two' })).toBe('wrong\n\nQuestion:\nWhich?\n  1  2\n\nA: one\nB: two');
});

test.each([
  ['Which?\r\nA list follows.', 'Which?'],
  ['\n\n  Which?', 'Which?'],
  ['x'.repeat(201), `${'x'.repeat(200)}…`],
  ['a\u001b[2J', 'a\\u001b[2J'],
])('shows the first line of %j in a terminal', (input, shown) => {
  const error = new Error('wrong');
  showFirstLine(error, { input });
  expect(error.message).toBe(`wrong\nQuestion: "${shown}"`);
});

test('wraps what would run out of the panel, between words', () => {
  const [, , , first = '', second = ''] = show('word '.repeat(30).trim()).split('\n');
  expect(first).toBe('word '.repeat(19).trim());
  expect(second).toBe('word '.repeat(11).trim());
});

test('cuts a long question, and writes out what acts on a terminal', () => {
  expect(show('x'.repeat(3000))).toMatch(/x{2000}…$/);
  expect(show('a\u001b[2J', { A: 'b\u202e' })).toContain('a\\u001b[2J\n\nA: b\\u202e');
});
