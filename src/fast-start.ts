import module from 'node:module';
import { dirname, join } from 'node:path';
import type { TestProject, Vitest } from 'vitest/node';

/** What matters of a Vitest configuration before it is resolved. */
type ConfigShape = {
  readonly test?:
    | { readonly watch?: boolean | undefined; readonly projects?: readonly unknown[] | undefined }
    | undefined;
};

const SOURCE = `${import.meta.dirname.replaceAll('\\', '/')}/`;

/**
 * Lets Node itself load the sources of this suite in workers of a project, in place of Vite, which takes 2 ms for each
 * module. Not in watch mode: there Vite must know who imports what.
 */
export function loadSourceNatively({ test }: ConfigShape, projectName: string): void {
  if (test?.watch !== false) return;
  for (const project of test.projects ?? []) {
    if (!isInlineProject(project) || project.test.name !== projectName) continue;
    project.test.server ??= {};
    project.test.server.deps ??= {};
    project.test.server.deps.external ??= [];
    project.test.server.deps.external.push(new RegExp(`^(?:file://)?${RegExp.escape(SOURCE)}`));
  }
}

type InlineProject = { test: { name?: unknown; server?: { deps?: { external?: (string | RegExp)[] } } } };

function isInlineProject(project: unknown): project is InlineProject {
  if (typeof project !== 'object' || project === null || !('test' in project)) return false;
  return typeof project.test === 'object' && project.test !== null;
}

/**
 * Keeps what Node compiled, in this process from now on and in the project's workers from their start. A folder, or a
 * refusal, that the environment names (NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE) stands.
 */
export function keepCompiled(vitest: Vitest, project: TestProject): void {
  const { directory } = module.enableCompileCache(join(vitest.vite.config.cacheDir, 'viva-compiled'));
  if (directory !== undefined) project.config.env = { ...project.config.env, NODE_COMPILE_CACHE: dirname(directory) };
}
