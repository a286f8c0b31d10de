import type { Case } from './case.ts';

/** What stands after a conclusion, conditions with "would", second thoughts with a reason in between, options told by text. */
export const secondThoughts: readonly Case[] = [
  ['rivers', 'A, B and D are true. C is false. So the answer is C. That fits the question best.', 'C'],
  ['rivers', 'A, B and D are true. The answer is C. That fits the question best.', 'C'],
  ['rivers', 'A and B can be ruled out. The answer is C. This is the false statement.', 'C'],
  [
    'stones, several right',
    'Options A, C and D can be ruled out, leaving B and E. That fits the question best.',
    'B,E',
  ],
  ['stones, several right', 'A. Slate – split in sheets ✗\nB. Granite – from magma ✓\nC. Lime – from shells ✗', 'B'],
  ['rivers', "The answer is A. Wait, no, the Danube is only the longest. It's C.", 'C'],
  ['rivers', 'The answer is A. Wait, the Danube is only the longest. So it must be C.', 'C'],
  ['rivers', 'If it went north, it would be C. But it goes west, which leaves one: D.', 'D'],
  ['rivers', 'At low water it would be C, while in spring it may be another.', null],
  ['rivers', 'Answer: B\n\nActually, for Vienna the answer would be A.', 'B'],
  ['rivers', 'If it lies in the west, the answer is D; if in the east, it is A.', 'D'],
  ['rivers', 'B is the river that passes Cologne. A and C are not near.', 'B'],
  ['rivers', 'B really makes no sense.', null],
  ['yes or no', 'Let me look at the options.\n\nNo. The contract was never signed.', null],
  ['yes or no', '- No. The contract was never signed.', null],
  ['three sums', 'First, 12 + 3 = 15. Then 3 × 6 = 18', 'C'],
  ['three sums', 'The answer is -3.', 'D'],
  ['three sums', 'The answer is 12. Checked: the answer is -3.', 'D'],
  ['three keys', 'A minor has no sharps.', 'B'],
  ['vitamins by text', 'Vitamin B12, because a strict diet lacks it. Vitamin D or A would give other signs.', 'B'],
  ['four metals', 'Zinc. Not to be confused with tin, which is dearer.', 'B'],
  ['four metals, several right', 'Iron, zinc and tin. Copper stayed green.', 'A,B,D'],
  ['four metals', 'Not iron, as the colours differ, as all angles are right. Zinc.', 'B'],
];
