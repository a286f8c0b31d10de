import { expect } from 'vitest';
import { matchers } from './index.ts';
import './vitest-types.ts';

// Registers the matchers; named in "setupFiles" of vitest.config.ts.
expect.extend(matchers);
