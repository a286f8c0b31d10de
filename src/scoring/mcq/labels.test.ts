import { describe, expect, it } from 'vitest';
import { toLabels } from './labels.ts';

const choicesOf = (labels: readonly string[]) => Object.fromEntries(labels.map((label) => [label, `text of ${label}`]));

/** Labels are built once, so each row has its own. */
describe('toLabels', () => {
  it.each([
    [['A', 'B'], 'b', 'B'],
    [['A', 'B'], ' Ｂ ', 'B'],
    [['A', 'B'], 'C', null],
    [['A', 'B'], 'constructor', null],
    [[' A ', 'B'], 'a', ' A '],
    [['Ａ', 'B'], 'A', 'Ａ'],
    [['a', 'A'], 'a', 'a'],
    [['a', 'A'], 'A', 'A'],
    [['aa', 'Aa', 'b'], 'AA', null],
    [[], 'z', 'Z'],
  ])('of %j finds %j: %j', (labels, spelling, label) => {
    expect(toLabels(choicesOf(labels)).find(spelling)).toBe(label);
  });

  it.each([
    [['A', 'B', 'C'], 'a b', 2, 'b'],
    [['B', 'C'], 'x b', 0, null],
    [['B', 'D'], 'bad', 0, null],
    [['B', 'E'], 'b2', 0, null],
    [['B', 'F'], 'b是', 0, 'b'],
    [['I', 'II'], 'ii', 0, 'ii'],
    [['A', 'A+'], 'a+ or', 0, 'a+'],
    [['A+', 'A'], 'a+ or', 0, 'a+'],
    [['A.1', 'A.2'], 'a.2', 0, 'a.2'],
    [['A.1', 'A.2'], 'ax1', 0, null],
    [['', 'G'], ' ', 0, null],
    [[''], ' ', 0, null],
  ])('of %j sees in %j at %i: %j', (labels, text, index, found) => {
    expect(toLabels(choicesOf(labels)).at(text, index)).toBe(found);
  });

  it('shows the places of labels, which are no parts of words', () => {
    const places = [...'a, bad b2 (b) _a 2b 是b'.matchAll(toLabels(choicesOf(['A', 'B', 'H'])).places)];
    expect(places.map(({ index }) => index)).toEqual([0, 11, 21]);
  });

  it('takes every letter where choices are unknown', () => {
    expect(toLabels(undefined).open).toBe(true);
    expect(toLabels(undefined).ordered.join('')).toBe('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
    expect(toLabels(choicesOf(['A', 'J'])).open).toBe(false);
  });

  it('builds the labels of like questions once, but keeps only so many', () => {
    const labels = toLabels(choicesOf(['K1', 'K2']));
    toLabels(choicesOf(['L1', 'L2']));
    toLabels(choicesOf(['M1', 'M2']));
    expect(toLabels({ K1: 'other', K2: 'texts' })).toBe(labels);
    for (let i = 0; i < 100; i += 1) toLabels(choicesOf([`N${i}`]));
    expect(toLabels(choicesOf(['K1', 'K2']))).not.toBe(labels);
  });
});
