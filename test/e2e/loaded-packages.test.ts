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

/** What the suites themselves need: to read CSV, to keep calls apart, for a matcher's rule, for the report's charts. */
const NEEDED = ['csv-parse', 'p-limit', 'fastest-levenshtein', 'd3-scale', 'd3-shape'];

test('a replay run loads none of the libraries of agents, tools and attachments', async () => {
  const loaded = await listLoaded(['run', 'evals']);
  expect(loaded).toContain('vitest');
  expect(loaded).toContain('csv-parse');
  expect(packages).toContain('mammoth');
  expect(packages.filter((name) => loaded.has(name) && !NEEDED.includes(name))).toEqual([]);
});
