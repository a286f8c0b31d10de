import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../e2e/run-vitest.ts';
import { ENTRIES, findExample, listExports } from './exports.ts';

const exported = listExports();
const docs = globSync('docs/*.md', { cwd: ROOT })
  .map((path) => readFileSync(join(ROOT, path), 'utf8'))
  .join('\n');

test('finds what is imported', () => {
  const found = exported.map(({ from, name }) => `${from} ${name}`);
  expect(found).toEqual(
    expect.arrayContaining(['viva defineEval', 'viva AgentError', 'viva/vitest viva']),
  );
  expect(found).toEqual(expect.arrayContaining(['viva/otel fromOtlp', 'viva/ai-sdk aiSdk']));
});

test('each export has a docstring with an example', () => {
  const lacking = exported.filter((each) => findExample(each) === '').map(({ name }) => name);
  expect(lacking).toEqual([]);
});

test('each export and each entry has a place in docs/', () => {
  const names = [...exported.map(({ name }) => name), ...Object.keys(ENTRIES)];
  expect(names.filter((name) => !isNamed(name))).toEqual([]);
});

/** Whether a name stands in code of a page: alone, or as a part of a line. */
function isNamed(name: string): boolean {
  return new RegExp(`\`[^\`\\n]*(?<![\\w/])${name}\\b(?!/)[^\`\\n]*\``).test(docs);
}
