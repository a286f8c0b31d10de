import { describe, expect, it } from 'vitest';
import { parseTarget } from './targets.ts';

const drinks = { A: 'Tea', B: 'Coffee', C: 'Cocoa with milk', D: 'Water' };
const closed = { A: 'It floats', B: 'It sinks', C: 'All of the above', D: 'None of the above' };
const both = { A: 'Salt', B: 'Sugar', C: 'Both A and B', D: 'Pepper' };
const roman = { I: 'lava', II: 'ash', III: 'pumice', IV: 'basalt' };
const recipes = { A: 'Salt, fine', B: 'Pepper, black', C: 'Tea and milk', D: 'Water' };
const digits = { '1': 'ten', '2': 'twenty', '3': 'thirty' };

describe('parseTarget', () => {
  it.each([
    ['B', 'B'],
    ['b', 'B'],
    ['(B)', 'B'],
    ['Ｂ', 'B'],
    ['B. Coffee', 'B'],
    ['Coffee', 'B'],
    ['A,D', 'A,D'],
    ['D, A', 'A,D'],
    ['AD', 'A,D'],
    ['A;D', 'A,D'],
    ['A & D', 'A,D'],
    ['A and D', 'A,D'],
    ['A, B and D', 'A,B,D'],
    ['A und D', 'A,D'],
    ['A和D', 'A,D'],
    ['A、D', 'A,D'],
    ['Tea, Water', 'A,D'],
    [['A', 'D'], 'A,D'],
    [['ALL'], 'A,B,C,D'],
    [['A,D'], 'A,D'],
    [[1, 0, 0, 1], 'A,D'],
    [[false, true, false, false], 'B'],
    ['ALL', 'A,B,C,D'],
    ['All of the above', 'A,B,C,D'],
    ['NONE', 'NONE'],
    ['None of the above', 'NONE'],
    [[0, 0, 0, 0], 'NONE'],
  ])('reads %j as %s', (written, target) => {
    expect(parseTarget(written, drinks).target).toBe(target);
  });

  it.each([
    ['Salt, fine; Pepper, black', recipes, 'A,B'],
    ['Water, and Tea and milk', recipes, 'C,D'],
    ['(II)', roman, 'II'],
    ['II. ash', roman, 'II'],
    ['option b', { 'Option A': 'left', 'Option B': 'right' }, 'Option B'],
    [
      ['Option A', 'Option B'],
      { 'Option A': 'left', 'Option B': 'right', 'Option C': 'up' },
      'Option A,Option B',
    ],
    [[0, 1], { 0: 'left', 1: 'right', 2: 'up' }, '0,1'],
    [true, { true: 'It holds', false: 'It does not' }, 'true'],
  ])('reads %j of %j as %s', (written, choices, target) => {
    expect(parseTarget(written, choices).target).toBe(target);
  });

  it.each([
    ['not B'],
    ['A, B or Juice'],
    ['A Juice'],
    ['ABBA'],
    ['Ad'],
    ['AE'],
    [','],
    [['A,D', 'Juice']],
    [['A', 'NONE']],
    [['A', null]],
    [{ A: 1, B: 'no' }],
    [{ A: 2 }],
  ])('refuses %j', (written) => {
    expect(() => parseTarget(written, drinks)).toThrow(
      /^The expected answer names no option of the question, got .*\. Use a label/su,
    );
  });

  it.each([
    ['I (II)', roman],
    [null, { A: 'null', B: 'void' }],
  ])('refuses %j of %j', (written, choices) => {
    expect(() => parseTarget(written, choices)).toThrow('names no option');
  });

  it.each([
    ['ALL', 'C'],
    ['NONE', 'D'],
    ['C', 'C'],
  ])('gives %j the label of the option that says it: %s', (written, target) => {
    expect(parseTarget(written, closed).target).toBe(target);
  });

  it('lets "Both A and B" stand for A and B where one option is right', () => {
    expect(parseTarget('A,B', both, false).target).toBe('C');
    expect(parseTarget('A,B', both, true).target).toBe('A,B');
  });

  it.each([
    ['A,D', undefined, 'A,D', true],
    ['A', undefined, 'A', undefined],
    ['NONE', undefined, 'NONE', undefined],
    ['ALL', undefined, 'A,B,C,D', true],
    ['A', true, 'A', true],
  ])(
    'says that several may be right when several are: %j, %j',
    (written, said, target, multiple) => {
      expect(parseTarget(written, drinks, said)).toStrictEqual(
        multiple === undefined ? { target } : { target, multiple },
      );
    },
  );

  it.each([
    ['3', 0, 'D'],
    [1, 1, 'A'],
    [' 3 ', 1, 'C'],
  ] as const)('counts %j as an index from %s: %s', (written, counts, target) => {
    expect(parseTarget(written, drinks, undefined, { counts }).target).toBe(target);
  });

  it.each([
    ['2', { 1: 'ten', 2: 'twenty', 3: 'thirty' }, 0, '3'],
    ['2 rivers', { A: '1 river', B: '2 rivers', C: '3 rivers' }, 0, 'B'],
    [
      '10',
      Object.fromEntries([...'ABCDEFGHIJK'].map((label) => [label, `river ${label}`])),
      0,
      'K',
    ],
    [[0, 1], { A: 'left', B: 'right' }, 0, 'A,B'],
  ] as const)('counts %j of %j as an index from %s: %s', (written, choices, counts, target) => {
    expect(parseTarget(written, choices, undefined, { counts }).target).toBe(target);
  });

  it('reads a number as a label or a text before anything else', () => {
    expect(parseTarget(2, digits).target).toBe('2');
    expect(parseTarget('2', digits).target).toBe('2');
    expect(parseTarget(7, { A: '5', B: '7' }).target).toBe('B');
    expect(parseTarget([1, 2], digits).target).toBe('1,2');
  });

  it.each([
    [true, 'A'],
    ['false', 'B'],
  ])('finds %j among true and false', (written, target) => {
    expect(parseTarget(written, { A: 'True', B: 'False' }).target).toBe(target);
  });

  it('prefers a label to an option text and a text to a list of labels', () => {
    expect(parseTarget('B', { A: 'B', B: 'A' }).target).toBe('B');
    expect(parseTarget('AD', { A: 'AC', B: 'AD', C: 'DC', D: 'DD' }).target).toBe('B');
    expect(parseTarget('none', { A: 'one', B: 'none' }).target).toBe('B');
  });

  it.each([
    ['10000000', { A: '10000000000', B: '5' }],
    ['Nitrogen', { A: 'Nitrogenase', B: 'Helium' }],
    ['The road is not safe', { A: 'The road is not safer than the rail', B: 'It is' }],
  ])('refuses %j, where an option only starts so', (written, choices) => {
    expect(() => parseTarget(written, choices)).toThrow('names no option');
  });

  it('reads one flag for each option where options are counted or have numbers too', () => {
    expect(parseTarget([0, 1, 0, 0], drinks, undefined, { counts: 0 }).target).toBe('B');
    expect(parseTarget([0, 1, 0], { 0: 'x', 1: 'y', 2: 'z' }).target).toBe('1');
    expect(parseTarget([0, 1], drinks, undefined, { counts: 0 }).target).toBe('A,B');
  });

  const forms = `several as "A,D" or a list, an option's text, ALL or NONE`;
  const untold = 'an index only where "counts" in EVAL_MCQ_FIELDS says how to count';
  it.each([
    [
      'E',
      drinks,
      undefined,
      'names no option of the question',
      `(A, B, C, D), ${forms}; ${untold}`,
    ],
    [
      'E',
      drinks,
      1,
      'names no option of the question',
      `(A, B, C, D), ${forms}; an index that counts from 1`,
    ],
  ] as const)('says what is wrong with %j of %j', (written, choices, counts, wrong, remedy) => {
    const received = JSON.stringify(written);
    expect(() => parseTarget(written, choices, undefined, { counts })).toThrow(
      new Error(`The expected answer ${wrong}, got ${received}. Use a label ${remedy}.`),
    );
  });

  it.each([
    [
      'tea',
      { A: 'Tea', B: 'Coffee', C: 'Tea' },
      undefined,
      'is the text of several options (A, C), which read the same, got "tea". Write the label of the right one instead.',
    ],
    [
      'A,D',
      drinks,
      false,
      'names several options of a question with one right option, got "A,D". Correct the expected answer, or say that several may be right.',
    ],
    [
      'ALL',
      drinks,
      false,
      'says that all options are right, but only one may be and none says "all of the above", got "ALL". Name the right option, or say that several may be right.',
    ],
  ])('says what is wrong with %j of %j and what to do', (written, choices, multiple, message) => {
    expect(() => parseTarget(written, choices, multiple)).toThrow(
      new Error(`The expected answer ${message}`),
    );
  });
});
