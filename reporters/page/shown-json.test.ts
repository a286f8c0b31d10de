import { expect, test } from 'vitest';
import { toShown, toShownJson } from './shown-json.ts';

test.each([
  ['plain', 'plain'],
  ['a\tb\nc', 'a\tb\nc'],
  ['a\r\nb', 'a\nb'],
  ['a\rb', 'a\\rb'],
  ['\u001b[2J', '\\u001b[2J'],
  ['\u202egnp.exe', '\\u202egnp.exe'],
  ['\ud800', '\\ud800'],
  ['\u{1f4a5}', '\u{1f4a5}'],
  // Already an escape: a backslash and letters.
  ['\\u001b', '\\u001b'],
  ['\\\u001b', '\\\\u001b'],
  ['\u{e0001}', '\\udb40\\udc01'],
])('%j is shown as %j', (text, shown) => {
  expect(toShown(text)).toBe(shown);
});

test('names of fields are shown so too', () => {
  expect(JSON.parse(toShownJson({ 'a\u202e': ['\u0000'] }))).toEqual({ 'a\\u202e': ['\\u0000'] });
});
