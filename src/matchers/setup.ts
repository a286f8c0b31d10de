import { expect } from 'vitest';
import { matchers } from './index.ts';
import './matcher.ts';

// Named in "setupFiles" of vitest.config.ts. Registers the matchers.
expect.extend(matchers);
