import { describe, expect, it } from 'vitest';
import type { ChoiceQuestion } from '../extraction.ts';
import { readingOf } from '../reading.fixture.ts';
import { ledClaims } from './answer-leads.ts';

/** Every claim with its labels or its kind, and how firmly it is introduced; "correct answer" introduces it twice. */
function led(output: string, question?: ChoiceQuestion): readonly string[] {
  const claims = ledClaims(readingOf(output, question)).map(({ value, onLine, conditional }) => {
    const told = 'labels' in value ? value.labels.join() : value.kind;
    return `${told}${onLine ? ' line' : ''}${conditional ? ' if' : ''}`;
  });
  return [...new Set(claims)];
}

describe('ledClaims', () => {
  it.each([
    ['Answer: B', 'B line'],
    ['So, the correct answer: B', 'B line'],
    ['Therefore, my final answer is: B', 'B'],
    ['La réponse : B', 'B line'],
    ['最正确的答案：B', 'B line'],
    ['Answer (final): B', 'B line'],
    ['[Answer] B', 'B line'],
    ['Answer(s): A, C', 'A,C line'],
    ['"Answer": B', 'B line'],
    ['Answer | B', 'B line'],
    ['Answer = B', 'B line'],
    ['Answer == B', 'B line'],
    ['Answer -> B', 'B line'],
    ['Answer --> B', 'B line'],
    ['Answer - B', 'B line'],
    ['Answer\nB', 'B line'],
    ['Answer\n\n\nB', 'B line'],
    ['Correct: B', 'B line'],
    ['I would say, answer: B', 'B'],
    ['As for the correct option: B', 'B'],
    ['As for the correct one - B', 'B'],
    ['I think the answer is B.', 'B'],
    ["I think the answer's B.", 'B'],
    ['The correct option is B.', 'B'],
    ['The answer that is right is B.', 'B'],
    ['The answer that is longest is B.', 'B'],
    ['The answer after a look at the map: B, not A.', 'B'],
    ['The answer, as far as the map goes, is (B).', 'B'],
    ['The answer follows from the length of the river and of its many side arms in the plain: B', 'B'],
    ['The answer after a look at the map: none of the above', 'none'],
    ['The answer is none of the above.', 'none'],
    ['I give the answer B.', 'B'],
    ['I give the answer B!', 'B'],
    ['I give the answer B; it is long.', 'B'],
    ['(I give the answer B)\nIt is long.', 'B'],
    ['I give the answer B,\nfor it is long.', 'B'],
    ['I give the answer B\nIt is long.', 'B'],
    ['I give the answer (B)', 'B'],
    ['In the end the answer: B', 'B'],
    ['The main answer is B.', 'B'],
    ['If it rained, the answer would be B.', 'B if'],
  ])('reads %j as %j', (output, claim) => {
    expect(led(output)).toEqual([claim]);
  });

  it.each([
    'The wrong answer: B',
    'Not an answer: B',
    'Not a correct option: B',
    'Not the answer: B',
    "The student's answer: B",
    'Another answer: B',
    'A possible answer: B',
    'Sample answer: B',
    'Your answer: B',
    'I cannot answer: B',
    'The least correct: B',
    '错误答案：B',
    '不正确：B',
    'The answer is not that it is B.',
    "The answer isn't that it is B.",
    'If the answer, and not only its start, is B, then we see it.',
    'The answer, if it is B, is long.',
    'Le réponse n’est pas : B',
    '答案不会是 B',
    'The best of it is none of the above.',
    'The best way to look at it: B is long.',
    'The best B.',
    'It is correct, and so is option B.',
    'It is correct, as is B.',
    'I give the answer B and go on.',
    'I give the answer B, and go on.',
    'I give the answer B) and go on.',
    'I give the answer B is wrong.',
    'My answer Rhine.',
    'Answer: B? No.',
  ])('reads nothing from %j', (output) => {
    expect(led(output)).toEqual([]);
  });

  it('reads each answer of several', () => {
    expect(led('Answer: A\n\nNo, the answer is B.')).toEqual(['A line', 'B']);
  });

  it('takes true statements for the answer rather than false ones', () => {
    expect(led('True statements: A, D\nFalse statements: B, C')).toEqual(['A,D line']);
    expect(led('False statement: B')).toEqual(['B line']);
    expect(led('Correct, as I said, is A.\nFalse statement: B')).toEqual(['A', 'B line']);
  });
});
