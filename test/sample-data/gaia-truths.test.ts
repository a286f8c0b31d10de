import { describe, expect, it } from 'vitest';
import { GAIA_LEVEL_1 } from './gaia-level-1.ts';
import { GAIA_LEVEL_2 } from './gaia-level-2.ts';
import { GAIA_LEVEL_3 } from './gaia-level-3.ts';
import { readAttachment, readGaiaSample } from './read-gaia-sample.ts';

/**
 * Every truth of the sample can be recomputed. Where a question is prose that no program reads (clues, or numbers
 * written as words), the solver states it once more; everything else is read from the question or its attachment.
 */
const SOLVERS = { ...GAIA_LEVEL_1, ...GAIA_LEVEL_2, ...GAIA_LEVEL_3 };

const records = readGaiaSample();

describe('truths of the GAIA sample', () => {
  it.each(records)('$id: $truth follows from the question', ({ id, question, fileName, truth }) => {
    const bytes = readAttachment(fileName);
    expect(SOLVERS[id]?.(question, bytes.toString(), bytes)).toBe(truth);
  });

  it('has a solver for each record and no other', () => {
    expect(Object.keys(SOLVERS).sort()).toEqual(records.map(({ id }) => id).sort());
  });
});
