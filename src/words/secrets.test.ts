import { describe, expect, test } from 'vitest';
import { cpuTime } from '../../test/cpu-time.ts';
import { messageOf } from '../../test/message-of.ts';
import { parseAgentSpecs } from '../agents/kinds.ts';
import { readConfig } from '../settings.ts';
import { maskKeyForms, maskKeys, redact, redactIn, redactMessage } from './secrets.ts';

const KEY = 'Qx7-aB3dE5fG7hJ9kL1m';
const LONG = 'abcdefgh-0123456789-tuvwxyz';

describe('in an answer', () => {
  test.each<[string, string, string, string?]>([
    ['a whole key', `it is ${KEY}, ${KEY}`, KEY, 'it is [key], [key]'],
    ['a key in JSON', 'it is "a\\"b\\\\c"', 'a"b\\c', 'it is "[key]"'],
    ['the beginning of a long key', `cut off: ${LONG.slice(0, 20)}`, LONG, 'cut off: [key]'],
    ['the end of a long key', `${LONG.slice(9)} was cut off`, LONG, '[key] was cut off'],
    ['not 15 characters of a long key', `${LONG.slice(0, 15)}****`, LONG],
    ['no part of a short key', 'local-key of local-keys', 'local-key-12345'],
  ])('hides %s', (_, text, key, hidden = text) => {
    expect(redact(text, [key])).toBe(hidden);
    const value = { trace: [{ text }], deep: { [text]: 1 }, steps: 2 };
    expect(redactIn(value, [key])).toEqual({
      trace: [{ text: hidden }],
      deep: { [hidden]: 1 },
      steps: 2,
    });
  });
});

describe('in a message', () => {
  test.each<[string, string, string?]>([
    ['whole', `it is ${KEY}, ${KEY}`, 'it is [key], [key]'],
    ['but for its last character, at the end', `it is ${KEY.slice(0, -1)}`, 'it is [key]'],
    ['to the half, at the beginning', `${KEY.slice(10)} it is`, '[key] it is'],
    ['before a mark', `"it is ${KEY.slice(0, 15)}…" (string)`, '"it is [key]…" (string)'],
    [
      'before three dots',
      `it is ${KEY.slice(0, 15)}... (status 400)`,
      'it is [key]... (status 400)',
    ],
    ['on both sides of a mark', `${KEY.slice(0, 12)}…${KEY.slice(-12)}`, '[key]…[key]'],
    ['but not less than half of it at an end', `it is ${KEY.slice(0, 9)}`],
    ['but not half of it within a text', `it is ${KEY.slice(0, 19)} and no more`],
    ['but not its end within a text', `it is ${KEY.slice(1)}`],
  ])('hides a key %s', (_, text, hidden = text) => {
    expect(redactMessage(text, [KEY, 'abcdef'])).toBe(hidden);
    expect(redactIn([{ text }], [KEY], redactMessage)).toEqual([{ text: hidden }]);
  });

  test.each([
    ['holds dots', 'a.b..c.d...e1', 'it is a.b..c.d...', 'it is [key]'],
    ['holds dots, before a mark of dots', 'abcd1.fgh', 'it is abcd1... (x)', 'it is [key]... (x)'],
    [
      'is quoted as JSON',
      'a"b\\c"d\\e1',
      'got "a\\"b\\\\c\\"d…" (string)',
      'got "[key]…" (string)',
    ],
  ])('a key that %s is hidden too', (_, key, text, hidden) => {
    expect(redactMessage(text, [key])).toBe(hidden);
  });

  test('takes no time for long texts and many keys', () => {
    const keys = Array.from({ length: 300 }, (_, index) => `key-${index}-of-many`);
    const texts = [KEY.slice(0, 12), `${KEY.slice(0, 12)}…`, '...', 'a', 'ab'].map((piece) =>
      piece.repeat(100_000),
    );
    const start = cpuTime();
    for (const text of texts)
      redactMessage(text, [KEY, 'a'.repeat(23), 'ab'.repeat(11), '.'.repeat(20)]);
    redactMessage('word and ...'.repeat(100_000), keys);
    expect(cpuTime() - start).toBeLessThan(5_000);
  });
});

test.each([
  ['401: bad key sk-proj-abcdef123456', '401: bad key [key]'],
  ['OPENAI_API_KEY=abcdefgh12345 was refused', 'OPENAI_API_KEY=[key] was refused'],
  ['{"password": "hunter2hunter2"}', '{"password": "[key]"}'],
  ['KeyError: "x"', 'KeyError: "x"'],
])('maskKeys masks what looks like a key in %j', (text, masked) => {
  expect(maskKeys(text)).toBe(masked);
});

test.each([
  ['provided: sk-ab***********xyz9.', 'provided: [key].'],
  [`no such key: ${'sk_live'}_abcdef12`, 'no such key: [key]'],
  ['http://me:p@ss@127.0.0.1:8/v1 is down', 'http://[key]@127.0.0.1:8/v1 is down'],
  ['http://me@host/a@b', 'http://[key]@host/a@b'],
  ['https://host/v1?x=1&api-key=abc&y=2', 'https://host/v1?x=1&api-key=[key]&y=2'],
  ['http://host/@scope/name?monkey_business=1', 'http://host/@scope/name?monkey_business=1'],
  ['invalid_api_key: Incorrect key', 'invalid_api_key: Incorrect key'],
  ['mail me@example.org', 'mail me@example.org'],
])('maskKeyForms makes %j %j', (text, masked) => {
  expect(maskKeyForms(text)).toBe(masked);
});

describe('the name of an agent', () => {
  test.each([
    ['openai:m?base_url=http://me:pw@host/v1', 'openai:m?base_url=http://[key]@host/v1'],
    ['openai:m?base_url=http%3A%2F%2Fme%3Apw%40host', 'openai:m?base_url=http://[key]@host'],
    ['openai:m?temperature=0&api_key=abc', 'openai:m?temperature=0&api_key=[key]'],
    ['openai:m?base_url=http%3A%2F%2Fhost', 'openai:m?base_url=http%3A%2F%2Fhost'],
  ])('for %s is %s', (written, shown) => {
    expect(parseAgentSpecs(written)).toMatchObject([{ text: shown }]);
  });

  test('hides nothing from the agent itself', () => {
    const [model, command] =
      parseAgentSpecs('openai:m?base_url=http://me:pw@host,command:KEY=abcdefgh1 a') ?? [];
    expect(model?.params).toEqual([['base_url', 'http://me:pw@host']]);
    expect(command?.target).toBe('KEY=abcdefgh1 a');
  });
});

test.each([
  ['a value that is refused', { EVAL_AGENT: 'gpt:http://me:p4ssphrase@host' }],
  ['a setting that is none', { EVAL_API_KEY: 'p4ssphrase' }],
])('a credential in %s is not shown', (_, env) => {
  const message = messageOf(() => readConfig(env));
  expect(message).toContain('[key]');
  expect(message).not.toContain('p4ssphrase');
});
