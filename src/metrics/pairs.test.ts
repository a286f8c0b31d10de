import { expect, it } from 'vitest';
import { pairQuestions } from './pairs.ts';
import { toTrials } from './result.fixture.ts';

const idsOf = (pairs: readonly { readonly id: string }[]) => pairs.map(({ id }) => id);

it('pairs what both runs finished, and names the rest', () => {
  const a = [...toTrials('both', '+'), ...toTrials('gone', '+'), ...toTrials('hidden', 'u'), ...toTrials('late', '+.')];
  const b = [...toTrials('late', '++'), ...toTrials('new', '+'), ...toTrials('hidden', '+'), ...toTrials('both', '-')];
  const { finished, unfinished, onlyA, onlyB } = pairQuestions(a, b);
  expect(idsOf(finished)).toEqual(['both']);
  expect(idsOf(unfinished)).toEqual(['late', 'hidden']);
  expect([onlyA, onlyB]).toEqual([['gone'], ['new']]);
});

it.each([
  ['.', '+'],
  ['+', '+.'],
  ['u', '+'],
  ['+', 'u'],
])('%j and %j are not both finished', (a, b) => {
  expect(pairQuestions(toTrials('q', a), toTrials('q', b)).finished).toEqual([]);
});

it('counts an error as a wrong answer of a finished question', () => {
  const [pair] = pairQuestions(toTrials('q', '+'), toTrials('q', '!')).finished;
  expect(pair?.b).toMatchObject({ correct: 0, graded: 1 });
});

it('pools the trials of a question and leaves the ungraded ones out', () => {
  const [pair] = pairQuestions(toTrials('q', '+-+'), toTrials('q', '-u')).finished;
  expect([pair?.a, pair?.b]).toMatchObject([
    { correct: 2, graded: 3 },
    { correct: 0, graded: 1 },
  ]);
});

it.each([{ suite: 'mcq' }, { dataset: 'other' }])(
  'does not pair the same id of another suite or dataset: %j',
  (fields) => {
    const { finished, onlyA, onlyB } = pairQuestions(toTrials('q', '+'), toTrials('q', '+', fields));
    expect([finished, onlyA, onlyB]).toEqual([[], ['q'], ['q']]);
  },
);

it('pairs across agents and takes the group of run b', () => {
  const a = toTrials('__proto__', '+', { agent: 'old', group: 'level 1' });
  const b = toTrials('__proto__', '+', { agent: 'new', group: 'level 2' });
  expect(pairQuestions(a, b).finished).toMatchObject([{ id: '__proto__', group: 'level 2' }]);
});
