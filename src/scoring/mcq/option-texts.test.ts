import { describe, expect, it } from 'vitest';
import { toKey, toOptionTexts } from './option-texts.ts';

/** The labels that are found in a text, with what stands there. */
function found(choices: Readonly<Record<string, string>>, text: string): readonly string[] {
  return toOptionTexts(choices)
    .all(text)
    .map(({ labels, start, end }) => `${labels.join('+')} ${text.slice(start, end)}`);
}

describe('toOptionTexts', () => {
  it.each([
    [{ A: 'Zinc', B: 'Copper and zinc' }, 'copper and zinc, or zinc', ['B copper and zinc', 'A zinc']],
    [{ A: 'Zinc', B: 'zinc.', C: 'Tin' }, 'zinc and tin', ['A+B zinc', 'C tin']],
    [{ A: 'Copper', B: 'Copper and zinc' }, 'copper and zinc', ['B copper and zinc']],
    [{ A: 'Copper and zinc', B: 'Copper' }, 'copper and zinc', ['A copper and zinc']],
    [{ A: 'Sea breeze' }, 'a sea\n\n\n\n  breeze', ['A sea\n\n\n\n  breeze']],
    [{ A: 'Sea breeze' }, 'a seabreeze, sea- breeze', ['A seabreeze']],
    [{ A: '' }, 'nothing', []],
    // Words have edges.
    [{ A: 'tin' }, 'tin, (tin) tin', ['A tin', 'A tin', 'A tin']],
    [{ A: 'tin' }, 'tins, satin, _tin, tin_, 5tin, tin5', []],
    [{ A: 'νερό' }, 'το νερό', ['A νερό']],
    [{ A: 'νερό' }, 'νερός, ανερό', []],
    [{ A: 'лёд' }, 'лёд, слёд, лёды', ['A лёд']],
    [{ A: 'ماء' }, 'ماء', ['A ماء']],
    [{ A: 'ماء' }, 'سماء ماءك', []],
    [{ A: 'जल' }, 'जल', ['A जल']],
    [{ A: 'जल' }, 'जलन', []],
    [{ A: '长江' }, '在长江里, a长江b', ['A 长江', 'A 长江']],
    // Numbers have other edges.
    [{ A: '12' }, '12, (12) 12. and 12°, 12 x', ['A 12', 'A 12', 'A 12', 'A 12', 'A 12']],
    [{ A: '12' }, '112, 123, 1 2, 12.5, 12,5, 0.12, 12%, 12 %, -12, x12, 12x, 12_', []],
    [{ A: '12 m' }, '12 m, 12m, 12 ml', ['A 12 m', 'A 12m']],
    [{ A: 'x + 12' }, 'x + 12, x + 120, ax + 12', ['A x + 12']],
    [{ A: '+12' }, '5+12', ['A +12']],
  ])('finds of %j in %j %j', (choices, text, matches) => {
    expect(found(choices, text)).toEqual(matches);
  });

  it('seeks no text of more than 1,000 signs, but knows it', () => {
    const [long, longer] = ['x'.repeat(1000), 'y'.repeat(1001)];
    const texts = toOptionTexts({ A: long, B: longer });
    expect(texts.all(`${long} ${longer}`)).toEqual([{ labels: ['A'], start: 0, end: 1000 }]);
    expect(texts.equal(longer)).toEqual(['B']);
  });

  it('says which options have a text, and whether one looks like something', () => {
    const texts = toOptionTexts({ A: 'Tea', B: 'tea.', C: 'Water', D: '' });
    expect(texts.equal('TEA')).toEqual(['A', 'B']);
    expect(texts.equal('')).toEqual([]);
    expect(texts.equal('milk')).toEqual([]);
    expect(texts.some(/^wat/u)).toBe(true);
    expect(texts.some(/milk/u)).toBe(false);
    expect(texts.at('the tea', 4)).toEqual({ labels: ['A', 'B'], start: 4, end: 7 });
    expect(texts.at('the tea', 3)).toBeNull();
  });
});

describe('toKey', () => {
  it.each([
    ['The Rhine', 'the rhine'],
    ['"\'The  **Rhine**\'".', 'the rhine'],
    ['Rhine!', 'rhine !'],
    ['12.5m, or so;', '12 . 5 m , or so'],
    ['...', ''],
    [`${'x'.repeat(4000)} y`, 'x'.repeat(4000)],
  ])('of %j is %j', (text, key) => {
    expect(toKey(text)).toBe(key);
  });
});
