import module from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vitest/config';
import type { TestProject, Vitest } from 'vitest/node';
import type { SessionOptions } from './session.ts';

// Vite bundles vitest.config.ts with all that it imports, at each start: this file imports no other of viva.

/** The Vitest project whose tests are evals. */
const PROJECT = 'evals';

/**
 * The Vitest plugin: tells the workers of project "evals" what to run, and attaches the reporter so that no
 * `--reporter` on the command line drops it. It does nothing in a run without that project.
 */
export function viva(options: SessionOptions): Plugin {
  checkNode(process.versions.node);
  return {
    name: 'viva',
    async configureVitest({ vitest, project }) {
      if (project.name !== PROJECT) return;
      keepCompiled(vitest, project);
      // By its package's name, so that Node loads it from its compile cache and Vite does not bundle it.
      const { attach } = await import('viva/attach');
      attach(options, vitest, project);
    },
  };
}

/** The lowest major version of Node that loads TypeScript and has all that viva calls. */
export const WANTED_NODE = 24;

/** Whether a version such as "24.21.0" runs the suite. */
export function isNodeWanted(version: string): boolean {
  return Number.parseInt(version, 10) >= WANTED_NODE;
}

/** An older Node would stop at the first source with types, without a reason. */
function checkNode(version: string): void {
  if (isNodeWanted(version)) return;
  throw new Error(
    `viva needs Node ${WANTED_NODE} or later, and this is Node ${version}. Start Vitest as "pnpm vitest run evals": pnpm brings its own.`,
  );
}

/**
 * Has Node cache compiled code, in this process and in the project's workers. NODE_COMPILE_CACHE and
 * NODE_DISABLE_COMPILE_CACHE of the environment win.
 */
function keepCompiled(vitest: Vitest, project: TestProject): void {
  const { directory } = module.enableCompileCache(join(vitest.vite.config.cacheDir, 'viva-compiled'));
  if (directory !== undefined) project.config.env = { ...project.config.env, NODE_COMPILE_CACHE: dirname(directory) };
}
