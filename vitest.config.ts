import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { viva, vivaProject } from './src/plugin/plugin.ts';

export default defineConfig({
  // Committed settings go into `defaults`, such as { limit: 20 }, or { prices: { 'my-model': {
  // input: 1, output: 4 } } } in USD for a million tokens. EVAL_* variables win over them.
  plugins: [viva({ defaults: {} })],
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{src,reporters,test}/**/*.test.ts'],
          globalSetup: ['test/compile-cache.ts'],
          // A machine at work makes each wait long, and no green run comes near these limits.
          testTimeout: 240_000,
          hookTimeout: 240_000,
          expect: { poll: { timeout: 30_000 } },
          // A file in a worker of its own costs 0.15 s of processor time more.
          isolate: false,
          unstubEnvs: true,
          restoreMocks: true,
          // Most of these tests wait for processes of their own.
          maxWorkers: availableParallelism() + 1,
        },
      },
      // Nothing at the root would change the evals: they share its Vite server, which starts 0.1 s
      // sooner.
      { ...vivaProject(), extends: true },
    ],
  },
});
