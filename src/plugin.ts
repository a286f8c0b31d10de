import type { Plugin } from 'vitest/config';
import { keepCompiled, loadSourceNatively } from './fast-start.ts';
import { isNodeWanted, WANTED_NODE } from './node-version.ts';
import type { SessionOptions } from './session/session.ts';

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

/** An older Node would stop at the first source with types, without a reason. */
function checkNode(version: string): void {
  if (isNodeWanted(version)) return;
  throw new Error(
    `viva needs Node ${WANTED_NODE} or later, and this is Node ${version}. Start Vitest as "pnpm vitest run evals": pnpm brings its own.`,
  );
}
