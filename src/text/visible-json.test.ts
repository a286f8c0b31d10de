import { expect, test } from 'vitest';
import { toVisibleJson } from './visible-json.ts';

test.each([
  ['\u001b[31m', '"\\u001b[31m"'],
  ['a\u0085b\u2028c', '"a\\u0085b\\u2028c"'],
  ['\u009b\u202e\u200d', '"\\u009b\\u202e\\u200d"'],
  ['\u{e0001}', '"\\udb40\\udc01"'],
  ['\ud800', '"\\ud800"'],
  ['é 👩 ü', '"é 👩 ü"'],
])('%j is written as %s, and parses back', (text, json) => {
  expect(toVisibleJson(text)).toBe(json);
  expect(JSON.parse(toVisibleJson(text))).toBe(text);
});

test('the line breaks of an indentation stay', () => {
  expect(toVisibleJson({ a: ['\u2028'] }, 2)).toBe('{\n  "a": [\n    "\\u2028"\n  ]\n}');
});
