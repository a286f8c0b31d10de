import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { hideInError, withoutKeys } from './hide-in-error.ts';

const SECRET = 'local-key-12345';

function makeLeaky(): Error {
  const cause = Object.assign(new TypeError(SECRET), { name: `Odd ${SECRET}` });
  return Object.assign(new RangeError(`no: ${SECRET}`, { cause }), { received: SECRET, headers: { key: SECRET } });
}

test('an error holds no key in name, message, stack, causes and further fields', () => {
  const hidden = hideInError(makeLeaky(), [SECRET]);
  expect(hidden).toMatchObject({ name: 'RangeError', message: 'no: [key]', cause: { name: 'Odd [key]' } });
  expect(hidden.stack).toMatch(/^RangeError: no: \[key\]\n\s+at makeLeaky/);
  expect(inspect(hidden, { depth: 9, showHidden: true })).not.toContain(SECRET);
});

test('what fails is thrown without keys, and what does not is given back', async () => {
  await expect(withoutKeys([SECRET], () => Promise.reject(SECRET))).rejects.toThrow('[key]');
  await expect(withoutKeys([SECRET], () => Promise.resolve(SECRET))).resolves.toBe(SECRET);
});

test('without any key an error stays the same one', async () => {
  const error = makeLeaky();
  await expect(withoutKeys([], () => Promise.reject(error))).rejects.toBe(error);
});
