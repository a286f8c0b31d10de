// Started by quick-pass.ts with the path of a bundle: says "ready", then, for each id of a mutant that it is sent, whether
// a test fails with it.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Script } from 'node:vm';
import { type ListedTest, makeTestList } from './listed-tests.ts';

/** Where Stryker's switches look up which mutant is active, and note which mutants a test reaches. */
type Switches = {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: Coverage | undefined;
};
type Coverage = {
  readonly static: Readonly<Record<string, number>>;
  readonly perTest: Readonly<Record<string, Readonly<Record<string, number>>>>;
};

declare global {
  var __stryker__: Switches | undefined;
  var mutationTests: ReturnType<typeof makeTestList>['api'] | undefined;
}

/** What so few tests reach may be remembered by the code for all that follow. */
const FEW = 3;

const [path = ''] = process.argv.slice(2);
const script = new Script(readFileSync(path, 'utf8'), { filename: path });
const switches: Switches = {};
globalThis.__stryker__ = switches;

const usable = await findUsable();
const coverage = await measure();
/** How many mutants a test has killed: those that killed many are tried first. */
const kills = new Map<number, number>();

process.on('message', async (id: string) => {
  process.send?.({ killed: await isKilled(id) });
});
process.send?.('ready');

/** Loads every module anew. */
function load(): readonly ListedTest[] {
  const { tests, api } = makeTestList();
  globalThis.mutationTests = api;
  const module = { exports: {} };
  script.runInThisContext()(createRequire(import.meta.url), module, module.exports);
  return tests;
}

/** The numbers of the tests that pass without a mutant, the fastest first. */
async function findUsable(): Promise<readonly number[]> {
  const passing = [];
  for (const [number, test] of load().entries()) {
    const start = performance.now();
    if (await passes(test)) passing.push({ number, ms: performance.now() - start });
  }
  return passing.sort((a, b) => a.ms - b.ms).map(({ number }) => number);
}

/** Which mutants are reached while the modules are loaded, and which by each test. */
async function measure() {
  const noted: Coverage = { static: {}, perTest: {} };
  switches.mutantCoverage = noted;
  const tests = load();
  for (const number of usable) {
    switches.currentTestId = String(number);
    await passes(tests[number]);
  }
  switches.mutantCoverage = undefined;
  const reached = new Map<string, Set<number>>();
  for (const [test, ids] of Object.entries(noted.perTest)) {
    for (const id of Object.keys(ids)) reached.set(id, (reached.get(id) ?? new Set()).add(Number(test)));
  }
  switches.currentTestId = 'none';
  return { onLoad: new Set(Object.keys(noted.static)), reached };
}

async function isKilled(id: string): Promise<boolean> {
  switches.activeMutant = id;
  try {
    const tests = load();
    for (const number of listTests(id)) {
      if (await passes(tests[number])) continue;
      kills.set(number, (kills.get(number) ?? 0) + 1);
      return true;
    }
    return false;
  } catch {
    return true;
  } finally {
    switches.activeMutant = undefined;
  }
}

function listTests(id: string): readonly number[] {
  const reached = coverage.reached.get(id) ?? new Set();
  const all = usable.toSorted((a, b) => (kills.get(b) ?? 0) - (kills.get(a) ?? 0));
  if (coverage.onLoad.has(id)) return all;
  const direct = usable.filter((number) => reached.has(number));
  if (direct.length === 0 || direct.length >= FEW) return direct;
  return [...direct, ...all.filter((number) => !reached.has(number))];
}

async function passes(test: ListedTest | undefined): Promise<boolean> {
  try {
    await test?.();
    return true;
  } catch {
    return false;
  }
}
