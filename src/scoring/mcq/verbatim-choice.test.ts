import { expect, it } from 'vitest';
import { verbatimChoice } from './verbatim-choice.ts';

const metals = { A: 'iron', B: 'gold' };
const closed = { ...metals, C: 'All of the above', D: 'None of the above' };

it.each([
  ['B', metals, ['B'], 'answered'],
  ['A;B', metals, ['A', 'B'], 'answered'],
  ['gold', metals, ['B'], 'answered'],
  ['ALL', metals, ['A', 'B'], 'answered'],
  ['ALL', closed, ['C'], 'answered'],
  ['ALL', undefined, ['ALL'], 'answered'],
  ['NONE', metals, null, 'none_stated'],
  ['NONE', closed, ['D'], 'answered'],
  ['I think it is B', metals, null, 'no_answer'],
  ['', metals, null, 'no_answer'],
])('reads %j with the options %j as %j: %s', (answer, choices, labels, state) => {
  expect(verbatimChoice(answer, choices === undefined ? {} : { choices })).toEqual({
    choices: labels,
    state,
    how: 'as given',
    span: null,
    confidence: null,
  });
});
