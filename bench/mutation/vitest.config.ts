import { defineConfig } from 'vitest/config';

// The tests of one room, for both passes of the mutation check. Growth tests measure time, which instrumented code has
// no use for.
export default defineConfig({
  test: {
    root: process.cwd(),
    include: [`${process.env['MUTATION_TESTS']}/**/*.test.ts`],
    exclude: ['**/*.growth.test.ts', ...(process.env['MUTATION_FOLDER'] ? ['**/*.properties.test.ts'] : [])],
    setupFiles: process.env['MUTATION_FOLDER'] ? ['bench/mutation/quick.setup.ts'] : [],
    testTimeout: 120_000,
    hookTimeout: 0,
    isolate: process.env['MUTATION_FOLDER'] !== undefined,
    fileParallelism: false,
  },
});
