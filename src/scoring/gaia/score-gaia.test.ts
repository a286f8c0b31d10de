import { describe, expect, it } from 'vitest';
import { quote } from './official.ts';
import { judgeGaia, scoreGaia } from './score-gaia.ts';

it('scores by the official rule unless told otherwise', () => {
  expect(scoreGaia('1,927', '1927')).toEqual({
    correct: true,
    answer: '1,927',
    how: 'as given',
    rule: 'official',
    explanation: 'compared as number: 1927 is 1927',
  });
});

it('scores a missing answer to the letter of the official rule', () => {
  expect(scoreGaia(null, 'None')).toMatchObject({ correct: true, answer: null });
});

it.each(['exact', 'contains', 'bidirectional'])('never counts a missing answer by the rule %s', (rule) => {
  expect(['None', 'null', ''].map((truth) => scoreGaia(null, truth, rule).correct)).toEqual([false, false, false]);
});

it.each(['Official', '', '__proto__', 'offi\u0007cial'])(
  'refuses the unknown rule %j and names the known ones',
  (rule) => {
    expect(() => scoreGaia('1', '1', rule)).toThrow(RangeError);
    expect(() => scoreGaia('1', '1', rule)).toThrow(
      `Unknown GAIA scoring rule: got ${quote(rule)}. Use one of: official, exact, contains, bidirectional.`,
    );
  },
);

it('judges by the official rule unless told otherwise', () => {
  expect(judgeGaia('1,927', '1927').explanation).toBe('compared as number: 1927 is 1927');
});

describe('looser rules', () => {
  it.each(['exact', 'contains', 'bidirectional', 'fuzzy'])('%s takes a missing answer for an empty text', (rule) => {
    expect(judgeGaia(null, 'otter', rule)).toMatchObject({ correct: false, received: '' });
  });

  it.each([
    ['exact', ' The  Otter\n', 'the otter', true],
    ['exact', 'red\u001c\u0085fox', 'Red Fox', true],
    ['exact', 'red\ufefffox', 'red fox', false],
    ['exact', 'otter.', 'otter', false],
    ['exact', '1927.0', '1927', false],
    ['exact', '', '', true],
    ['contains', 'I saw an Otter there', ' OTTER ', true],
    ['contains', '1956', '5', true],
    ['contains', 'red  fox', 'red fox', false],
    ['contains', 'ot', 'otter', false],
    ['contains', '', 'otter', false],
    ['contains', 'anything', '', true],
    ['bidirectional', 'The year 1,927!', '1927', true],
    ['bidirectional', 'Otter', 'Ava Otter, Bo Seal', true],
    ['bidirectional', '15', '1.5', true],
    ['bidirectional', 'seal', 'otter', false],
    ['bidirectional', '', 'otter', false],
    ['bidirectional', '!?', 'otter', false],
    ['bidirectional', '- -', 'otter x', false],
    ['bidirectional', 'otter', '東京', false],
    ['bidirectional', '東京', '東京', false],
    ['bidirectional', 'a b', '- -', false],
    ['bidirectional', 'seaotter x', ' otter', true],
    ['bidirectional', 'red  fox', 'red fox', true],
    ['bidirectional', 'redfox', 'red fox', false],
    ['bidirectional', 'a red  fox', 'red - fox', false],
    ['bidirectional', 'red  fox', 'red - -', false],
  ])('%s: %j against %j is %s', (rule, answer, truth, correct) => {
    expect(scoreGaia(answer, truth, rule).correct).toBe(correct);
  });

  it.each([
    ['exact', 'A  b', 'a c', 'compared exactly: "a b" is not "a c"', 'a c', 'a b'],
    ['exact', 'A', 'a', 'compared exactly: "a" is "a"', 'a', 'a'],
    ['contains', 'Ab', 'C ', 'compared as substring: "ab" does not contain "c"', 'c', 'ab'],
    ['contains', 'Ab', 'A', 'compared as substring: "ab" contains "a"', 'a', 'ab'],
    ['bidirectional', 'A!', 'ab', 'compared as substring both ways: "a" overlaps "ab"', 'ab', 'a'],
    ['bidirectional', 'c', 'ab', 'compared as substring both ways: "c" does not overlap "ab"', 'ab', 'c'],
  ])('%s explains %j against %j', (rule, answer, truth, explanation, expected, received) => {
    expect(judgeGaia(answer, truth, rule)).toMatchObject({ explanation, expected, received });
  });
});
