import { expect, it } from 'vitest';
import { makeRun } from '../../test/make-run.ts';
import { readRun } from '../store/run-reader.ts';
import { evaluate } from './evaluate-run.ts';
import { toResult } from './result.fixture.ts';

const rows = ['spam', 'ham', 'spam', 'ham'].map((target, index) =>
  toResult('correct', { id: `q${index}`, target }),
);

it('names the labels of a suite only to those who may see its records', () => {
  const folder = makeRun(rows, { end: {} });
  const [hidden, shown] = [true, false].map((ci) => {
    const { summary } = evaluate(readRun(folder, { ci }), { calibrationOf: () => null });
    return summary.suites[0];
  });
  expect(shown?.labels?.each.map(({ label }) => label)).toEqual(['ham', 'spam']);
  expect(hidden).not.toHaveProperty('labels');
  expect(hidden?.groups.at(-1)?.macro_f1).toBe(1);
});
