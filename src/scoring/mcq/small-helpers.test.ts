import { describe, expect, it } from 'vitest';
import { lastMatches } from './last-matches.ts';
import { matchEnd } from './match-end.ts';
import { once } from './once.ts';
import { pattern } from './pattern.ts';
import { safeText } from './safe-text.ts';
import { textAfter, textBefore } from './text-near.ts';

describe('the small helpers', () => {
  it('finds the last matches in their order', () => {
    const indexes = (text: string, most?: number) => lastMatches(text, /b/gu, most).map(({ index }) => index);
    expect(indexes('abcabcab')).toEqual([1, 4, 7]);
    expect(indexes('abcabcab', 2)).toEqual([4, 7]);
    expect(indexes('b'.repeat(200))).toHaveLength(150);
  });

  it('says where a sticky pattern ends', () => {
    expect(matchEnd(/b+/uy, 'abbc', 1)).toBe(3);
    expect(matchEnd(/b+/uy, 'abbc', 0)).toBeNull();
  });

  it('computes once for each key', () => {
    let computed = 0;
    const count = once((_: object) => {
      computed += 1;
      return computed;
    });
    const [a, b] = [{}, {}];
    expect([count(a), count(a), count(b), count(a)]).toEqual([1, 1, 2, 1]);
  });

  it('reads patterns by characters', () => {
    expect(pattern('^.$').test('😀')).toBe(true);
    expect(pattern('B', 'i').test('b')).toBe(true);
  });

  it('cuts what stands near a place', () => {
    expect(textBefore('abcdef', 4, 3)).toBe('bcd');
    expect(textBefore('abcdef', 2, 3)).toBe('ab');
    expect(textAfter('abcdef', 2, 3)).toBe('cde');
    expect(textAfter('abcdef', 5, 3)).toBe('f');
  });

  it.each([
    ['abc', 'abc'],
    ['abcd', 'abcd'],
    ['abcde', 'abc…'],
    ['ab😀cd', 'ab…'],
    ['😀😀e', '😀…'],
    ['a\ud83dbcd', 'a\ud83db…'],
    ['a\n\u200b', 'a\\u{a}\\u{200b}'],
  ])('shows %j safely as %j', (text, shown) => {
    expect(safeText(text, 4)).toBe(shown);
  });
});
