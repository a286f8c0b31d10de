import { describe, expect, it } from 'vitest';
import { readingOf } from '../reading.fixture.ts';
import { ledClaims } from './answer-leads.ts';
import { correctedClaims } from './corrections.ts';

/** Each claim once: two words may announce the same. */
function corrected(output: string): readonly string[] {
  const reading = readingOf(output);
  const claims = correctedClaims(reading, ledClaims(reading));
  return [...new Set(claims.map(({ value }) => ('labels' in value ? value.labels.join() : value.kind)))];
}

const FAR = 'It flows north through many a town and past a great many castles, and it is long, and it is wide. ';

describe('correctedClaims', () => {
  it.each([
    'A. Wait, B.',
    'A. Wait, no, it should be B.',
    'A. Wait - no: I think it is B!',
    'A... actually, make that B, since it is longer.',
    'A. Hmm, B is the right one.',
    'A. Correction: B',
    'A. Oops\nB',
    'A. Wait, the answer: B flows north.',
    'A. Wait, I choose B for its length.',
    'A. Wait, I choose the Rhine for its length.',
    'The correct answer, on reflection, is B as it flows north.',
  ])('reads the correction of %j', (output) => {
    expect(corrected(output)).toEqual(['B']);
  });

  it.each([
    'The answer is B.',
    'I choose B.',
    'The answer is B. Wait.',
    'I choose B. Wait.',
    `The answer is A. Wait. ${FAR}The answer is B.`,
    `I choose A. Wait. ${FAR}I choose B.`,
    'Wait, B flows north.',
    'Wait, A or B.',
    'Wait, B - wrong.',
    'Wait, B? No.',
    'Hmm, Rhine, Elbe and Loire flow north.',
    'Wait, none of the above.',
    'Hmm, the Rhine. It flows north, but is it long?',
  ])('finds none in %j', (output) => {
    expect(corrected(output)).toEqual([]);
  });
});
