import { expect, it } from 'vitest';
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
];

function elapsed(output: string): number {
  const started = cpuTime();
  extractChoice(output, question);
  return cpuTime() - started;
}

it.each(UNITS)('reads a megabyte of %j in bounded time', (unit) => {
  elapsed(unit.repeat(100));
  // Measured at 35 ms or less; a quadratic step takes minutes.
  expect(elapsed(unit.repeat(1_000_000 / unit.length))).toBeLessThan(2000);
});
