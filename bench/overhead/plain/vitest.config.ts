import { defineConfig } from 'vitest/config';

// What the "evals" project of this suite sets, so that only its code makes the difference.
export default defineConfig({
  test: {
    name: 'plain',
    include: ['*.eval.ts'],
    pool: 'forks',
    maxWorkers: 1,
    isolate: false,
    maxConcurrency: 200,
    testTimeout: 0,
  },
});
