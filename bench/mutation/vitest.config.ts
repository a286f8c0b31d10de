import { defineConfig } from 'vitest/config';

// The tests of one room, for Stryker. Growth tests measure time, which instrumented code has no use for.
export default defineConfig({
  test: {
    root: process.cwd(),
    include: [`${process.env['MUTATION_TESTS']}/**/*.test.ts`],
    exclude: ['**/*.growth.test.ts'],
    testTimeout: 120_000,
    isolate: false,
    fileParallelism: false,
  },
});
