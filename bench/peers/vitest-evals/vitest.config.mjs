import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { include: ['bench.eval.ts'], maxConcurrency: 20 } });
