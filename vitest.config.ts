import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { viva } from './src/plugin/plugin.ts';

// The only file that reads the environment; .env fills in what the environment does not set.
if (existsSync('.env')) process.loadEnvFile('.env');

export default defineConfig({
  plugins: [
    viva({
      env: process.env,
      argv: process.argv.slice(2),
      gates: 'evals/gates.json',
      // Committed settings, such as { limit: 20 } or { prices: { 'my-model': { input: 1, output: 4 } } } (USD for a million
      // tokens); EVAL_* variables win over them.
      defaults: {},
    }),
  ],
  test: {
    tags: [{ name: 'level1' }, { name: 'level2' }, { name: 'level3' }],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{src,reporters,test}/**/*.test.ts'],
          testTimeout: 60_000,
          // Vitest leaves one core free; most of these tests wait for processes of their own.
          maxWorkers: '100%',
        },
      },
      {
        test: {
          name: 'evals',
          include: ['evals/**/*.eval.ts'],
          setupFiles: ['src/matchers/setup.ts'],
          // One worker, so that the limit on calls under way is one limit; a fork, so that its crash loses only itself.
          pool: 'forks',
          maxWorkers: 1,
          // Vitest refuses projects of different numbers of workers side by side: the evals come after the unit tests.
          sequence: { groupOrder: 1 },
          isolate: false,
          // Node loads viva's sources faster than Vite; in watch mode Vite must know which file imports which.
          server: { deps: { external: process.argv.includes('run') ? [/\/src\/(?!.*\.eval\.)/] : [] } },
          // Vitest admits tests freely, and more where EVAL_CONCURRENCY is larger: the agents' own limits hold them back.
          maxConcurrency: 200,
          testTimeout: 0,
        },
      },
    ],
  },
});
