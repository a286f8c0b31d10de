import { expect, test } from 'vitest';
import { toResult } from '../src/metrics/result.fixture.ts';
import { type ResultMeta, toIdentity, toResultMeta } from '../src/store/trial-meta.ts';
import type { State } from '../src/types.ts';
import { chooseForm, toFailureLines } from './vitest-reporters.ts';

const QUESTION = 'How many\nboxes are there, if each of the nine shelves has nine of them?';

function toMeta(
  state: State,
  facts: Partial<ResultMeta> = {},
  question: string | null = QUESTION,
): ResultMeta {
  const row = toResult(state, { target: '17' });
  const hashes = { prompt_hash: '', question_hash: '', run: 'run' };
  const planned = { ...toIdentity(row), ...hashes, group: row.group };
  return { ...toResultMeta(planned, row, question), ...facts };
}

const ASKED = '  How many boxes are there, if each of the nine shelves has ni…';

test.each<[string, ResultMeta, string]>([
  [
    'a wrong answer',
    toMeta('incorrect', { answer: '18\n' }),
    `expected "17", received "18"${ASKED}`,
  ],
  [
    'an answer of which some scores are false',
    toMeta('incorrect', {
      answer: '18',
      scores: { total: false, kind: true, currency: false, size: 0 },
    }),
    `expected "17", received "18", false: total, currency${ASKED}`,
  ],
  ['no answer', toMeta('no_answer'), `expected "17", no answer (empty)${ASKED}`],
  [
    'an error',
    toMeta('errored', { explanation: 'down' }),
    `expected "17", errored (network): down${ASKED}`,
  ],
  ['no expected answer', toMeta('no_answer', { target: null }), `no answer (empty)${ASKED}`],
  [
    'control characters',
    toMeta('incorrect', { answer: '\u001b[2J', question: '' }),
    'expected "17", received "\\u001b[2J"',
  ],
])('%s takes one line', (_, meta, line) => {
  expect(toFailureLines([{ title: 'q1', meta }])).toEqual([` × q1: ${line}`]);
});

test('suites are named where there are several', () => {
  const wrong = toMeta('incorrect', { question: '' });
  const own = { title: 'q1', meta: { ...wrong, suite: 'own' } };
  expect(toFailureLines([{ title: 'q1', meta: wrong }, own])).toEqual([
    ' × gaia > q1: expected "17", received "text"',
    ' × own > q1: expected "17", received "text"',
  ]);
});

test('shows a gated case without texts, and says once how to see them', () => {
  const failed = ['q1', 'q2'].map((title) => ({ title, meta: toMeta('no_answer', {}, null) }));
  expect(toFailureLines(failed)).toEqual([
    ' × q1: no answer (empty)',
    ' × q2: no answer (empty)',
    '   EVAL_SHOW_GATED=1 shows questions, expected answers and answers in CI',
  ]);
});

test('at most 20 lines are shown, and the others counted', () => {
  const failed = Array.from({ length: 57 }, (_, index) => ({
    title: `q${index}`,
    meta: toMeta('incorrect'),
  }));
  const lines = toFailureLines(failed);
  expect(lines.slice(20)).toEqual([
    '   and 37 more: EVAL_FAILURES=full shows all, report.html lists them',
  ]);
  expect(toFailureLines(failed.slice(0, 20))).toHaveLength(20);
});

const wrong = toMeta('incorrect');
const many = (count: number) => Array.from({ length: count }, () => wrong);

test.each([
  ['a setting of it', 'lines', false, [wrong], 'lines'],
  ['watch mode', null, true, [wrong], 'lines'],
  ['more than 30 failures', null, false, many(31), 'lines'],
  ['results that do not fail', null, false, many(31).map(() => toMeta('correct')), 'full'],
  ['several agents', null, false, [wrong, toMeta('correct', { agent: 'b' })], 'lines'],
  [
    'several prompts',
    null,
    false,
    [wrong, toMeta('correct', { prompt: 'b.md@1a2b3c4d' })],
    'lines',
  ],
  [
    'suites, each with an agent of its own',
    null,
    false,
    [wrong, toMeta('correct', { suite: 'own', agent: 'b' })],
    'full',
  ],
] as const)('chooses the form of failures by %s', (_, set, watch, metas, form) => {
  expect(chooseForm(set, watch, metas)).toBe(form);
});
