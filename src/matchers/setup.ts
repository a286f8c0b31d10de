import { expect } from 'vitest';
import { importModulesBy } from '../agents/module.ts';
import { matchers } from './index.ts';
import './matcher.ts';

// Named in "setupFiles" of vitest.config.ts. Registers the matchers.
expect.extend(matchers);

// Vitest rewrites this import, and no other of the suite's sources in a run: agents are compiled by Vite, as tests are.
importModulesBy((url) => import(/* @vite-ignore */ url));
