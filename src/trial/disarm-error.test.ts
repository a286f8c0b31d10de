import { expect, test } from 'vitest';
import { COMMANDING } from '../../test/hostile/hostile-text.ts';
import { withoutCommands } from './disarm-error.ts';

test.each([
  ['a message', new Error('a\n::error::x')],
  ['a record', new RangeError('q.jsonl:1: "Level" must be 1, 2 or 3, got "##[error]x"')],
  ['a name', Object.assign(new Error('x'), { name: '::error::x' })],
  ['a cause', new Error('cannot be loaded', { cause: new Error('a\n ::error::x') })],
  ['a further field', Object.assign(new Error('##[error]x'), { received: '##[error]x' })],
])('%s is thrown without a command to CI', async (_, error) => {
  const thrown = await withoutCommands(() => Promise.reject(error)).catch((reason: Error) => reason);
  const { name, message, stack, cause, ...others } = thrown;
  const texts = cause instanceof Error ? [cause.message, cause.stack] : [];
  for (const text of [name, message, stack, ...texts]) expect(text ?? '').not.toMatch(COMMANDING);
  expect(message.replaceAll('\\', '')).toBe(error.message);
  expect(others).toEqual({});
});

test('any other error stays the same one, and what does not fail is given back', async () => {
  const error = new Error('std::move', { cause: new Error('## [x]') });
  await expect(withoutCommands(() => Promise.reject(error))).rejects.toBe(error);
  await expect(withoutCommands(() => Promise.resolve('::error::x'))).resolves.toBe('::error::x');
});
