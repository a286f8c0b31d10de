import { expect, test } from 'vitest';
import { type Progress, renderProgress } from './progress-line.ts';

const START: Progress = {
  suite: 'gaia',
  total: 165,
  done: 0,
  judged: 0,
  correct: 0,
  asked: 0,
  running: 0,
  spent: null,
  slowedTo: null,
  startedAt: 0,
};

test.each<[string, Partial<Progress>, number, string]>([
  ['nothing is known at the start', { running: 20 }, 500, 'gaia 0/165  20 running'],
  ['two answers tell nothing of the rest', { done: 2, asked: 2 }, 9000, 'gaia 2/165'],
  ['what is left takes as long as what was done', { done: 15, asked: 15 }, 30_000, 'gaia 15/165  about 5 min left'],
  ['recalled answers say nothing of the rest', { done: 65, asked: 10 }, 10_000, 'gaia 65/165  about 2 min left'],
  ['seconds', { done: 125, asked: 125 }, 125_000, 'gaia 125/165  about 40 s left'],
  ['hours', { done: 15, asked: 15 }, 900_000, 'gaia 15/165  about 2.5 h left'],
  ['nothing is left at the end', { done: 165, asked: 165 }, 9000, 'gaia 165/165'],
  ['accuracy is of what has a verdict', { done: 4, judged: 3, correct: 2 }, 0, 'gaia 4/165  66.7 % right so far'],
  ['a known cost is shown', { done: 1, spent: 0.0123 }, 0, 'gaia 1/165  $0.012 spent'],
  ['a lowered limit is shown', { done: 1, running: 5, slowedTo: 5 }, 0, 'gaia 1/165  5 running  rate limit: 5 at once'],
])('%s', (_, change, now, line) => {
  expect(renderProgress({ ...START, ...change }, now)).toBe(line);
});
