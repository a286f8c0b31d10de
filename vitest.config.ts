import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { viva } from './src/plugin/plugin.ts';
import { ONLY_POSIX, POSIX_FILES } from './test/only-posix.ts';

/** The files whose runs take longest come first, so that none is left alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      LONGEST.findIndex((name) => moduleId.endsWith(name)) + 1 || Infinity;
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b) || 0);
  }
}

const LONGEST = [
  'test/package/package.test.ts',
  'test/docs/pages.test.ts',
  'test/e2e/own-repository.test.ts',
  'test/e2e/workflow.test.ts',
  'test/html/report.test.ts',
  'test/e2e/recipes.test.ts',
  'test/faults/own-agents.test.ts',
  'test/e2e/nemesis.test.ts',
  'test/agents/aimock.test.ts',
  'src/tools/mcp/server.test.ts',
];

export default defineConfig({
  // Committed settings go into `defaults`, such as { limit: 20 }, or { prices: { 'my-model': {
  // input: 1, output: 4 } } } in USD for a million tokens. EVAL_* variables win over them.
  plugins: [viva({ defaults: {} })],
  test: {
    include: ['{src,reporters,test}/**/*.test.ts'],
    exclude: [
      ...configDefaults.exclude,
      ...(ONLY_POSIX.skip ? Object.values(POSIX_FILES).flat() : []),
    ],
    globalSetup: ['test/compile-cache.ts', 'test/skipped.ts'],
    sequence: { sequencer: LongestFirst },
    // A machine at work makes each wait long, and no green run comes near these limits.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 30_000 } },
    // A file in a worker of its own costs 0.15 s of processor time more.
    isolate: false,
    // Tests read what is printed.
    env: { NO_COLOR: '1' },
    unstubEnvs: true,
    restoreMocks: true,
    // Most of these tests wait for processes of their own.
    maxWorkers: availableParallelism() + 1,
  },
});
