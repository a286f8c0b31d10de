import { defineConfig } from 'viteval/config';

export default defineConfig({ eval: { include: ['bench.eval.ts'] } });
