import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.ts', 'reporters/**/*.test.ts', 'test/**/*.test.ts'] } },
    ],
  },
});
