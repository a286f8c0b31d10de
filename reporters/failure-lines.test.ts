import { stripVTControlCharacters } from 'node:util';
import colors from 'tinyrainbow';
import { describe, expect, test } from 'vitest';
import { toResult } from '../src/figures/result.fixture.ts';
import type { State } from '../src/words/row.ts';
import { drawFailures, type FailedCase, toFailedCase } from './failure-lines.ts';
import { widthOf } from './terminal.ts';

const LINK = 'file:///run/report.html';

/** A failed case of the question q1, whose expected answer is 17. */
function toCase(state: State, facts: object = {}, isHidden = false): FailedCase {
  const row = toResult(state, { id: 'q1', target: '17' });
  return toFailedCase({ ...row, explanation: '', ...facts }, { isHidden, place: null });
}

function linesOf(
  failed: readonly FailedCase[],
  width = Number.POSITIVE_INFINITY,
): readonly string[] {
  const text = stripVTControlCharacters(drawFailures(failed, LINK, { width, colors }));
  expect(text.split('\n').filter((line) => widthOf(line) > width)).toEqual([]);
  return text.split('\n').slice(2, -1);
}

const wrong = (id: string, facts: object = {}) =>
  toCase('incorrect', { id, answer: '18', ...facts });

test.each<[string, object, string]>([
  ['a wrong answer', { answer: '18\n' }, 'expected 17  received 18'],
  [
    'an explanation that says no more than the answers',
    { answer: '18', explanation: 'compared as number: 18 is not 17' },
    'expected 17  received 18',
  ],
  [
    'an explanation that says more',
    { answer: '17 km', explanation: 'compared as number: "17 km" cannot be read as a number' },
    'expected 17  received 17 km  cannot be read as a number',
  ],
  [
    'an answer of which some scores are false',
    { answer: '18', scores: { total: false, kind: true, currency: false, size: 0 } },
    'expected 17  received 18  false: total, currency',
  ],
  [
    'an answer of which scores say why they are false',
    {
      answer: '18',
      scores: { a: false, kind: true, 'd (e)': false, f: false },
      explanation:
        'a is false (expected 1 to be 2; and (3)); kind is true; d (e) is false (too long); f is false',
    },
    'expected 17  received 18  false: a (expected 1 to be 2; and (3)), d (e) (too long), f',
  ],
  [
    'an assertion that has both answers again',
    { answer: '18', explanation: "expected '18' to be '17' // Object.is equality" },
    'expected 17  received 18',
  ],
  [
    'an assertion that has parts of both answers again',
    {
      answer: 'one two three',
      target: 'one two four',
      explanation: 'expected "…three" to deeply equal "…four"',
    },
    'expected one two four  received one two three',
  ],
  [
    'an assertion about a part of both answers',
    { answer: '18 km', explanation: 'expected 18 to be 17 // Object.is equality' },
    'expected 17  received 18 km  expected 18 to be 17 // Object.is equality',
  ],
  [
    'no answer',
    { state: 'no_answer', reason: 'empty', answer: null },
    'expected 17  no answer (empty)',
  ],
  [
    'an error',
    { state: 'errored', reason: 'network', explanation: 'down', answer: null },
    'expected 17  network error  down',
  ],
  [
    'no expected answer',
    { state: 'no_answer', reason: 'empty', target: null, answer: null },
    '             no answer (empty)',
  ],
  ['control characters', { answer: '\u001b[2J' }, 'expected 17  received \\u001b[2J'],
])('%s takes one line', (_, facts, line) => {
  const [shown] = linesOf([toCase('incorrect', facts), wrong('q2')]);
  expect(shown).toBe(` × q1  ${line}`);
});

test('errors of one cause take one line, also where numbers and ids in their messages differ', () => {
  const crash = (id: string, explanation: string) =>
    toCase('errored', { id, reason: 'agent_crash', explanation });
  const ids = ['a', 'b', 'c', 'd', 'e'];
  const failed = [
    wrong('w'),
    ...ids.map((id, index) => crash(id, `TypeError: no text in request req_${index} of ${id}`)),
    crash('f', 'RangeError: too long'),
  ];
  expect(linesOf(failed)).toEqual([
    ' × 5 crashes: TypeError: no text in request req_0 of a (a, b, c and 2 more)',
    ' × w  expected 17  received 18',
    ' × f  expected 17  crash        RangeError: too long',
  ]);
});

test('errors with other status codes are other causes', () => {
  const failed = [401, 404, 401, 404].map((status, index) =>
    toCase('errored', { id: `q${index}`, reason: 'server', explanation: `HTTP ${status}` }),
  );
  expect(linesOf(failed)).toEqual([
    ' × 2 server errors: HTTP 401 (q0, q2)',
    ' × 2 server errors: HTTP 404 (q1, q3)',
  ]);
});

test('a crash names its place, in the line of several too where there is room', () => {
  const crash = (id: string) => ({
    ...toCase('errored', { id, reason: 'agent_crash', explanation: 'TypeError: no text' }),
    place: 'src/agent.ts:31',
  });
  expect(linesOf([crash('a')])).toEqual([
    ' × a  expected 17  crash  TypeError: no text, at src/agent.ts:31',
  ]);
  const ids = ['a', 'b', 'c', 'd'];
  expect(linesOf(ids.map(crash))).toEqual([
    ' × 4 crashes: TypeError: no text (at src/agent.ts:31; a, b, c and 1 more)',
  ]);
});

test('the same wrong answer of several trials takes one line, and agents are named where there are two', () => {
  const trials = [1, 2, 3].map((trial) => wrong('q', { trial, answer: trial === 2 ? '5' : '18' }));
  expect(linesOf(trials)).toEqual([
    ' × q           expected 17  received 18  in 2 trials',
    ' × q  trial 2  expected 17  received 5',
  ]);
  const agents = ['small', 'large'].map((agent) => wrong('q', { agent }));
  expect(linesOf(agents)).toEqual([
    ' × q  small  expected 17  received 18',
    ' × q  large  expected 17  received 18',
  ]);
  const silent = ['a', 'b'].map((id) => toCase('no_answer', { id, agent: 'small', answer: null }));
  expect(linesOf([...agents, ...silent])[0]).toBe(' × 2 no answer (empty) by small (a, b)');
});

test('a suite takes at most 20 lines, of which the causes that most have in common come first', () => {
  const failed = [
    ...Array.from({ length: 100 }, (_, index) => wrong(`w${index}`)),
    ...Array.from({ length: 5 }, (_, index) => toCase('no_answer', { id: `e${index}` })),
    ...Array.from({ length: 195 }, (_, index) =>
      toCase('errored', { id: `x${index}`, reason: 'server', explanation: 'down' }),
    ),
  ];
  const lines = linesOf(failed);
  expect(lines).toHaveLength(21);
  expect([lines[0], lines[1], lines.at(-1)]).toEqual([
    ' × 195 server errors: down (x0, x1, x2 and 192 more)',
    ' × 5 no answer (empty) (e0, e1, e2 and 2 more)',
    `   and 82 more: ${LINK}`,
  ]);
});

test('hidden cases show no text, a line each, and one sentence says how to see them', () => {
  const hide = (id: string, state: State) => toCase(state, { id }, true);
  const hidden = [hide('a', 'incorrect'), hide('b', 'incorrect'), hide('c', 'errored')];
  const lines = linesOf(hidden);
  expect(lines.slice(0, 3)).toEqual([' × a  incorrect', ' × b  incorrect', ' × c  network error']);
  expect(lines.at(-1)).toContain('EVAL_SHOW_GATED=1');
});

describe('where there is little room', () => {
  const LONG = 'an answer that goes on and on and does not end before line three';

  test.each([80, 100, 120, 160, 200])('lines of %i columns are full, and no longer', (width) => {
    const failed = [
      wrong('73733b94-ee68-4a25-8f54-a3beb9866bd9', {
        answer: LONG,
        explanation: LONG.repeat(3),
      }),
      wrong('111a9fd2-2f15-4428-bc1e-df90435c3be1', { answer: '漢字'.repeat(40), target: LONG }),
      ...['b', 'c', 'd', 'e'].map((id) =>
        toCase('errored', { id: id.repeat(40), reason: 'server', explanation: LONG }),
      ),
    ];
    const lines = linesOf(failed, width);
    expect(lines).toHaveLength(3);
    expect(Math.max(...lines.map(widthOf))).toBeGreaterThan(width - 10);
  });

  test('ids, agents and what came instead of an answer are there in 80 columns', () => {
    const failed = ['small', 'large'].flatMap((agent) => [
      wrong('ticket-0001-of-the-help-desk', { agent, answer: LONG, explanation: LONG }),
      toCase('no_answer', {
        id: 'ticket-0002-of-the-help-desk',
        agent,
        answer: null,
        reason: 'no final answer',
      }),
    ]);
    const lines = linesOf(failed, 80).map((line) => line.split(/ {2,}/));
    expect(lines.map(([id, agent]) => [id, agent])).toEqual([
      [' × ticket-0001…', 'small'],
      [' × ticket-0002…', 'small'],
      [' × ticket-0001…', 'large'],
      [' × ticket-0002…', 'large'],
    ]);
    expect(lines[1]).toContain('no answer (no final answer)');
  });

  test.each([
    [['ticket-0001-of-the-help-desk', 'ticket-0002-of-the-help-desk'], 'ticket-0001…'],
    [['questions/by/topic/001', 'questions/by/topic/002'], 'questions/by…1'],
    [['73733b94-ee68-4a25-8f54-a3beb9866bd9', 'x'], '73733b9…866bd9'],
  ])('ids stay apart: %j', (ids, shown) => {
    const [line = ''] = linesOf(
      ids.map((id) => wrong(id)),
      80,
    );
    expect(line.split(/ {2,}/)[0]).toBe(` × ${shown}`);
  });
});
