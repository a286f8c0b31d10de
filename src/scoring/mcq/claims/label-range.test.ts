import { describe, expect, it } from 'vitest';
import { readingOf } from '../reading.fixture.ts';
import { labelRangeAt } from './label-range.ts';

/** What is read from the bar on. */
function rangeIn(marked: string, multiple = true): string | null {
  const reading = readingOf(marked.replace('|', ''), { multiple });
  const at = marked.indexOf('|');
  const range = labelRangeAt(reading, at);
  return range === null ? null : `${range.labels.join('')}: ${reading.text.slice(at, range.end)}`;
}

describe('labelRangeAt', () => {
  it.each([
    ['the right ones are |A-C', 'ABC: A-C'],
    ['|(A) through (D).', 'ABCD: (A) through (D)'],
    ['|"B" to "D"', 'BCD: "B" to "D"'],
    ['|B–D', 'BCD: B-D'],
    ['it is |B-D, as', 'BCD: B-D'],
    ['A, and |B-D', 'BCD: B-D'],
    ['|A - C', 'ABC: A - C'],
    ['|A\n- C', null],
    ['it is |B-C', null],
    ['it is |D-A', null],
    ['it is |E-B', null],
    ['it is |B-E', null],
    ['it is |B', null],
    ['it is |B, not A-C', null],
    ['it is |b-d', null],
    ['vitamin-|A-C', null],
    ['1.|A-C', null],
    ['x_|A-C', null],
    ['x|A-C', null],
    ['3|A-C', null],
    ['it is |A-C3', null],
    ['it is |A-C-E', null],
  ])('reads a range of three or more: %s', (marked, range) => {
    expect(rangeIn(marked)).toBe(range);
  });

  it('reads none where one option is right', () => {
    expect(rangeIn('|A-C', false)).toBeNull();
  });
});
