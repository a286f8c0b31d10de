import { expect, test } from 'vitest';
import { readCases } from '../../test/read-cases.ts';
import { lastBox } from '../scoring/gaia/boxes.ts';
import { findAnswer } from '../scoring/gaia/extract-final-answer.ts';
import { tidyAnswer } from '../scoring/gaia/tidy-answer.ts';
import { compareFormulas } from './compare-formulas.ts';
import { gradeMath } from './grade-math.ts';

type Case = Readonly<{
  answer: string;
  target: string;
  equal: boolean;
  case: string;
}>;

const cases = readCases<Case>('math.cases.jsonl', import.meta.url);

// docs/scoring.md shows the verdicts of the pairs as they are.
test('agrees with the expected verdicts of made-up pairs where sides are swapped and the answer was found in an output', async () => {
  const pairs = cases.map(({ answer, target }) => {
    const found = findAnswer(`Hence the answer is $\\boxed{${answer}}$.`).answer ?? '';
    return [tidyAnswer(lastBox(target) ?? target), found] as const;
  });
  const verdicts = await compareFormulas(pairs, 120_000);
  expect(cases.filter(({ equal }, i) => verdicts[i] !== equal)).toEqual([]);
});

test('reads what a sentence or a conclusion states, and no value that differs', async () => {
  const outputs = readCases<Readonly<{ output: string; target: string; correct: boolean }>>(
    'math-outputs.cases.jsonl',
    import.meta.url,
  );
  const grades = await Promise.all(outputs.map(({ output, target }) => gradeMath(output, target)));
  expect(outputs.filter(({ correct }, i) => grades[i]?.correct !== correct)).toEqual([]);
});

test('says of a formula in a concluding sentence that it is uncertain', async () => {
  expect(
    await gradeMath('I solve.\nThus the value of $x$ is $\\frac{3}{7}$.', '3/7'),
  ).toMatchObject({
    correct: true,
    answer: '\\frac{3}{7}',
    how: 'concluding sentence',
    certain: false,
  });
});

test('treats what cannot be computed as a different value', async () => {
  const answers = [
    '10^{10^{10}}',
    `${'('.repeat(900)}x${')'.repeat(900)}`,
    `${'x+'.repeat(500_000)}1`,
    '\\frac{1}{',
  ];
  const verdicts = await compareFormulas(answers.map((answer) => [answer, '\\sqrt{2}+x']));
  expect(verdicts).toEqual([false, false, false, false]);
});

test.each([
  [
    'I get \\boxed{\\frac{\\sqrt{2}}{2}}.',
    '1/sqrt(2)',
    'correct',
    '"\\\\frac{\\\\sqrt{2}}{2}" is equal to "1/sqrt(2)"',
  ],
  ['So \\boxed{4}, \\boxed{5} and \\boxed{6}.', '6', 'incorrect', '"4, 5, 6" is not equal to "6"'],
  [
    'So \\boxed{4}, \\boxed{5} and \\boxed{6}.',
    '4,5,6',
    'correct',
    '"4, 5, 6" is equal to "4,5,6"',
  ],
  ['So $p=\\boxed{4}$ and $q=\\boxed{5}$.', '4,5', 'correct', 'is equal to'],
  ['So $\\boxed{\\mathrm{e}^2}$.', '\\mathrm{e}^2', 'correct', 'is equal to'],
  ['It opens at \\boxed{9\\text{ a.m.}}.', '9\\text{ a.m.}', 'correct', 'is equal to'],
  ['They agree.\n#### 42', '42', 'correct', '"42" is equal to "42"'],
  [
    'FINAL ANSWER: 0.5000000001',
    '\\frac12',
    'incorrect',
    '"0.5000000001" is not equal to "\\\\frac12"',
  ],
  ['', '5', 'no_answer', 'empty'],
])('grades %j against %j', async (output, target, state, explanation) => {
  const grade = await gradeMath(output, target);
  expect(grade).toMatchObject({ state, correct: state === 'correct', rule: 'math' });
  expect(grade.explanation).toContain(explanation);
});
