import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { importModule } from './import-module.ts';

function toUrl(source: string): string {
  const folder = makeFolder({ 'agent.mjs': source, 'waits.mjs': 'await new Promise(() => {})' });
  return pathToFileURL(join(folder, 'agent.mjs')).href;
}

test.each([
  ['awaits for ever', 'await new Promise(() => {}); export default () => ""'],
  ['awaits for far too long', 'await new Promise((resolve) => setTimeout(resolve, 1e6).unref()); export default 1'],
  ['imports a file that awaits for ever', 'import "./waits.mjs"; export default () => ""'],
  ['exports a "then" that never calls back', 'export function then() {}; export default () => ""'],
])('a module that %s is not waited for without end', async (_, source) => {
  const problem = 'its import has not ended after 0.2 s: a top-level await in it, or in a file';
  await expect(importModule(toUrl(source), 200)).rejects.toThrow(problem);
});

test('a module that takes its time within the limit is imported', async () => {
  const url = toUrl('await new Promise((resolve) => setTimeout(resolve, 100)); export default "17"');
  expect(await importModule(url)).toMatchObject({ default: '17' });
});
