import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { refusing } from './provided-run.ts';

async function refuse(thrown: unknown): Promise<unknown> {
  return refusing(async () => {
    throw thrown;
  }).catch((error: unknown) => error);
}

test('a mistake is shown without a place in the code', async () => {
  const shown = await refuse(new Error('no such file'));
  expect(shown).toMatchObject({ name: 'Refused', message: 'no such file', stack: 'Refused: no such file' });
});

test('a fault of code keeps its place', async () => {
  const fault = new TypeError('x is not a function');
  expect(await refuse(fault)).toBe(fault);
  expect(await refuse('text')).toBe('text');
});

test('of what a module threw while it was loaded, its own frames are shown', async () => {
  const file = join(makeFolder({ 'agent.mjs': "\nthrow new TypeError('broken');" }), 'agent.mjs');
  const cause: unknown = await import(/* @vite-ignore */ pathToFileURL(file).href).catch((error: unknown) => error);
  const shown = await refuse(new Error('cannot be loaded', { cause }));
  expect(shown).toMatchObject({
    cause: { stack: expect.stringMatching(/^TypeError: broken\n +at .*agent\.mjs:2:7\)?$/) },
  });
});

test.each([
  [
    'is of the same place',
    (message: string) => Object.assign(new Error(message), { stack: 'E\n    at f (/own/suite.ts:1:2)' }),
  ],
  ['is of Node', (message: string) => Object.assign(new Error(message), { stack: 'E\n    at open (node:fs:1:2)' })],
  ['says that a package is missing', () => new Error("Cannot find package 'x'")],
])('a cause that %s is left out', async (_, make) => {
  const error = new Error('no such file', { cause: make('ENOENT') });
  error.stack = 'Error: no such file\n    at async f (/own/suite.ts:1:2)';
  expect(await refuse(error)).not.toHaveProperty('cause');
});
