import { expect } from 'vitest';
import { defineEval } from 'viva';

// The criteria say what the rubric of the official grader says, in other words.
const ATTEMPTED =
  'The answer states what the question asks for, or it states something that contradicts the reference, also as a guess. ' +
  'It does not if it says that it does not know, refuses, or leaves the important part of the reference out without ' +
  'contradicting it, such as "more than 50" where the reference is 120.';
const CORRECT =
  'The answer has the important part of what the reference says, and nothing that contradicts it. ' +
  'Case, punctuation, grammar, order, small slips in the spelling of a name, and further details do not count. ' +
  'Doubts do not count either, if the right answer is among what it says and nothing contradicts it. ' +
  'What the question does not ask for, or already says, may be missing: a city is enough for "city, state" where the ' +
  'question asks for a city, and a number for one with its unit. A number is right if it rounds to the reference at the ' +
  'last digit that counts in the reference, or is within the rounding that the question implies: for "120 thousand", 115 ' +
  'to 124 thousand are right, 113 and 100 thousand are not.';

await defineEval('simpleqa', {
  data: './made-up.csv',
  map: ({ metadata, problem, answer }, index) => {
    const [, group = null] = /'topic': '([^']*)'/.exec(metadata) ?? [];
    return { id: index + 1, input: problem, target: answer, group };
  },
  prompt: '{{question}}',
  agent: 'replay:./predictions.jsonl',
  score: async ({ output }) => {
    const isAttempt = await expect(output)
      .toPassJudge(ATTEMPTED)
      .then(
        () => true,
        () => false,
      );
    if (!isAttempt)
      return { state: 'no_answer', reason: 'not_attempted', explanation: 'it is no attempt' };
    await expect(output).toPassJudge(CORRECT);
    return true;
  },
});
