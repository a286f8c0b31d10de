import { expect, test } from 'vitest';
import { hideKeys } from './hide-keys.ts';
import type { Json } from './sample.ts';
import { toBase64Forms } from './secrets.ts';

const KEY = 'Zx81Zx81Zx81';
const BLOCK = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkq'.repeat(8)}\n-----END PRIVATE KEY-----`;
const inJson = (value: unknown) => JSON.stringify(value, null, 1);

test.each<[string, Json, Json]>([
  ['a field', { apiKey: KEY, q: KEY }, { apiKey: '[key]', q: KEY }],
  ['a list', { password: [KEY, 'p4ssw0rd1'] }, { password: ['[key]', '[key]'] }],
  [
    'a value',
    { token: { value: KEY, at: '2026-01-01' } },
    { token: { value: '[key]', at: '2026-01-01' } },
  ],
  [
    'a number',
    { secret: 123456789, max_tokens: 123456789 },
    { secret: '[key]', max_tokens: 123456789 },
  ],
  ['a private key', { pem: BLOCK, cut: BLOCK.slice(0, 90) }, { pem: '[key]', cut: '[key]' }],
  [
    'JSON in a text',
    [{ text: inJson({ apiKey: KEY, n: 1 }) }],
    [{ text: inJson({ apiKey: '[key]', n: 1 }) }],
  ],
  [
    'JSON in JSON',
    inJson({ a: inJson({ password: KEY }) }),
    inJson({ a: inJson({ password: '[key]' }) }),
  ],
  ['no short text', inJson({ token: 'x', b: KEY }), inJson({ token: 'x', b: KEY })],
  ['a key with marks', inJson({ token: `a"b\\${KEY}` }), inJson({ token: '[key]' })],
  ['lines', `A=1\nAPI_KEY=${KEY}\npassword: ${KEY}.`, 'A=1\nAPI_KEY=[key]\npassword: [key]'],
  [
    'what finds something',
    inJson({ nextPageToken: KEY, key: KEY }),
    inJson({ nextPageToken: KEY, key: KEY }),
  ],
  [
    'words',
    'The password: it is below. The token is used.',
    'The password: it is below. The token is used.',
  ],
])('hides %s', (_, value, hidden) => {
  expect(hideKeys(value, [])).toEqual(hidden);
});

test.each(['', 'a', 'ab', 'user:'])('hides a known key in base64 behind "%s"', (before) => {
  const secret = 'hunter2-?>~hunter3';
  const forms = [secret, ...toBase64Forms(secret)];
  for (const encoding of ['base64', 'base64url'] as const) {
    const text = Buffer.from(`${before}${secret}:`).toString(encoding);
    const hidden = String(hideKeys(text, forms));
    expect(hidden).toContain('[key]');
    expect(hidden.length).toBeLessThan(before.length * 2 + 12);
  }
});
