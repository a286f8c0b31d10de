import { describe, expect, test } from 'vitest';
import { cpuTime } from '../../test/cpu-time.ts';
import { maskKeyForms, maskKeys } from './mask-keys.ts';

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
