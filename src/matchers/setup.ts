import { expect, inject } from 'vitest';
import { matchers } from './index.ts';
import './matcher.ts';

// A setup file of Vitest. In any project it registers the matchers; for evals it loads the settings and keys of `.env`,
// of which the environment wins over each.
expect.extend(matchers);
const envFile: string | null | undefined = inject('vivaEnvFile');
if (typeof envFile === 'string') process.loadEnvFile(envFile);

declare module 'vitest' {
  interface ProvidedContext {
    vivaEnvFile: string | null;
  }
}
