import { describe, expect, it, test } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { OPT_IN_FORM, parseOptIn } from './opt-in-rules.ts';
import { scoreGaia } from './score-gaia.ts';

type Case = readonly [rule: string, answer: string | null, truth: string, correct: boolean];

const FUZZY: readonly Case[] = [
  ['fuzzy', 'Grey  Heron', 'grey heron', true],
  ['fuzzy', 'grey herons', 'grey heron', true],
  ['fuzzy', 'gray heron', 'grey heron', true],
  ['fuzzy', 'a heron', 'grey heron', false],
  ['fuzzy:1', 'grey herons', 'grey heron', false],
  ['fuzzy:0.5', 'a heron', 'grey heron', true],
  ['fuzzy', 'Grey-Heron!', 'grey heron', true],
  // 1234568 and 1234567 are alike by their digits, and another number.
  ['fuzzy', '1234568', '1234567', false],
  ['fuzzy', '1,234,567', '1234567', true],
  ['fuzzy', 'plumb, pear', 'plum, pear', true],
  ['fuzzy', null, 'none', false],
  ['fuzzy', '', 'x', false],
  ['fuzzy', null, '?!', false],
  ['fuzzy:0.5', 'ab', 'ax', true],
  ['fuzzy:0.5', 'ab', 'abcd', true],
  ['fuzzy', `a${'x'.repeat(1999)}`, `b${'x'.repeat(1999)}`, true],
  ['fuzzy', `a${'x'.repeat(2000)}`, `b${'x'.repeat(2000)}`, false],
];

const TOLERANCE: readonly Case[] = [
  ['tolerance', '101', '100', true],
  ['tolerance', '99', '100', true],
  ['tolerance', '101.01', '100', false],
  ['tolerance', '-101', '-100', true],
  ['tolerance:5%', '105', '100', true],
  ['tolerance:0.05', '105', '100', true],
  ['tolerance:0.05', '105.1', '100', false],
  ['tolerance:0.5abs', '100.5', '100', true],
  ['tolerance:0.5abs', '100.6', '100', false],
  ['tolerance:0.1abs', '0.3', '0.2', true],
  ['tolerance', '$1,010', '1000', true],
  ['tolerance', '0.001', '0', false],
  ['tolerance', 'pear, 101', 'pear; 100', true],
  ['tolerance', 'plum, 101', 'pear; 100', false],
  ['tolerance', '101, pear', 'pear; 100', false],
  ['tolerance', 'pear, 101, 7', 'pear; 100', false],
  ['tolerance', '17 apples', '17', false],
  ['tolerance', 'Pear!', 'pear', true],
  ['tolerance', null, '0', false],
  ['tolerance:5%', '106', '100', false],
  ['tolerance:5abs', '5', '0', true],
  ['tolerance:5abs', 'five', '0', false],
  ['tolerance:5abs', 'inf', '0', false],
  ['tolerance:50abs', 'pear, 7', 'pear, plum', false],
  ['tolerance:5abs', 'red, green', 'red green', true],
];

it.each([...FUZZY, ...TOLERANCE])('%s: %j against %j is %s', (rule, answer, truth, correct) => {
  expect(scoreGaia(answer, truth, rule)).toMatchObject({ correct, rule });
});

describe('any-of', () => {
  const rule = parseOptIn('any-of')?.create(['NYC', 'the big apple']);

  test.each([
    ['New York', true],
    ['nyc', true],
    ['The Big Apple!', true],
    ['Boston', false],
    [null, false],
  ])('judges %j by the truth and what else is accepted: %s', (answer, correct) => {
    expect(rule?.judge(answer, 'New York').correct).toBe(correct);
  });
});

test('explains what was compared, and how', () => {
  expect(scoreGaia('grey herons', 'grey heron', 'fuzzy').explanation).toBe(
    'compared by edit distance: "greyherons" and "greyheron" are 90 % alike, 85 % are needed',
  );
  expect(scoreGaia('105', '100', 'tolerance').explanation).toBe(
    'with a tolerance of 1 %, compared as number: 105 is not 100',
  );
  expect(scoreGaia('a', 'abcdef', 'fuzzy').explanation).toBe(
    'compared by edit distance: "a" and "abcdef" are 0 % alike, 85 % are needed',
  );
  const several = parseOptIn('any-of')?.create(['9']).judge('7', '8').explanation;
  expect(several).toBe('any of 2 accepted answers, compared as number: 7 is not 8');
  expect(scoreGaia('7', '8', 'any-of').explanation).toBe('any of 1 accepted answer, compared as number: 7 is not 8');
});

test('a truth of infinity has no neighbours', () => {
  expect(scoreGaia('-7', 'inf', 'tolerance:50%').correct).toBe(false);
});

test('long texts are compared in no time', () => {
  const [a, b] = ['a', 'b'].map((letter) => `${letter}${'x'.repeat(1_000_000)}`);
  const started = cpuTime();
  expect(scoreGaia(a ?? '', b ?? '', 'fuzzy').correct).toBe(false);
  expect(scoreGaia(a ?? '', a ?? '', 'fuzzy').correct).toBe(true);
  expect(cpuTime() - started).toBeLessThan(1000);
});

test.each([
  'fuzzy:',
  'fuzzy:0',
  'fuzzy:1.5',
  'fuzzy:x',
  'fuzzy:0.9x',
  'tolerance:1',
  'tolerance:x',
  'tolerance:',
  'tolerance:-1',
  'tolerance:1e3',
  'any-of:x',
  'fuzy',
])('is no rule: %s', (name) => {
  expect(parseOptIn(name)).toBeNull();
  expect(() => scoreGaia('x', 'x', name)).toThrow(RangeError);
  expect(() => scoreGaia('x', 'x', name)).toThrow(`Opt-in: ${OPT_IN_FORM}.`);
  expect(OPT_IN_FORM).toContain('fuzzy:SIMILARITY');
});
