import { expect, test } from 'vitest';
import { maskKeys } from './mask-keys.ts';

test.each([
  ['401: bad key sk-proj-abcdef123456', '401: bad key [key]'],
  ['OPENAI_API_KEY=abcdefgh12345 was refused', 'OPENAI_API_KEY=[key] was refused'],
  ['{"password": "hunter2hunter2"}', '{"password": "[key]"}'],
  ['Authorization: Bearer abcdefgh12345', 'Authorization: Bearer [key]'],
  ['KeyError: "x"', 'KeyError: "x"'],
  ['the token was short', 'the token was short'],
])('masks what looks like a key in %j', (text, masked) => {
  expect(maskKeys(text)).toBe(masked);
});
