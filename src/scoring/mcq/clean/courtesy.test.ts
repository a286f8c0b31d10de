import { describe, expect, it } from 'vitest';
import { readingOf } from '../reading.fixture.ts';
import { removeCourtesy } from './courtesy.ts';

describe('removeCourtesy', () => {
  it.each([
    ['B. Let me know if you need more detail!', 'B. '],
    ['It is (B)\nI hope this helps. Feel free to ask.', 'It is (B)\n'],
    ['It is B! Would you like a map of the Rhine?', 'It is B! '],
    ['A map shows D. If you want more, ask.', 'A map shows D. '],
    ['B. Let me know if I can do more about a river. It is not I who knows.', 'B. '],
    ['B. Good luck with your exam at C-level!', 'B. '],
  ])('removes the closing words of %j', (output, rest) => {
    expect(removeCourtesy(readingOf(output)).text).toBe(rest);
  });

  it.each([
    'B is the answer.',
    '\n\nIf you have to choose, the Rhine is right.',
    'Hmm. If you need one letter: B',
    'Long. If you want the longest, choose (A) or "B".',
    'B. I hope it helps, and let me know if A or C comes up.',
    `B. If you have more time, read on. ${'It flows north. '.repeat(20)}`,
  ])('leaves %j as it is', (output) => {
    const reading = readingOf(output);
    expect(removeCourtesy(reading)).toBe(reading.cleaned);
  });

  it('looks for courtesy in the last 300 characters', () => {
    const output = (length: number) => `B. Let me know${'.'.repeat(length - 11)}`;
    expect(removeCourtesy(readingOf(output(299))).text).toBe('B. ');
    expect(removeCourtesy(readingOf(output(300))).text).toBe(output(300));
  });

  it('reads numbers that are labels', () => {
    const reading = readingOf('Hmm. If you need a number: 2', { choices: { '1': 'Danube', '2': 'Rhine' } });
    expect(removeCourtesy(reading)).toBe(reading.cleaned);
  });
});
