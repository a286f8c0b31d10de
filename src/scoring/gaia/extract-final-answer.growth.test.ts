import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { extractFinalAnswer } from './extract-final-answer.ts';

// A quadratic extraction of a megabyte takes minutes; a linear one below a tenth of a second on an idle machine.
describe('takes time in proportion to the text', () => {
  const units = [
    ...[
      'FINAL ANSWER:',
      'FINAL ANSWER:\n',
      'FINAL ANSWER: [YOUR FINAL ANSWER]\n',
      '\nAnswer: x',
      'Answer\n',
      'answer ',
    ],
    ...[
      '<answer>',
      '<answer></answer>',
      '</answer>',
      '<think>',
      '</think>',
      '\\boxed{',
      '\\boxed{}',
      '\\boxed{a}',
      '{',
    ],
    ...['submit("', 'submit(1', '{"answer": "', '"answer": ', 'the answer is ', 'The answer is x. ', '. ', '\\text{'],
    ...['**', '** a', '`', '$', '$ a', '$$\n', '```\n', ' ', '\n', '\\', '"', '(', 'a', '1_', '1'],
  ];

  it.each(units)('of %j', (unit) => {
    for (const prefix of ['', '<answer>', 'FINAL ANSWER: ', '{"answer": "']) {
      for (const suffix of ['', '</answer>x']) {
        const output = `${prefix}${unit.repeat(Math.ceil(250_000 / unit.length))}${suffix}`;
        const start = cpuTime();
        extractFinalAnswer(output);
        expect(cpuTime() - start).toBeLessThan(2000);
      }
    }
  });
});
