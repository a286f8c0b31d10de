import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, type RunnerTestCase, type RunnerTestFile, TestRunner } from 'vitest';

/** Where Stryker's switches look up which mutant is active, and note which mutants a test reaches. */
type Switches = {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number;
  hitLimit?: number;
  mutantCoverage?: { readonly perTest: Readonly<Record<string, Readonly<Record<string, number>>>> } | undefined;
};

declare global {
  var __stryker__: Switches | undefined;
}

/** A mutant that is passed so many times as often as the code was runs for ever. */
const MOST_HITS = 100;
/** Slower tests are left to Stryker: each mutant that nothing else kills would run them. */
const MOST_MS = 1000;

const switches: Switches = globalThis.__stryker__ ?? {};
globalThis.__stryker__ = switches;
const folder = process.env['MUTATION_FOLDER'] ?? '';

beforeEach(({ task }) => {
  switches.currentTestId = task.id;
});
afterEach(() => {
  switches.currentTestId = undefined;
});

// Every mutant that the tests of this file reach, one after another in this very worker: a start of Vitest for each
// would take a second, and nearly all are killed by the first test or two.
// biome-ignore lint/correctness/noEmptyPattern: Vitest insists on a pattern before the file.
afterAll(async ({}, file) => {
  const perTest = switches.mutantCoverage?.perTest ?? {};
  switches.mutantCoverage = undefined;
  switches.currentTestId = 'none';
  const tests = await findUsable(listTests(file));
  const done = new Set([...readLines('killed'), ...readLines('hung')]);
  for (const id of new Set(Object.values(perTest).flatMap(Object.keys))) {
    const covering = tests.filter((test) => perTest[test.id]?.[id] !== undefined);
    if (done.has(id) || covering.length === 0) continue;
    writeFileSync(join(folder, 'current'), id);
    if (await isKilled(id, covering, perTest)) appendFileSync(join(folder, 'killed'), `${id}\n`);
  }
  writeFileSync(join(folder, 'current'), '');
});

function listTests(suite: RunnerTestFile | RunnerTestFile['tasks'][number]): readonly RunnerTestCase[] {
  return suite.type === 'suite' ? suite.tasks.flatMap(listTests) : [suite];
}

/** The tests that pass when their function is called once more, the fastest first. */
async function findUsable(tests: readonly RunnerTestCase[]): Promise<readonly RunnerTestCase[]> {
  const fast = tests.filter(({ result }) => (result?.duration ?? 0) < MOST_MS);
  const passing = [];
  for (const test of fast) if (await passes(test)) passing.push(test);
  return passing.sort((a, b) => (a.result?.duration ?? 0) - (b.result?.duration ?? 0));
}

/**
 * Whether a test fails with the mutant, and passes again without it: else something remembers what the mutant did. The
 * graders remember their latest question, so another test runs in between.
 */
async function isKilled(
  id: string,
  tests: readonly RunnerTestCase[],
  perTest: Readonly<Record<string, Readonly<Record<string, number>>>>,
): Promise<boolean> {
  for (const test of tests) {
    const other = tests.find((candidate) => candidate !== test) ?? test;
    await passes(other);
    switches.hitCount = 0;
    switches.hitLimit = MOST_HITS * (perTest[test.id]?.[id] ?? 1);
    switches.activeMutant = id;
    const passed = await passes(test);
    switches.activeMutant = undefined;
    if (passed) continue;
    await passes(other);
    return passes(test);
  }
  return false;
}

async function passes(test: RunnerTestCase): Promise<boolean> {
  try {
    await TestRunner.getTestFn(test)();
    return true;
  } catch {
    return false;
  }
}

function readLines(name: string): readonly string[] {
  const path = join(folder, name);
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
}
