import { expect, inject } from 'vitest';
import { matchers } from './index.ts';
import './matcher.ts';

// A setup file of Vitest. It registers the matchers in every project. For evals it also loads the settings and keys of
// `.env`; variables of the environment override them.
expect.extend(matchers);
const envFile: string | null | undefined = inject('vivaEnvFile');
if (typeof envFile === 'string') process.loadEnvFile(envFile);

declare module 'vitest' {
  interface ProvidedContext {
    vivaEnvFile: string | null;
  }
}
