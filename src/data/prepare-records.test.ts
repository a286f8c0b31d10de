import { expect, test } from 'vitest';
import { toRecordsDataset } from './load.ts';

function read(record: object) {
  return toRecordsDataset([{ id: 'q', target: 't', ...record }], 'own', '/own.eval.ts').samples[0];
}

test.each([
  ['turns', { turns: ['Hi', 'And you?'] }, 'Hi\n\nAnd you?', ['Hi', 'And you?']],
  ['one turn', { turns: ['Hi'] }, 'Hi', ['Hi']],
  ['a goal alone, whose user speaks first', { goal: 'A cake.' }, 'A cake.', []],
  ['a goal and an input', { goal: 'A cake.', input: 'Hi' }, 'Hi', undefined],
  ['a number of turns beside an input', { turns: 3, input: 'Hi' }, 'Hi', undefined],
])('reads %s', (_, record, input, turns) => {
  expect(read(record)).toMatchObject({ input, target: 't' });
  expect(read(record)?.turns).toEqual(turns);
});

test.each([
  [
    'turns beside an input',
    { turns: ['Hi'], input: 'Hi' },
    '"turns" is given together with an input',
  ],
  ['no turns', { turns: [] }, '"turns" must be 1 to 100 strings, got []'],
  ['101 turns', { turns: Array(101).fill('Hi') }, 'strings, got ["Hi",'],
  ['an empty turn', { turns: ['Hi', ' '] }, 'strings, got ["Hi"," "]'],
  ['turns that are not strings', { turns: [{ role: 'user' }] }, 'strings, got [{'],
])('refuses %s', (_, record, problem) => {
  expect(() => read(record)).toThrow(problem);
});
