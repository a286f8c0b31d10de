import { expect, it } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { quote } from '../../words/show.ts';
import { findRule, OPT_IN_FORM, parseOptIn, scoreGaia } from './rules.ts';

it('scores a missing answer to the letter of the official rule, and never counts it by the others', () => {
  expect(scoreGaia(null, 'None')).toMatchObject({ correct: true, answer: null });
  for (const rule of ['exact', 'contains', 'bidirectional', 'fuzzy']) {
    expect(
      ['None', 'null', '', '?!'].map((target) => scoreGaia(null, target, rule).correct),
    ).not.toContain(true);
  }
});

it.each([
  ...['', 'offi\u0007cial', 'Official', '__proto__', 'any-of:x'],
  ...'fuzy fuzzy: fuzzy:0 fuzzy:1.5 fuzzy:x fuzzy:0.9x'.split(' '),
  ...'tolerance:1 tolerance:x tolerance: tolerance:-1 tolerance:1e3'.split(' '),
])('refuses the unknown rule %j and names the known ones', (rule) => {
  const known = `Use one of: official, exact, contains, bidirectional. Opt-in: ${OPT_IN_FORM}.`;
  expect(parseOptIn(rule)).toBeNull();
  expect(() => scoreGaia('1', '1', rule)).toThrow(
    new RangeError(`Unknown GAIA scoring rule ${quote(rule)}. ${known}`),
  );
});

it.each<readonly [rule: string, answer: string, target: string, correct: boolean]>([
  ['exact', 'red\u001c\u0085fox', 'Red Fox', true],
  ['exact', 'otter.', 'otter', false],
  ['exact', '1927.0', '1927', false],
  ['contains', 'I saw an Otter there', ' OTTER ', true],
  ['contains', '1956', '5', true],
  ['contains', 'red  fox', 'red fox', false],
  ['contains', 'ot', 'otter', false],
  ['bidirectional', 'The year 1,927!', '1927', true],
  ['bidirectional', 'Otter', 'Ava Otter, Bo Seal', true],
  ['bidirectional', '', 'otter', false],
  ['bidirectional', '- -', 'otter x', false],
  ['bidirectional', 'otter', '東京', false],
  ['bidirectional', '東京', '東京', false],
  ['bidirectional', 'redfox', 'red fox', false],
  ['fuzzy', 'Grey  Heron', 'grey heron', true],
  ['fuzzy', 'grey herons', 'grey heron', true],
  ['fuzzy:0.5', 'a heron', 'grey heron', true],
  // 1234568 and 1234567 have similar digits but are different numbers.
  ['fuzzy', '1234568', '1234567', false],
  ['fuzzy', '1,234,567', '1234567', true],
  ['fuzzy', 'plumb, pear', 'plum, pear', true],
  ['fuzzy', `a${'x'.repeat(1999)}`, `b${'x'.repeat(1999)}`, true],
  ['fuzzy', `a${'x'.repeat(2000)}`, `b${'x'.repeat(2000)}`, false],
  ['tolerance', '101', '100', true],
  ['tolerance', '99', '100', true],
  ['tolerance', '101.01', '100', false],
  ['tolerance:0.05', '105', '100', true],
  ['tolerance:0.5abs', '100.5', '100', true],
  ['tolerance:0.5abs', '100.6', '100', false],
  ['tolerance:0.1abs', '0.3', '0.2', true],
  ['tolerance', '0.001', '0', false],
  ['tolerance', 'pear, 101', 'pear; 100', true],
  ['tolerance', 'plum, 101', 'pear; 100', false],
  ['tolerance', '101, pear', 'pear; 100', false],
  ['tolerance', '17 apples', '17', false],
  ['tolerance', 'Pear!', 'pear', true],
  ['tolerance:50%', '-7', 'inf', false],
  ['tolerance:5abs', '5', '0', true],
  ['tolerance:5abs', 'five', '0', false],
  ['tolerance:5abs', 'inf', '0', false],
  ['tolerance:5abs', 'red, green', 'red green', true],
])('%s: %j against %j is %s', (rule, answer, target, correct) => {
  expect(scoreGaia(answer, target, rule)).toMatchObject({ correct, rule });
});

it.each([
  ['New York', true],
  ['nyc', true],
  ['The Big Apple!', true],
  ['Boston', false],
  [null, false],
])('any-of judges %j by the target and what else is accepted: %s', (answer, correct) => {
  expect(findRule('any-of', ['NYC', 'the big apple']).judge(answer, 'New York').correct).toBe(
    correct,
  );
});

it.each([
  ['exact', 'A  b', 'a c', 'compared exactly: "a b" is not "a c"'],
  ['contains', 'Ab', 'C ', 'compared as substring: "ab" does not contain "c"'],
  ['bidirectional', 'A!', 'ab', 'compared as substring both ways: "a" overlaps "ab"'],
  ['fuzzy', 'ab', 'b', 'compared by edit distance: "ab" and "b" are 0 % alike, 85 % are needed'],
  ['fuzzy', 'abcdefghi', 'abcdefghij', '"abcdefghi" and "abcdefghij" are 90 % alike'],
  ['tolerance', '105', '100', 'with a tolerance of 1 %, compared as number: 105 is not 100'],
])('%s explains %j against %j', (rule, answer, target, explanation) => {
  expect(scoreGaia(answer, target, rule).explanation).toContain(explanation);
});

// On any machine, a quadratic rule takes 16 times as long for four times the text, or far more than
// two seconds.
it.each(['official', 'exact', 'contains', 'bidirectional', 'fuzzy'])(
  '%s takes time in proportion to the texts',
  (rule) => {
    for (const unit of ['e1', '\u0085', '１', 'NaN ', 'inf,', '- ']) {
      const text = unit.repeat(80_000 / unit.length);
      for (const other of ['3', 'a, b', 'word', `x${text}`]) {
        const start = cpuTime();
        scoreGaia(`${text}x`, other, rule);
        scoreGaia(other, `${text}x`, rule);
        expect(cpuTime() - start).toBeLessThan(2_000);
      }
    }
  },
);
