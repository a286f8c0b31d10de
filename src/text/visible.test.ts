import { expect, test } from 'vitest';
import { disarmCommands, toVisible, toVisibleJson, toVisibleLines, writeOutControls } from './visible.ts';

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

test.each([
  ['::error title=x::y', '\\::error title=x::y'],
  ['x\n::stop-commands::abc\n', 'x\n\\::stop-commands::abc\n'],
  ['x\n \u3000\t::warning::y', 'x\n \u3000\t\\::warning::y'],
  ['\u001B[31m::add-mask::17', '\u001B[31m\\::add-mask::17'],
  ['say ##[add-mask]17, ##VSO[task.x]', 'say ##\\[add-mask]17, ##\\VSO[task.x]'],
])('breaks the command in %j', (text, expected) => {
  expect(disarmCommands(text)).toBe(expected);
});

test.each(['std::move(x)', ':x:', 'a ::b::', '## [x]', '\n\n', ''])('leaves %j as it is', (text) => {
  expect(disarmCommands(text)).toBe(text);
});
