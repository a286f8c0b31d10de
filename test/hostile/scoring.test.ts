import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extractFinalAnswer } from '../../src/scoring/gaia/extract-final-answer.ts';
import { gradeGaia } from '../../src/scoring/gaia/grade-gaia.ts';
import { parsePythonFloat } from '../../src/scoring/gaia/python.ts';
import { judgeGaia, scoreGaia } from '../../src/scoring/gaia/rules.ts';
import { hostileText } from './hostile-text.ts';

const RULES = ['official', 'exact', 'contains', 'bidirectional', 'fuzzy:0.9', 'tolerance:1%', 'any-of'];

const FORMS = [
  'FINAL ANSWER: ',
  '**Answer:** ',
  '\\boxed{',
  '<answer>',
  '{"answer": "',
  '```\n',
  '$',
  '1,',
  '\\text{',
  '}',
];

/** An output as a hostile agent writes it: forms of answers that begin and never end, and text that breaks out. */
const output = fc
  .array(fc.oneof(fc.constantFrom(...FORMS), hostileText), { maxLength: 8 })
  .map((parts) => parts.join(''));

/** Python's NaN equals nothing, itself included: no answer to such a truth is right. */
function holdsNaN(truth: string): boolean {
  return [truth, ...truth.split(/[,;]/)].some((part) => Number.isNaN(parsePythonFloat(part) ?? 0));
}

describe('the official rule', () => {
  test('takes every truth for an answer to itself, unless Python reads it as NaN', () => {
    fc.assert(
      fc.property(output, (truth) => {
        expect(scoreGaia(truth, truth).correct).toBe(!holdsNaN(truth));
      }),
      { numRuns: 1_000, examples: [['nan'], ['1, nan'], ['$1,000%'], ['inf'], ['1e400']] },
    );
  });

  test('takes no answer for the text "None", and never throws', () => {
    fc.assert(
      fc.property(output, output, (answer, truth) => {
        expect(scoreGaia(null, truth).correct).toBe(scoreGaia('None', truth).correct);
        for (const rule of RULES) {
          const score = scoreGaia(answer, truth, rule);
          expect([typeof score.correct, score.answer, typeof score.explanation]).toEqual(['boolean', answer, 'string']);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('says the same of an answer in the form that it compares', () => {
    const texts = fc
      .tuple(output, output)
      .filter(([, truth]) => parsePythonFloat(truth) === null && !/[,;]/.test(truth));
    fc.assert(
      fc.property(texts, ([answer, truth]) => {
        const { correct, received } = judgeGaia(answer, truth);
        const again = judgeGaia(received, truth);
        expect([again.correct, again.received]).toEqual([correct, received]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('extraction and grading', () => {
  test('agree with the rule, and call nothing right that has no answer', () => {
    fc.assert(
      fc.property(fc.oneof(output, fc.constant(null)), output, (said, truth) => {
        const { state, correct, answer, explanation } = gradeGaia(said, truth);
        expect(state === 'correct').toBe(correct);
        if (answer === null) expect(state).toBe('no_answer');
        else if (state === 'correct') expect(scoreGaia(answer, truth).correct).toBe(true);
        expect(explanation).not.toBe('');
      }),
      { numRuns: 1_000 },
    );
  });

  test('find a plain answer behind whatever came before', () => {
    const plain = fc.stringMatching(/^[a-z][a-z0-9]{3,12}$/).filter((text) => !/answer|none|final|unknown/.test(text));
    fc.assert(
      fc.property(hostileText, plain, (before, answer) => {
        const found = extractFinalAnswer(`${before}\n\nFINAL ANSWER: ${answer}`);
        expect(found.answer).toBe(answer);
      }),
      { numRuns: 500 },
    );
  });
});
