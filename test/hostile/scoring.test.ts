import fc from 'fast-check';
import { expect, test } from 'vitest';
import { extractFinalAnswer } from '../../src/scoring/gaia/extract-final-answer.ts';
import { gradeGaia } from '../../src/scoring/gaia/grade-gaia.ts';
import { toOneForm } from '../../src/scoring/gaia/one-form.ts';
import { parsePythonFloat } from '../../src/scoring/gaia/python.ts';
import { scoreGaia } from '../../src/scoring/gaia/rules.ts';
import { compareMath } from '../../src/scoring/math/compare-math.ts';
import { gradeNumber } from '../../src/scoring/math/grade-number.ts';
import { hostileText } from './hostile-text.ts';

const RULES = [
  'official',
  'exact',
  'contains',
  'bidirectional',
  'fuzzy:0.9',
  'tolerance:1%',
  'any-of',
];
const FORMS = [
  'FINAL ANSWER: ',
  '**Answer:** ',
  '\\boxed{',
  '<answer>',
  '{"answer": "',
  '```\n',
  '\u200b',
  'e\u0301',
  '\nQuestion: ',
  'for example ',
  'boxed{',
  '{"answer": 1',
  '<|end|>',
  'is:\n',
  '$',
  '1,',
  '\\text{',
  '}',
];

/**
 * An output as a hostile agent writes it: forms of answers that begin and never end, and text that
 * breaks out.
 */
const output = fc
  .array(fc.oneof(fc.constantFrom(...FORMS), hostileText), { maxLength: 8 })
  .map((parts) => parts.join(''));

test('an answer is right by the official rule where it is the truth, unless Python reads that as NaN', () => {
  const readsAsNaN = (text: string) => Number.isNaN(parsePythonFloat(text) ?? 0);
  fc.assert(
    fc.property(output, (truth) => {
      expect(scoreGaia(truth, truth).correct).toBe(
        ![truth, ...truth.split(/[,;]/)].some(readsAsNaN),
      );
    }),
    { numRuns: 1_000, examples: [['nan'], ['1, nan'], ['$1,000%'], ['inf'], ['1e400']] },
  );
});

test('no rule throws, and the official one takes a missing answer for the text "None"', () => {
  fc.assert(
    fc.property(output, output, (answer, truth) => {
      expect(scoreGaia(null, truth).correct).toBe(scoreGaia('None', truth).correct);
      for (const rule of RULES) {
        const score = scoreGaia(answer, truth, rule);
        expect([typeof score.correct, score.answer, typeof score.explanation]).toEqual([
          'boolean',
          answer,
          'string',
        ]);
      }
    }),
    { numRuns: 500 },
  );
});

test('a grade agrees with the rule, and calls nothing right that has no answer', () => {
  fc.assert(
    fc.property(fc.oneof(output, fc.constant(null)), output, (written, truth) => {
      const { state, correct, answer, explanation } = gradeGaia(written, truth);
      expect(state === 'correct').toBe(correct);
      if (answer === null) expect(state).toBe('no_answer');
      else if (state === 'correct') expect(scoreGaia(answer, toOneForm(truth)).correct).toBe(true);
      expect(explanation).not.toBe('');
    }),
    { numRuns: 1_000 },
  );
});

test('a plain answer is found after any text', () => {
  const plain = fc
    .stringMatching(/^[a-z][a-z0-9]{3,12}$/)
    .filter((text) => !/answer|none|final|unknown/.test(text));
  fc.assert(
    fc.property(hostileText, plain, (before, answer) => {
      expect(extractFinalAnswer(`${before}\n\nFINAL ANSWER: ${answer}`).answer).toBe(answer);
    }),
    { numRuns: 500 },
  );
});

test('an explanation shows the words of the output, at their places, and one winner at most', () => {
  fc.assert(
    fc.property(output, (written) => {
      const { answer, certain, claims } = extractFinalAnswer(written, { explain: true });
      expect(extractFinalAnswer(written)).toMatchObject({ answer, certain });
      expect(claims.filter(({ won }) => won)).toHaveLength(answer === null ? 0 : 1);
      for (const { text, start, end } of claims) expect(text).toBe(written.slice(start, end));
    }),
    { numRuns: 1_000 },
  );
});

const MATHS = [
  '\\frac{',
  '1',
  '2}',
  '{',
  '}',
  '(',
  ')',
  '[',
  '\\{',
  '\\}',
  ',',
  '=',
  '<',
  '\\pm',
  '\\cup',
  '\\text{',
  'x',
  '^',
  ' ',
  '°',
  '%',
];

const formula = fc
  .array(fc.oneof(fc.constantFrom(...MATHS), hostileText), { maxLength: 12 })
  .map((parts) => parts.join(''));

test('mathematics is read whatever it looks like, and equals itself', () => {
  const unknown = { isEqual: () => null, isMultiple: () => null };
  fc.assert(
    fc.property(formula, formula, (a, b) => {
      expect([true, false, null]).toContain(compareMath(a, b, unknown));
      expect(compareMath(a, ` ${a}`, unknown)).toBe(true);
      expect(typeof gradeNumber(a, '17').correct).toBe('boolean');
    }),
    { numRuns: 2_000 },
  );
});
