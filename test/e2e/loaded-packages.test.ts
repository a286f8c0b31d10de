import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { ROOT, runVitest } from './run-vitest.ts';

/** The packages that a run loads, in whichever of its processes. */
async function listLoaded(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const file = join(makeFolder(), 'packages.txt');
  const hooks = pathToFileURL(join(ROOT, 'test/fixtures/record-packages.mjs')).href;
  const { code } = await runVitest(args, { ...env, NODE_OPTIONS: `--import=${hooks}`, PACKAGES_FILE: file });
  expect(code).toBe(0);
  return new Set(readFileSync(file, 'utf8').trim().split('\n'));
}

const packages = Object.keys(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).dependencies);

/** What the suites themselves need: to keep calls apart, for a matcher's rule, for the report's charts. */
const NEEDED = ['p-limit', 'fastest-levenshtein', 'd3-scale', 'd3-shape'];

test.each([
  ['JSON lines', 'evals/gaia', []],
  ['a table', 'evals/mcq', ['csv-parse']],
])('a replay of %s loads none of the libraries of agents, tools and attachments', async (_, evals, more) => {
  const loaded = await listLoaded(['run', evals]);
  expect(packages).toContain('mammoth');
  for (const name of ['vitest', 'p-limit', ...more]) expect(loaded).toContain(name);
  expect(packages.filter((name) => loaded.has(name) && ![...NEEDED, ...more].includes(name))).toEqual([]);
});
