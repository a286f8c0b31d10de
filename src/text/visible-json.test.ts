import { expect, test } from 'vitest';
import { toVisibleJson } from './visible-json.ts';

test.each([
  ['\u001b[31m', '"\\u001b[31m"'],
  ['a\u007fb', '"a\\u007fb"'],
  ['a\u0085b\u2028c', '"a\\u0085b\\u2028c"'],
  ['\u009b\u202e\u200d', '"\\u009b\\u202e\\u200d"'],
  ['\u{e0001}', '"\\udb40\\udc01"'],
  ['\ud800', '"\\ud800"'],
  ['é 👩 ü', '"é 👩 ü"'],
])('%j is written as %s, and parses back', (text, json) => {
  expect(toVisibleJson(text)).toBe(json);
  expect(JSON.parse(toVisibleJson(text))).toBe(text);
});

test('what JSON has no word for is null', () => {
  expect(toVisibleJson(undefined)).toBe('null');
});

test('the line breaks of an indentation stay', () => {
  expect(toVisibleJson({ a: ['\u2028'] }, 2)).toBe('{\n  "a": [\n    "\\u2028"\n  ]\n}');
});

/** Across the portions in which long texts are written, with pairs where these begin and end. */
test.each([
  ['hidden', '\u200b'],
  ['hidden pairs', '\u{e0001}'],
  ['shown pairs', '\u{1f600}'],
  ['a mixture', 'é\u{1f600}\u200bx\u{e0001}\u2028"\\'],
])('a long text is written as its characters are: %s', (_, unit) => {
  for (const before of ['', 'a', 'ab']) {
    const text = `${before}${unit.repeat(5_000)}\u200b`;
    const written = Array.from(text, (character) => toVisibleJson(character).slice(1, -1));
    expect(toVisibleJson(text)).toBe(`"${written.join('')}"`);
  }
});
