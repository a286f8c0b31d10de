import { expect, it } from 'vitest';
import { escapeControls, showValue } from './show-value.ts';

it.each([
  ['4', '"4" (string)'],
  [4, '4 (number)'],
  [null, 'null'],
  [undefined, 'nothing'],
  [true, 'true (boolean)'],
  [['a', 1], '["a",1] (array)'],
  [{ a: 'b' }, '{"a":"b"} (object)'],
  ['a"b\\c\nd', '"a\\"b\\\\c\\nd" (string)'],
  ['\u001b[31m\u007f\u0085', '"\\u001b[31m\\u007f\\u0085" (string)'],
  ['\u202eabc\u2028\u200b\u{e0041}', '"\\u202eabc\\u2028\\u200b\\udb40\\udc41" (string)'],
  ['\ud800', '"\\ud800" (string)'],
  ['x'.repeat(121), `"${'x'.repeat(120)}…" (string)`],
  [`${'x'.repeat(119)}\u{1f600}`, `"${'x'.repeat(119)}…" (string)`],
  [{ long: 'x'.repeat(200) }, `{"long":"${'x'.repeat(111)}… (object)`],
])('shows %j as %s', (value, shown) => {
  expect(showValue(value)).toBe(shown);
});

it('shows a value that is nested too deeply to be written out', () => {
  const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
  expect(showValue(deep)).toBe('deeply nested (array)');
});

it('escapes half of a character, as JSON.parse quotes it in its message', () => {
  expect(escapeControls("Unexpected token '\ud800'")).toBe("Unexpected token '\\ud800'");
});
