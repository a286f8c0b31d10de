import { expect, inject } from 'vitest';
import { matchers } from './index.ts';
// The declaration file keeps this import alone, and with it the types of the matchers.
import './index.ts';

// A setup file of Vitest. It registers the matchers in every project. For evals it also loads the
// keys of `.env`, which variables of the environment override, and removes viva's settings: they
// name the file with the expected answers.
expect.extend(matchers);
const envFile: string | null | undefined = inject('vivaEnvFile');
if (typeof envFile === 'string') process.loadEnvFile(envFile);
if (envFile !== undefined) {
  for (const name of Object.keys(process.env))
    if (name.startsWith('EVAL_')) delete process.env[name];
}

declare module 'vitest' {
  interface ProvidedContext {
    vivaEnvFile: string | null;
  }
}
