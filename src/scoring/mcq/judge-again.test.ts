import { expect, it } from 'vitest';
import { gradeMcq, judgeMcq } from './grade-mcq.ts';

const metals = { A: 'iron', B: 'gold', C: 'tin' };

it('gives the same verdict for the same question, which the matcher asks again', () => {
  const first = judgeMcq('B', 'B', { choices: metals });
  expect(judgeMcq('B', 'B', { choices: metals })).toBe(first);
});

it('judges anew with other options, and where the bare answer is asked for', () => {
  const swapped = { A: 'gold', B: 'iron', C: 'tin' };
  expect(gradeMcq('gold', 'B', { choices: metals }).correct).toBe(true);
  expect(gradeMcq('gold', 'B', { choices: swapped }).correct).toBe(false);
  expect(gradeMcq('The answer is B.', 'B', { choices: metals }).correct).toBe(true);
  expect(gradeMcq('The answer is B.', 'B', { choices: metals }, { extract: false }).correct).toBe(false);
});

it('judges anew when a list of truths has changed', () => {
  const target = ['A'];
  expect(gradeMcq('B', target, { choices: metals }).correct).toBe(false);
  target[0] = 'B';
  expect(gradeMcq('B', target, { choices: metals }).correct).toBe(true);
});

it('explains what alone is missing, what alone is wrong, and several of each', () => {
  const explain = (output: string, target: string) =>
    gradeMcq(output, target, { choices: { ...metals, D: 'zinc' } })
      .explanation.split(': ')
      .at(-1);
  expect(explain('A', 'A,B')).toBe('missing B');
  expect(explain('A, B', 'A')).toBe('wrong B');
  expect(explain('A, B', 'C,D')).toBe('missing C, D; wrong A, B');
});

it('says that there was no output', () => {
  expect(gradeMcq(null, 'A', { choices: metals })).toMatchObject({ how: 'no output', state: 'no_answer' });
});
