import { describe, expect, it } from 'vitest';
import { applyEdits, originalSpan, replaceTracked, track } from './tracked-text.ts';

const raw = 'The **answer** is Ⅳ.';

describe('tracked text', () => {
  it('gives every sign of the new text its place in the raw one', () => {
    const bare = replaceTracked(track(raw), /\*\*|Ⅳ/gu, ([sign]) => (sign === '**' ? '' : 'IV'));
    expect(bare.text).toBe('The answer is IV.');
    expect([...(bare.origins ?? [])]).toEqual([0, 1, 2, 3, 6, 7, 8, 9, 10, 11, 14, 15, 16, 17, 18, 18, 19]);
    expect(originalSpan(bare, 4, 10)).toEqual([6, 12]);
    expect(originalSpan(bare, 14, 16)).toEqual([18, 19]);
  });

  it('keeps the places through a second change', () => {
    const first = applyEdits(track(raw), [{ start: 0, end: 6, text: '' }]);
    const second = applyEdits(first, [{ start: 0, end: 6, text: 'The answer' }]);
    expect(second.text).toBe('The answer** is Ⅳ.');
    expect(originalSpan(second, 0, 10)).toEqual([6, 7]);
    expect(originalSpan(second, 16, 17)).toEqual([18, 19]);
  });

  it('leaves what a shorter text keeps of an old one at its place', () => {
    const bare = applyEdits(track('say \\text{B}!'), [{ start: 4, end: 12, text: 'B' }]);
    expect(originalSpan(bare, 4, 5)).toEqual([10, 11]);
    const words = applyEdits(track('say \\text{12 m}, 12 m**'), [
      { start: 4, end: 15, text: '12 m' },
      { start: 17, end: 23, text: '12 m' },
    ]);
    expect(words.text).toBe('say 12 m, 12 m');
    expect(originalSpan(words, 4, 8)).toEqual([10, 14]);
    expect(originalSpan(words, 5, 7)).toEqual([11, 13]);
    expect(originalSpan(words, 10, 14)).toEqual([17, 21]);
    const other = applyEdits(track('say \\text{B}!'), [{ start: 4, end: 12, text: 'XY' }]);
    expect(originalSpan(other, 4, 6)).toEqual([4, 5]);
    expect(originalSpan(other, 6, 7)).toEqual([12, 13]);
  });

  it('is the same text where nothing is changed', () => {
    const source = track(raw);
    expect(replaceTracked(source, /answer|x/gu, ([sign]) => sign)).toBe(source);
    expect(source.origins).toBeNull();
    expect(originalSpan(source, 6, 12)).toEqual([6, 12]);
  });
});
