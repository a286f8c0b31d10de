import { describe, expect, it } from 'vitest';
import { MCQ_COMPUTING } from './mcq-computing.ts';
import { MCQ_STATISTICS } from './mcq-statistics.ts';
import { MCQ_TIME } from './mcq-time.ts';
import { findRight } from './option-checks.ts';
import { readMcqSample } from './read-mcq-sample.ts';

const CHECKS = { ...MCQ_STATISTICS, ...MCQ_COMPUTING, ...MCQ_TIME };

/** Truths that no program works out, and why they are beyond dispute. */
const JUDGED_BY_READING: Readonly<Record<string, string>> = {
  Q12: 'Only a draw by lot from the register of all adults gives each adult the same chance; the other ways favour some.',
  Q25: 'Each of the five file name extensions stands for an image format.',
};

const rows = readMcqSample();

describe('truths of the multiple-choice sample', () => {
  it.each(rows.filter(({ id }) => CHECKS[id]))('$id: $truth follows from the question', (row) => {
    const check = CHECKS[row.id]?.(row.context);
    expect(check && findRight(row, check)).toEqual(row.right);
  });

  it('works out each truth or says why not', () => {
    const known = [...Object.keys(CHECKS), ...Object.keys(JUDGED_BY_READING)];
    expect(known.sort()).toEqual(rows.map(({ id }) => id).sort());
  });
});
