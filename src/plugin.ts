import type { Plugin } from 'vitest/config';
import { keepCompiled, loadSourceNatively } from './fast-start.ts';
import type { SessionOptions } from './session.ts';

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
    config(config) {
      loadSourceNatively(config, PROJECT);
    },
    async configureVitest({ vitest, project }) {
      if (project.name !== PROJECT) return;
      keepCompiled(vitest, project);
      // By its package's name, so that Node loads it with what it kept, and Vite does not bundle it with the configuration.
      const { attach } = await import('viva/attach');
      attach(options, vitest, project);
    },
  };
}

/** Node strips the types of the suite's sources itself; an older one would stop at the first of them, without a reason. */
function checkNode(version: string): void {
  if (Number.parseInt(version, 10) >= 24) return;
  throw new Error(
    `viva needs Node 24 or later, and this is Node ${version}. Start Vitest as "pnpm vitest run evals": pnpm brings its own.`,
  );
}
