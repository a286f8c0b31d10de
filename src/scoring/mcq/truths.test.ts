import { describe, expect, it } from 'vitest';
import { resolveTruth } from './truths.ts';

const drinks = { A: 'Tea', B: 'Coffee', C: 'Cocoa with milk', D: 'Water' };
const closed = { A: 'It floats', B: 'It sinks', C: 'All of the above', D: 'None of the above' };
const both = { A: 'Salt', B: 'Sugar', C: 'Both A and B', D: 'Pepper' };
const digits = { '1': 'ten', '2': 'twenty', '3': 'thirty' };

describe('resolveTruth', () => {
  it.each([
    ['B', 'B'],
    ['b', 'B'],
    [' B ', 'B'],
    ['B.', 'B'],
    ['(B)', 'B'],
    ['B)', 'B'],
    ['Option B', 'B'],
    ['Ｂ', 'B'],
    ['B. Coffee', 'B'],
    ['(B) coffee', 'B'],
    ['Coffee', 'B'],
    ['coffee.', 'B'],
    ['Cocoa with...', 'C'],
    ['cocoa with …', 'C'],
    ['A,D', 'A,D'],
    ['D, A', 'A,D'],
    ['A, A', 'A'],
    ['AD', 'A,D'],
    ['DA', 'A,D'],
    ['A;D', 'A,D'],
    ['A|D', 'A,D'],
    ['A/D', 'A,D'],
    ['A & D', 'A,D'],
    ['A and D', 'A,D'],
    ['A, B and D', 'A,B,D'],
    ['both A and D', 'A,D'],
    ['Options A, B and D are correct.', 'A,B,D'],
    ['A D', 'A,D'],
    ['A, B, and D', 'A,B,D'],
    ['A、D', 'A,D'],
    ['Tea, Water', 'A,D'],
    ['Tea|Water', 'A,D'],
    [['A', 'D'], 'A,D'],
    [['D'], 'D'],
    [['Tea', 'Water'], 'A,D'],
    [['A,D'], 'A,D'],
    [[1, 0, 0, 1], 'A,D'],
    [[false, true, false, false], 'B'],
    [{ A: 1, B: 0, C: 0, D: 1 }, 'A,D'],
    [{ Tea: true, Coffee: false }, 'A'],
    ['ALL', 'A,B,C,D'],
    ['All of the above', 'A,B,C,D'],
    ['NONE', 'NONE'],
    ['None of the above', 'NONE'],
    [[0, 0, 0, 0], 'NONE'],
  ])('reads %j as %s', (truth, target) => {
    expect(resolveTruth(truth, drinks).target).toBe(target);
  });

  it.each([
    ['ALL', 'C'],
    ['All of the above statements are true.', 'C'],
    ['A,B', 'C'],
    ['A,B,C', 'C'],
    ['NONE', 'D'],
    ['none of these', 'D'],
    ['C', 'C'],
  ])('gives %j the label of the option that says it: %s', (truth, target) => {
    expect(resolveTruth(truth, closed).target).toBe(target);
  });

  it('lets "Both A and B" stand for A and B where one option is right', () => {
    expect(resolveTruth('A,B', both, false).target).toBe('C');
    expect(resolveTruth('A,B', both, true).target).toBe('A,B');
  });

  it('says that several may be right when several are', () => {
    expect(resolveTruth('A,D', drinks)).toEqual({ target: 'A,D', multiple: true });
    expect(resolveTruth('A', drinks)).toEqual({ target: 'A' });
    expect(resolveTruth('A', drinks, true)).toEqual({ target: 'A', multiple: true });
    expect(resolveTruth('A', drinks, false)).toEqual({ target: 'A', multiple: false });
  });

  it.each([
    [0, 'zero-based', 'A'],
    ['3', 'zero-based', 'D'],
    [1, 'one-based', 'A'],
    [[1, 4], 'one-based', 'A,D'],
  ] as const)('counts %j as a %s index: %s', (truth, index, target) => {
    expect(resolveTruth(truth, drinks, undefined, { index }).target).toBe(target);
  });

  it('reads a number as a label or a text before anything else', () => {
    expect(resolveTruth(2, digits).target).toBe('2');
    expect(resolveTruth('2', digits).target).toBe('2');
    expect(resolveTruth(7, { A: '5', B: '7' }).target).toBe('B');
    expect(resolveTruth([1, 2], digits).target).toBe('1,2');
  });

  it.each([
    [true, 'A'],
    ['false', 'B'],
  ])('finds %j among true and false', (truth, target) => {
    expect(resolveTruth(truth, { A: 'True', B: 'False' }).target).toBe(target);
  });

  it('prefers a label to an option text and a text to a list of labels', () => {
    expect(resolveTruth('B', { A: 'B', B: 'A' }).target).toBe('B');
    expect(resolveTruth('AD', { A: 'AC', B: 'AD', C: 'DC', D: 'DD' }).target).toBe('B');
    expect(resolveTruth('none', { A: 'one', B: 'none' }).target).toBe('B');
  });

  it.each([
    ['B', 'B'],
    ['b,d', 'B,D'],
    ['BD', 'B,D'],
    ['ALL', 'ALL'],
    ['NONE', 'NONE'],
  ])('without choices reads %j as %s', (truth, target) => {
    expect(resolveTruth(truth, undefined).target).toBe(target);
  });

  it('is stable: a target resolves to itself', () => {
    for (const target of ['A', 'A,D', 'B,C,D', 'NONE']) expect(resolveTruth(target, drinks).target).toBe(target);
  });

  it.each([
    ['E', drinks],
    ['Juice', drinks],
    ['', drinks],
    [null, drinks],
    [undefined, drinks],
    [[], drinks],
    [{}, drinks],
    [2, drinks],
    [['A', 'Juice'], drinks],
    ['B. Tea', drinks],
    ['a long story', undefined],
    ['DNA', undefined],
  ])('refuses %j', (truth, choices) => {
    expect(() => resolveTruth(truth, choices)).toThrow(/^The truth .*, got .*\. .*Use a label/su);
  });

  it.each([
    ['10000000', { A: '10000000000', B: '5' }],
    ['12.34567', { A: '12.345678', B: '5' }],
    ['12.34567...', { A: '12.345678', B: '5' }],
    ['1234567...', { A: '1234567.5', B: '5' }],
    ['Nitrogen', { A: 'Nitrogenase', B: 'Helium' }],
    ['Nitrogen...', { A: 'Nitrogenase', B: 'Helium' }],
    ['increased', { A: 'increased, then decreased', B: 'unchanged' }],
    ['There is no proof', { A: 'There is no proof against it', B: 'It is proven' }],
    ['The road is not safe', { A: 'The road is not safer than the rail', B: 'It is' }],
    ['It rains...', { A: 'It rains often', B: 'It rains seldom' }],
  ])('refuses %j, where an option only starts so', (truth, choices) => {
    expect(() => resolveTruth(truth, choices)).toThrow('names no option');
  });

  it.each([
    [[0, 1, 0], undefined],
    [[false, true], undefined],
    [[0, 1, 0], 'zero-based'],
    [[1, 0, 0, 0, 0], 'one-based'],
  ] as const)('refuses the flags %j for four options', (truth, index) => {
    expect(() => resolveTruth(truth, drinks, undefined, { index })).toThrow(
      `marks ${truth.length} options of a question with 4`,
    );
  });

  it('reads one flag for each option where options are counted or have numbers too', () => {
    expect(resolveTruth([0, 1, 0, 0], drinks, undefined, { index: 'zero-based' }).target).toBe('B');
    expect(resolveTruth([0, 1, 0], { 0: 'x', 1: 'y', 2: 'z' }).target).toBe('1');
    expect(resolveTruth([0, 1], drinks, undefined, { index: 'zero-based' }).target).toBe('A,B');
  });

  it('refuses a label that carries the text of another option', () => {
    expect(() => resolveTruth('B. Tea', drinks)).toThrow('gives the text of option A the label B');
  });

  it('refuses the text of several options, and asks for the label', () => {
    expect(() => resolveTruth('tea', { A: 'Tea', B: 'Coffee', C: 'Tea' })).toThrow(
      'is the text of several options (A, C), which read the same, got "tea" (string). Write the label',
    );
  });

  it('refuses several right options, and ALL, where one option is right', () => {
    expect(() => resolveTruth('A,D', drinks, false)).toThrow(
      'names several options of a question with one right option, got "A,D" (string).',
    );
    expect(() => resolveTruth('ALL', drinks, false)).toThrow('says that all options are right');
  });

  it('refuses an index beyond the options', () => {
    expect(() => resolveTruth(4, drinks, undefined, { index: 'zero-based' })).toThrow('got 4 (number)');
    expect(() => resolveTruth(0, drinks, undefined, { index: 'one-based' })).toThrow('a one-based index');
  });

  it('shows a received value in one short line', () => {
    expect(() => resolveTruth(`\u001b[31m${'x'.repeat(5000)}`, drinks)).toThrow(
      /got "\\u001b\[31mx{100,120}… \(string\)/u,
    );
  });
});
