import { describe, expect, it } from 'vitest';
import { parseTarget } from './targets.ts';

type Choices = Readonly<Record<string, string>>;

const drinks: Choices = { A: 'Tea', B: 'Coffee', C: 'Cocoa with milk', D: 'Water' };
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

  const named = { 'Option A': 'left', 'Option B': 'right', 'Option C': 'up' };
  it.each<[unknown, Choices, string]>([
    ['Salt, fine; Pepper, black', recipes, 'A,B'],
    ['Water, and Tea and milk', recipes, 'C,D'],
    ['(II)', roman, 'II'],
    ['II. ash', roman, 'II'],
    ['option b', named, 'Option B'],
    [['Option A', 'Option B'], named, 'Option A,Option B'],
    [[0, 1], { 0: 'left', 1: 'right', 2: 'up' }, '0,1'],
    // One flag for each option.
    [[0, 1, 0], { 0: 'x', 1: 'y', 2: 'z' }, '1'],
    [true, { true: 'It holds', false: 'It does not' }, 'true'],
    [true, { A: 'True', B: 'False' }, 'A'],
    ['false', { A: 'True', B: 'False' }, 'B'],
    // The option that says it.
    ['ALL', closed, 'C'],
    ['NONE', closed, 'D'],
    ['C', closed, 'C'],
    // A number is a label or a text before anything else.
    [2, digits, '2'],
    ['2', digits, '2'],
    [7, { A: '5', B: '7' }, 'B'],
    [[1, 2], digits, '1,2'],
    // A label comes before an option's text, and a text before a list of labels.
    ['B', { A: 'B', B: 'A' }, 'B'],
    ['AD', { A: 'AC', B: 'AD', C: 'DC', D: 'DD' }, 'B'],
    ['none', { A: 'one', B: 'none' }, 'B'],
  ])('reads %j of %j as %s', (written, choices, target) => {
    expect(parseTarget(written, choices).target).toBe(target);
  });

  it.each<[unknown, Choices]>([
    ['not B', drinks],
    ['A, B or Juice', drinks],
    ['A Juice', drinks],
    ['ABBA', drinks],
    ['Ad', drinks],
    ['AE', drinks],
    [',', drinks],
    [['A,D', 'Juice'], drinks],
    [['A', 'NONE'], drinks],
    [['A', null], drinks],
    [{ A: 1, B: 'no' }, drinks],
    [{ A: 2 }, drinks],
    ['I (II)', roman],
    [null, { A: 'null', B: 'void' }],
    // An option only starts so.
    ['10000000', { A: '10000000000', B: '5' }],
    ['Nitrogen', { A: 'Nitrogenase', B: 'Helium' }],
    ['The road is not safe', { A: 'The road is not safer than the rail', B: 'It is' }],
  ])('refuses %j of %j', (written, choices) => {
    expect(() => parseTarget(written, choices)).toThrow('names no option');
  });

  it('reads A and B as "Both A and B" where one option is right', () => {
    expect(parseTarget('A,B', both, false).target).toBe('C');
    expect(parseTarget('A,B', both, true).target).toBe('A,B');
  });

  it.each([
    ['A,D', undefined, { target: 'A,D', multiple: true }],
    ['A', undefined, { target: 'A' }],
    ['NONE', undefined, { target: 'NONE' }],
    ['ALL', undefined, { target: 'A,B,C,D', multiple: true }],
    ['A', true, { target: 'A', multiple: true }],
  ])('says that several may be right when several are: %j, %j', (written, said, parsed) => {
    expect(parseTarget(written, drinks, said)).toStrictEqual(parsed);
  });

  it.each<[unknown, 0 | 1, string, Choices?]>([
    ['3', 0, 'D'],
    [1, 1, 'A'],
    [' 3 ', 1, 'C'],
    ['2', 0, '3', digits],
    ['2 rivers', 0, 'B', { A: '1 river', B: '2 rivers', C: '3 rivers' }],
    ['10', 0, 'K', Object.fromEntries([...'ABCDEFGHIJK'].map((label) => [label, `the ${label}`]))],
    [[0, 1], 0, 'A,B'],
    [[0, 1], 0, 'A,B', { A: 'left', B: 'right' }],
    // One flag for each option.
    [[0, 1, 0, 0], 0, 'B'],
  ])('counts %j as an index from %s: %s', (written, counts, target, choices = drinks) => {
    expect(parseTarget(written, choices, undefined, { counts }).target).toBe(target);
  });

  const forms = `several as "A,D" or a list, an option's text, ALL or NONE`;
  it.each([
    [undefined, 'an index only where "counts" in EVAL_MCQ_FIELDS says how to count'],
    [1, 'an index that counts from 1'],
  ] as const)('names what can be written, where options count from %s', (counts, index) => {
    expect(() => parseTarget('E', drinks, undefined, { counts })).toThrow(
      new Error(
        `The expected answer names no option of the question, got "E". Use a label (A, B, C, D), ${forms}; ${index}.`,
      ),
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
