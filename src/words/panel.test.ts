import { expect, test } from 'vitest';
import { isSplit, joinVerdicts } from './panel.ts';
import type { JudgeWord } from './row.ts';

test.each<[readonly JudgeWord[], string | number | null]>([
  [['pass'], 'pass'],
  [['error'], null],
  [['pass', 'fail'], null],
  [['pass', 'pass', 'fail'], 'pass'],
  [['fail', 'error', 'fail'], 'fail'],
  [['pass', 'fail', 'cannot_tell'], null],
  [['pass', 'pass', 'fail', 'error'], null],
  [[4], 4],
  [[1, 4, 5], 4],
  [[5, 1, 5], 5],
  [[2, 5], 3.5],
  [[3, 'error', 4], 3.5],
  [[3, 'error'], null],
  [[3, 'cannot_tell', 'error'], null],
])('%j: %s', (verdicts, decided) => {
  expect(joinVerdicts(verdicts)).toBe(decided);
});

test.each<[readonly JudgeWord[], boolean]>([
  [['pass', 'pass'], false],
  [['pass', 'fail'], true],
  [[3, 4, 3], false],
  [[3, 4, 5], true],
  [[3, 'cannot_tell'], true],
])('the judges of %j differ: %s', (verdicts, differ) => {
  expect(isSplit(verdicts)).toBe(differ);
});
