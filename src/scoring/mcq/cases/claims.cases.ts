import type { Case } from './case.ts';

/** Answers that are stated, confirmed or corrected, in JSON, or beside the options that the output repeats. */
export const claims: readonly Case[] = [
  // Words that announce the answer.
  ['rivers', 'Final answer --> B\nThe Danube goes east.', 'B'],
  ['rivers', 'A rises in the Black Forest. [Answer] B', 'B'],
  ['rivers', 'The Danube (A) goes east. So the answer, as far as the map shows, is B and nothing else.', 'B'],
  ['rivers', 'A goes east, C north. The answer follows from the length of the river and of its many side arms: B', 'B'],
  ['rivers', 'The main answer here is B, though A is longer.', 'B'],
  ['rivers', "The student's answer: A. Its fault is the direction.", null],
  ['rivers', 'Your answer: C. I see why, but I cannot say more.', null],
  ['rivers', 'The answer is not that it is A.', null],
  ['rivers, several right', 'True statements: A, D\nFalse statements: B, C', 'A,D'],
  ['rivers', 'False statement: C. It does not pass Vienna.', 'C'],
  ['rivers', 'The answer is A only if we count the delta, and we do not. The answer that counts is B.', 'B'],

  // Words that confirm an option.
  ['rivers', 'The answer seemed to be A at first sight. After a look at the map, B is the right one.', 'B'],
  ['rivers', 'I looked at the map.\n✓ B passes Cologne\nA is short', 'B'],
  ['rivers', 'I looked at both.\n✓ (B) passes Cologne\n✗ (A) does not', 'B'],
  ['rivers', 'The river:\n- [x] B: it passes Cologne, while A does not', 'B'],
  ['rivers', 'Either A or B is correct.', null],
  ['rivers', 'Exactly one of A, B, C or D is correct.', null],
  ['rivers', 'It seems to me that B or D is the correct answer.', null],
  ['rivers', 'Either A or B is the correct answer, and Cologne makes it B.', 'B'],
  ['rivers, several right', 'A is correct: it passes Vienna. C is short. D is correct as well.', 'A,D'],
  ['rivers, one right', 'A is long. B is the best option when the tide is low, as it is here.', 'B'],
  ['rivers', 'C is correct about the source, but the map speaks for B.', 'B'],
  ['rivers', 'A is the second best answer; B is the best one.', 'B'],
  ['rivers', 'We gave A the answer of yesterday. So is B the right answer today.', 'B'],

  // What follows from the words before it.
  ['rivers', 'A is short. C and D are dry. Thus, B.', 'B'],
  ['rivers', 'Option A goes east. So option B flows north, through Cologne.', 'B'],
  ['rivers', 'Only B passes Cologne; A and C do not.', 'B'],
  ['rivers', 'Only A when it rains, and only C when it snows.', null],
  ['rivers', 'I do not know whether it is A, or if it is C.', null, 'refusal'],

  // Choices.
  ['rivers', 'I am not sure about A, but I choose B.', 'B'],
  ['rivers', 'A is tempting. Still, I have to go with B.', 'B'],
  ['rivers', 'Please just choose A or wait.', null],
  ['rivers', 'It would be bold to choose A.', null],
  ['rivers', "I wouldn't simply choose A. I would choose B.", 'B'],
  ['Chinese texts', '不应该选择A。我选择B。', 'B'],

  // Corrections.
  ['rivers', 'Answer: A\n\nWait, no - I think it is B!', 'B'],
  ['rivers', 'Answer: A\n\nHmm, I would rather choose the Rhine.', 'B'],
  ['rivers', 'Answer: A\n\nHmm, Elbe and Loire are short, so A stays.', 'A'],
  ['rivers', 'The correct answer, on reflection, is B, as it flows north.', 'B'],
  ['rivers', 'Answer: A\n\nWait, B - wrong. It stays A.', 'A'],

  // JSON.
  ['rivers', '{"choice": "A", "answer": "B"}', 'B'],
  ['rivers', '{"choice": "A", "answer": "', null],
  ['rivers', '{"output": "{\\"answer\\": \\"B\\"}"}', 'B'],
  ['rivers, several right', "I take these:\n['A', 'D']", 'A,D'],
  ['rivers, several right', '[{"label": "A", "correct": true}, {"label": "B", "correct": false}]', 'A'],
  ['rivers, several right', '[{"label": "A"}, {"label": "B"}, {"label": "C"}, {"label": "D"}]', null],
  ['rivers', '[{"id": 7, "text": "Rhine"}]', 'B'],
  ['rivers', '{"answer": "B", "why": "It\'s long, \\"Father Rhine\\""}', 'B'],

  // The options, repeated.
  ['rivers', 'A. Danube\nB. Rhine\nC. Elbe\nD. Loire\n\nB', 'B'],
  ['rivers', 'B. Rhine\nA. Danube\nB. Rhine\nC. Elbe\nD. Loire', 'B'],
  ['rivers', 'A. Danube\n\nA. Danube\nB. Rhine\nC. Elbe\nD. Loire', 'A'],
  ['rivers', 'The options:\nA. Danube\nB. Rhine (my answer)\nC. Elbe\nD. Loire', 'B'],
  ['rivers', '(A) Danube (B) Rhine (C) Elbe (D) Loire - it is (D).', 'D'],
  ['rivers, several right', 'The answers are:\nA. Danube\nB. Rhine\nC. Elbe', 'A,B,C'],
  ['rivers, several right', 'The answer is A. Danube, B. Rhine, C. Elbe, D. Loire', 'A,B,C,D'],
  ['rivers', 'The options are as follows: A. Danube, B. Rhine, C. Elbe, D. Loire.', null],
  ['rivers', 'From long to short: D. Loire, C. Elbe, B. Rhine, A. Danube.', null],

  // Closing courtesy and the turns of a chat.
  ['rivers', 'B. Let me know if you want to hear more about the Elbe or the Loire!', 'B'],
  ['rivers', 'Hmm. If you need one letter: B', 'B'],
  ['rivers', '\n\nIf you have to choose, the Rhine is right.', 'B'],
  ['rivers', '<|user|>A or B?<|assistant|>B<|user|>Why not A?', 'B'],
];
