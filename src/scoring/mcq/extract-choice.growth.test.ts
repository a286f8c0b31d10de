import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { extractChoice } from './extract-choice.ts';

const question = { choices: { A: 'Danube', B: 'Rhine', C: 'Elbe', D: 'Loire' } };
const UNITS = [
  'answer ',
  'the answer is ',
  'A ',
  'A, ',
  'A or B ',
  '{',
  '"answer": "',
  '\\boxed{',
  '<think>',
  '</think>',
  '<answer>',
  '\n',
  ' ',
  'A. Danube\nB. Rhine\nC. Elbe\n',
  'none of the ',
  'not ',
  '(',
  '(A)',
  'A is correct ',
  'A is wrong. ',
  '答案是',
  '_',
  '*',
  '~',
  "'",
  '.',
  '1,234',
  'a\u0301',
  '\u200b',
  'so ',
  'wait, actually A ',
  'if the answer would be A ',
  'Danube ',
  '\ufdfa',
  '\ufb03',
  '\uff21',
  'the second option ',
  'all except A ',
  '| A | true |\n',
  'A: true, B: false; ',
  '- [x] Danube\n',
  'not B ',
  'at first A, ',
  'Let me know. ',
  'A-C ',
  'I reject option B ',
  'not a, not b - ',
  'Danube, ',
  '- \u2713 A ',
  '\uff21\u3002',
  '\u00bd',
  'A is wrong, B is right; ',
  '{"answer": "A"} ',
  '"answer": ["A", ',
  '<think>a</think>',
  '**A** ',
  '"',
  '\ud800',
  '\r\n',
  'ABCD ',
  '\nQuestion: A',
  '<|im_end|>',
  '[[',
  'La respuesta es ',
  'I cannot ',
  'maybe A. ',
  'A and B seem most very likely ',
  'Danube (A) and ',
  "I can't help. None of the above. ",
  'torn between A and B. ',
  'Danube or Rhine ',
  'kann ich das so auch nicht ',
  'as an ai ',
];

/** The least of three measurements: a collection of garbage may fall into one of them. */
function leastTime(output: string): number {
  return Math.min(...[1, 2, 3].map(() => elapsed(output)));
}

function elapsed(output: string): number {
  const started = cpuTime();
  extractChoice(output, question);
  return cpuTime() - started;
}

function repeated(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length));
}

// The first pair lies within the window that is read, the second beyond it.
describe.each([
  [4_000, 32_000],
  [128_000, 1_024_000],
])('from %i to %i characters', (small, large) => {
  it.each(UNITS)('reading %j takes eight times as long, and not sixty-four', (unit) => {
    elapsed(repeated(unit, small));
    expect(leastTime(repeated(unit, large))).toBeLessThan(20 * leastTime(repeated(unit, small)));
  });
});

// A pattern that shares the digits out between numbers needs twice as long for each further digit.
it('reading twenty-eight digits in a list that does not end takes no time', () => {
  expect(elapsed(`{"answer": [${'1'.repeat(28)}x`)).toBeLessThan(2_000);
});
