import { expect, test } from 'vitest';
import { toVisible, toVisibleLines, writeOutControls } from './visible-text.ts';

test.each([
  ['plain text, ünïcode 漢字 😀', 'plain text, ünïcode 漢字 😀'],
  ['a\nb\tc', 'a\\nb\\tc'],
  ['\u001b[31mred', '\\u{1b}[31mred'],
  ['right\u202eleft', 'right\\u{202e}left'],
  ['line\u2028end', 'line\\u{2028}end'],
  ['half \ud83d pair', 'half \\u{d83d} pair'],
  ['\u009b31m', '\\u{9b}31m'],
])('writes out what acts on a terminal: %j', (text, expected) => {
  expect(toVisible(text)).toBe(expected);
});

test.each([
  ['::error title=x::y', '\\::error title=x::y'],
  ['\t ::warning::y', '\\t ::warning::y'],
  ['  ::warning::y', '  \\::warning::y'],
  ['say ##[error]y', 'say ##\\[error]y'],
  ['std::move and ## [x]', 'std::move and ## [x]'],
])('lets no line be a command to CI, however often it is made visible: %j', (text, expected) => {
  expect(toVisible(text)).toBe(expected);
  expect(toVisible(expected)).toBe(expected);
  expect(writeOutControls(text)).toBe(expected.replace(/\\(?=::|\[)/, ''));
});

test('cuts long text without splitting a character', () => {
  expect(toVisible(`${'a'.repeat(199)}😀😀`)).toBe(`${'a'.repeat(199)}\uFFFD...`);
});

test('keeps the lines of a longer text', () => {
  expect(toVisibleLines('one\n\u001b[31mtwo\r\n')).toBe('one\n\\u{1b}[31mtwo\\u{d}\n');
});

test('lets no line of a longer text be a command to CI', () => {
  expect(toVisibleLines('one\n::error title=x::two')).toBe('one\n\\::error title=x::two');
});
