import { expect, test } from 'vitest';
import {
  cut,
  disarmCommands,
  escapeControls,
  escapeJson,
  escapeLine,
  escapeLines,
  partOf,
  plural,
  quote,
  showPath,
  showValue,
} from './show.ts';

test.each([
  ['4', '"4"'],
  [4, '4'],
  [null, 'null'],
  [undefined, 'nothing'],
  [true, 'true'],
  [['a', 1], '["a",1]'],
  [{ a: 'b' }, '{"a":"b"}'],
  ['a"b\\c\nd', '"a\\"b\\\\c\\nd"'],
  ['\u202eabc\u2028\u200b\u{e0041}', '"\\u202eabc\\u2028\\u200b\\udb40\\udc41"'],
  ['x'.repeat(121), `"${'x'.repeat(120)}…"`],
  [{ long: 'x'.repeat(200) }, `{"long":"${'x'.repeat(111)}…`],
])('shows %j as %s', (value, shown) => {
  expect(showValue(value)).toBe(shown);
});

class Own {
  readonly a = 1;
}

const circular: unknown[] = [];
circular.push(circular);

test.each<[name: string, value: unknown, shown: string]>([
  ['a function', () => 1, '() => 1'],
  [
    'what is no data',
    { a: () => 'x', b: [new Map()], c: 1n, d: [Number.NaN, -Infinity], e: '\u0001NaN.' },
    '{"a":"[function]","b":["[Map]"],"c":1n,"d":[NaN,-Infinity],"e":"\\u0001NaN."}',
  ],
  ['a promise', Promise.resolve(1), 'Promise'],
  ['a pattern', /a/, 'RegExp'],
  ['a large integer', 10n, '10n'],
  ['an object of a class', new Own(), '{"a":1}'],
  ['an object without a prototype', Object.create(null), '{}'],
  ['a circle', circular, 'a value that JSON cannot show'],
])('shows %s', (_, value, shown) => {
  expect(showValue(value)).toBe(shown);
});

test('cuts without splitting a character', () => {
  expect(cut(`${'a'.repeat(119)}😀😀`)).toBe(`${'a'.repeat(119)}…`);
  expect(escapeLine('a'.repeat(201))).toBe(`${'a'.repeat(200)}…`);
});

test.each([
  ['plain text, ünïcode 漢字 😀', 'plain text, ünïcode 漢字 😀'],
  ['a\nb\tc\r', 'a\\nb\\tc\\r'],
  ['\u009b\u202e\u2028', '\\u009b\\u202e\\u2028'],
  ['half \ud83d pair', 'half \\ud83d pair'],
])('escapes what acts on a terminal: %j', (text, expected) => {
  expect(escapeLine(text)).toBe(expected);
  expect(escapeControls(text)).toBe(expected);
  expect(quote(text)).toBe(`"${expected}"`);
});

test('keeps the lines of a longer text, and lets none of them be a command to CI', () => {
  expect(escapeLines('one\n\u001b[31mtwo\r\n::error title=x::three')).toBe(
    'one\n\\u001b[31mtwo\\r\n\\::error title=x::three',
  );
});

test.each([
  ['src/words/row.ts', 'src/words/row.ts'],
  ['.', '.'],
  ['/elsewhere/a\u001b.csv', '/elsewhere/a\\u001b.csv'],
])('shows the path %j as %s', (path, shown) => {
  expect(showPath(path)).toBe(shown);
});

test.each([
  ['a\u007fb', '"a\\u007fb"'],
  ['a\u0085b\u2028c', '"a\\u0085b\\u2028c"'],
  ['\u009b\u202e\u200d', '"\\u009b\\u202e\\u200d"'],
  ['\u{e0001}', '"\\udb40\\udc01"'],
  ['é 👩 ü', '"é 👩 ü"'],
])('writes %j as %s, which parses back', (text, json) => {
  expect(escapeJson(text)).toBe(json);
  expect(JSON.parse(escapeJson(text))).toBe(text);
});

test.each([
  ['::error title=x::y', '\\::error title=x::y'],
  ['x\n \u3000\t::warning::y', 'x\n \u3000\t\\::warning::y'],
  ['\u001B[31m::add-mask::17', '\u001B[31m\\::add-mask::17'],
  ['say ##[add-mask]17, ##VSO[task.x]', 'say ##\\[add-mask]17, ##\\VSO[task.x]'],
  ...['std::move(x)', ':x:', 'a ::b::', '## [x]', '\n\n', ''].map((text) => [text, text]),
])('breaks a command in %j, once: %j', (text = '', expected = '') => {
  expect(disarmCommands(text)).toBe(expected);
  expect(disarmCommands(expected)).toBe(expected);
});

test.each([
  [0, '0 questions'],
  [1, '1 question'],
  [30, '30 questions'],
])('%i is %s', (count, text) => expect(plural(count, 'question')).toBe(text));

test('a verb follows its number', () => {
  expect([plural(1, 'call was', 'calls were'), plural(2, 'call was', 'calls were')]).toEqual([
    '1 call was',
    '2 calls were',
  ]);
});

test.each([
  [1, 1, '1 of 1 answer is hidden'],
  [1, 2, '1 of 2 answers is hidden'],
  [2, 2, '2 of 2 answers are hidden'],
])('a verb follows the number of answers: %i of %i', (part, whole, text) => {
  expect(`${partOf(part, whole, 'answer', 'is', 'are')} hidden`).toBe(text);
});
