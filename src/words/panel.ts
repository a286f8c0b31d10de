import type { JudgeWord } from './row.ts';

/** What a panel says together: a verdict, or a grade, which may end in .5. */
export type JoinedVerdict = 'pass' | 'fail' | number;

/**
 * The verdict of more than half of a panel, or the median of their grades if more than half give one.
 * A judge that failed or cannot tell is on no side. Null without either.
 */
export function joinVerdicts(verdicts: readonly JudgeWord[]): JoinedVerdict | null {
  const grades = verdicts.filter((one) => typeof one === 'number').toSorted((a, b) => a - b);
  if (grades.length > verdicts.length / 2) return findMedian(grades);
  const word = findMajority(verdicts);
  return word === 'pass' || word === 'fail' ? word : null;
}

/** What more than half of a panel say; null without it. */
export function findMajority<Word>(words: readonly Word[]): Word | null {
  const isMost = (word: Word) => words.filter((each) => each === word).length > words.length / 2;
  return words.find(isMost) ?? null;
}

/** The grade in the middle, which no single judge moves far; between two their mean. */
function findMedian(grades: readonly number[]): number {
  const middle = (grades.length - 1) / 2;
  const [low = 0, high = 0] = [grades[Math.floor(middle)], grades[Math.ceil(middle)]];
  return (low + high) / 2;
}

/** Whether two judges of a panel differ: in their verdicts, or by more than one grade. */
export function isSplit(verdicts: readonly JudgeWord[]): boolean {
  const grades = verdicts.filter((one) => typeof one === 'number');
  const others = new Set<JudgeWord>(verdicts.filter((one) => typeof one !== 'number'));
  const kinds = others.size + Number(grades.length > 0);
  return kinds > 1 || Math.max(...grades) - Math.min(...grades) > 1;
}
