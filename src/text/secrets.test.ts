import { describe, expect, test } from 'vitest';
import { cpuTime } from '../../test/cpu-time.ts';
import { hideInMessage, hideInMessages, maskKeyForms, maskKeys } from './secrets.ts';

const KEY = 'Qx7-aB3dE5fG7hJ9kL1m';

test.each([
  ['whole', `it is ${KEY}, ${KEY}`, 'it is [key], [key]'],
  ['but for its last character, at the end', `it is ${KEY.slice(0, -1)}`, 'it is [key]'],
  ['but for its first character, at the beginning', `${KEY.slice(1)} it is`, '[key] it is'],
  ['to the half, at the end', `it is ${KEY.slice(0, 10)}`, 'it is [key]'],
  ['to the half, at the beginning', `${KEY.slice(10)} it is`, '[key] it is'],
  ['before a mark', `"it is ${KEY.slice(0, 15)}…" (string)`, '"it is [key]…" (string)'],
  ['before three dots', `it is ${KEY.slice(0, 15)}... (status 400)`, 'it is [key]... (status 400)'],
  ['behind a mark', `last words:\n…${KEY.slice(1)} it is`, 'last words:\n…[key] it is'],
  ['behind three dots', `...${KEY.slice(5)} it is`, '...[key] it is'],
  ['at several places', `…${KEY.slice(3)} ${KEY} ${KEY.slice(0, 12)}…`, '…[key] [key] [key]…'],
  ['on both sides of a mark', `${KEY.slice(0, 12)}…${KEY.slice(-12)}`, '[key]…[key]'],
])('a key that is there %s is hidden', (_, text, hidden) => {
  expect(hideInMessage(text, [KEY])).toBe(hidden);
  expect(hideInMessages({ trace: [{ text }], steps: 2 }, [KEY])).toEqual({ trace: [{ text: hidden }], steps: 2 });
});

test.each([
  ['less than half of it at an end', `it is ${KEY.slice(0, 9)}`],
  ['half of it within a text', `it is ${KEY.slice(0, 19)} and no more`],
  ['its end within a text', `it is ${KEY.slice(1)}`],
  ['fewer than four characters', 'abc'],
])('%s stays', (_, text) => {
  expect(hideInMessage(text, [KEY, 'abcdef'])).toBe(text);
});

test.each([
  ['holds dots', 'a.b..c.d...e1', 'it is a.b..c.d...', 'it is [key]'],
  ['holds dots, before a mark of dots', 'abcd1.fgh', 'it is abcd1... (x)', 'it is [key]... (x)'],
  ['repeats itself', 'abababab1', 'xababababab', 'xab[key]'],
  ['is quoted as JSON', 'a"b\\c"d\\e1', 'got "a\\"b\\\\c\\"d…" (string)', 'got "[key]…" (string)'],
])('a key that %s is hidden too', (_, key, text, hidden) => {
  expect(hideInMessage(text, [key])).toBe(hidden);
});

test('a value without a part of a key stays the same one', () => {
  const value = { text: 'x' };
  expect(hideInMessages(value, [KEY])).toBe(value);
  expect(hideInMessages(undefined, [KEY])).toBeUndefined();
});

test('takes no time for long texts and many keys', () => {
  const keys = Array.from({ length: 300 }, (_, index) => `key-${index}-of-many`);
  const texts = [KEY.slice(0, 12), `${KEY.slice(0, 12)}…`, '...', 'a', 'ab'].map((piece) => piece.repeat(100_000));
  const start = cpuTime();
  for (const text of texts) hideInMessage(text, [KEY, 'a'.repeat(23), 'ab'.repeat(11), '.'.repeat(20)]);
  hideInMessage('word and ...'.repeat(100_000), keys);
  expect(cpuTime() - start).toBeLessThan(2_000);
});

describe('maskKeys', () => {
  test.each([
    ['401: bad key sk-proj-abcdef123456', '401: bad key [key]'],
    ['OPENAI_API_KEY=abcdefgh12345 was refused', 'OPENAI_API_KEY=[key] was refused'],
    ['{"password": "hunter2hunter2"}', '{"password": "[key]"}'],
    ['Authorization: Bearer abcdefgh12345', 'Authorization: Bearer [key]'],
    ['--api-key=abcdefgh12345', '--api-key=[key]'],
    ['KeyError: "x"', 'KeyError: "x"'],
    ['the token was short', 'the token was short'],
  ])('masks what looks like a key in %j', (text, masked) => {
    expect(maskKeys(text)).toBe(masked);
  });
});

describe('maskKeyForms', () => {
  test.each([
    ['provided: sk-ab***********xyz9.', 'provided: [key].'],
    ['http://me:p@ss@127.0.0.1:8/v1 is down', 'http://[key]@127.0.0.1:8/v1 is down'],
    ['http://me@host/a@b', 'http://[key]@host/a@b'],
    ['https://host/v1?x=1&api-key=abc&y=2', 'https://host/v1?x=1&api-key=[key]&y=2'],
    ['https://host/v1?X-Amz-Signature=ab12', 'https://host/v1?X-Amz-Signature=[key]'],
    ['http://host/@scope/name?monkey_business=1', 'http://host/@scope/name?monkey_business=1'],
    ['invalid_api_key: Incorrect key', 'invalid_api_key: Incorrect key'],
    ['max_tokens: 16000000', 'max_tokens: 16000000'],
    ['mail me@example.org', 'mail me@example.org'],
  ])('makes %j %j', (text, masked) => {
    expect(maskKeyForms(text)).toBe(masked);
  });

  test('takes no time for a hostile text', () => {
    const start = cpuTime();
    for (const piece of ['://', '://a', '?key', '?a-', 'sk-', 'bearer ', 'a.a-']) maskKeys(piece.repeat(100_000));
    expect(cpuTime() - start).toBeLessThan(2_000);
  });
});
