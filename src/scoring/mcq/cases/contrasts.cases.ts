import type { Case } from './case.ts';

/** One option set against another, told in a row with others, or told only to be left behind. */
export const contrasts: readonly Case[] = [
  // What is said after "unlike A" is said of the option before it.
  ['rivers', 'Option C, unlike option A, is the right one.', 'C'],
  ['rivers', 'C, unlike A, is the right one.', 'C'],
  ['rivers', 'Option C, unlike options A and B, is correct.', 'C'],
  ['rivers', 'Option C (unlike option A) is right.', 'C'],
  ['rivers', 'So C, as opposed to A or B, is the correct answer.', 'C'],
  ['rivers', 'Option C, in contrast to option A, is the right one.', 'C'],
  ['rivers', 'C rather than A is the correct answer.', 'C'],
  ['rivers', 'C and not A is right.', 'C'],
  ['rivers', 'C, nicht A, ist richtig.', 'C'],
  ['rivers', 'Unlike option A, option C is right.', 'C'],
  ['rivers', 'Option C, unlike option A, is not right.', null],
  ['rivers', 'Option C, unlike option A, is wrong.', null],

  // "One of B and D" is neither of them.
  ['rivers', 'Only one of B and D is right.', null],
  ['rivers', 'Exactly one of B and D is true.', null],
  ['rivers', 'Only one of A, B and D is right.', null],
  ['rivers', 'Only one of options B and D is the right one.', null],
  ['rivers', 'Neither of B and D is right.', null],
  ['rivers', 'Either of the B and D is right.', null],
  ['rivers', 'Eine von B und D ist richtig.', null],
  ['rivers', 'Solo una de B y D es correcta.', null],
  ['rivers', 'One of A and C is correct, and A is too long, so C.', 'C'],
  ['rivers', 'Both of A and C are correct.', 'A,C'],

  // Something is said of each option in turn.
  ['rivers', '(A) passes Vienna; (B) passes Cologne.', null],
  ['rivers', '(A) passes Vienna. (B) passes Cologne.', null],
  ['rivers', 'A) passes Vienna\nB) passes Cologne', null],
  ['rivers', 'A: it passes Vienna, B: it passes Cologne.', null],
  ['rivers', '(A) passes Vienna; (B) passes Cologne. The question asks for Vienna, so A.', 'A'],
  ['rivers', '(A) passes Vienna; (B) passes Cologne. I know little of (D) myself.', null],
  ['rivers', '(A) fits best, while (B) passes Cologne.', 'A'],
  ['rivers', '(A) because it passes Vienna. (B) passes Cologne.', 'A'],
  ['rivers', '(A) passes Vienna, which (B) passes far from.', 'A'],
  ['rivers', '(A) passes Vienna. (C) passes Hamburg.', 'A'],
  ['rivers', '(A) The Danube passes Vienna; (B) passes Cologne only.', 'A'],

  // A ranking does not choose all of its options.
  ['rivers', 'Ranked by fit: C, A, D, B', null],
  ['rivers', 'In order of likelihood: C, A, D', null],
  ['rivers', 'My list: C, A, D, B', null],
  ['rivers', 'Ranked first: C', 'C'],
  ['rivers, several right', 'Ranked by fit: C, A, D.', null],
  ['rivers, several right', 'Ranking: (C), (A)', null],
  ['rivers, several right', 'So we get: C, A, D.', 'A,C,D'],
  ['rivers, several right', 'So we get: A, B, C, D.', 'A,B,C,D'],

  // The label only goes with its text, and another text is the answer.
  ['rivers', 'The Elbe (C) is far away. The river is the Rhine.', 'B'],
  ['rivers', 'The Elbe (C) is far away. The river is the Rhine, not the Loire.', 'B'],
  ['rivers', 'Of all rivers here, one is far away: the Elbe (C). The river is the Rhine.', 'B'],
  ['Chinese texts', '长江(A)很远。这条河是黄河。', 'B'],
  ['four metals', 'Copper (C) is too soft. The metal is iron.', 'A'],
  ['rivers', 'The Elbe (C) passes Hamburg. The river is long.', 'C'],
  ['rivers', 'The Elbe (C) passes Hamburg. It is the Elbe.', 'C'],
  ['rivers', 'The Elbe (C) passes Hamburg. The Rhine does not.', 'C'],
  ['rivers', 'The river near Vienna is the Danube. The Elbe (C) passes Hamburg.', 'C'],
  ['rivers', 'Beside the Elbe stands option (C). The river near Vienna is the Danube.', 'C'],

  // Where several may be right, one of several texts is not the whole answer.
  ['four metals, several right', 'Zinc. Iron occurs too.', null],
  ['four metals, several right', 'Zinc, because it is light; iron, because it is hard.', null],
  ['four metals, several right', 'The roof may be zinc. It could also be tin here.', null],
  ['dairy, several right', '10. Cheese has it. 11. Milk has more.', null],
  ['dairy, several right', 'Cheese and milk\nBoth contain lactose.', 'A,C'],
  ['four metals', 'The roof may well need zinc. It rains on it and on tin here.', 'D'],
  ['four metals', 'Iron and zinc are metals of the blood.', null],

  // One text is left when the others are denied, and another sentence stands last.
  ['four metals', 'Iron is what blood has, whereas zinc can not carry oxygen.', 'A'],
  ['four metals', 'Blood holds iron, and zinc is not in it.', 'A'],
  ['two options with one text', 'I noted first:\nA. it rises\nNo, not here: it falls.\nThe coast is near.', 'B'],
  ['four sums', 'Starting from 45 the sum is 47 as said.', 'B'],

  // The subject of a first sentence is no answer while one is told after it.
  ['rivers', 'A is in Austria. The answer is the Rhine.', 'B'],
  ['rivers', 'Option A passes Vienna; C does not. The answer is the Rhine.', 'B'],
  ['rivers, one right', 'It is the Rhine. Option C passes Hamburg.', 'B'],

  // What stands beside the only option that is spoken of.
  ['rivers, several right', 'Look at options A and C. Yet A is wrong.', null],
  ['rivers, several right', 'Options A and C are short. Options B and D are long. But A is wrong.', null],
  ['rivers', 'Look at option C. Nothing speaks for (A).', 'C'],
  ['rivers', 'Look at option C: it passes Hamburg, while B runs past Cologne.', 'C'],
  ['rivers', 'Option C is possible, but I feel for B', null],
  ['rivers', 'Option C is possible, but I feel for B.', null],

  // Signs before an answer may belong to it, or not.
  ['sets of numbers', 'The answer is {1, 3}.', 'B'],
  ['rivers', '**Answer:**\n-B', 'B'],

  // Lines that are bullets, but no options.
  ['rivers, several right', 'Two reasons:\n- it is long\n- it is old\nBoth fit:\nDanube\nElbe\n', 'A,C'],

  // An instruction is no answer.
  ['rivers', 'Reply with one line, e.g. the answer is B.', null],
  ['rivers', 'Reply with one line, e.g. "The answer is B".', null],
  ['rivers', 'Some rivers are longer, e.g. the Danube. The answer is B.', 'B'],
];
