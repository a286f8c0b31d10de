import { readFileSync } from 'node:fs';
import module from 'node:module';
import { dirname, extname, join } from 'node:path';
import { tryOrUndefined } from './text/thrown.ts';
import { AgentError } from './types.ts';

/**
 * The ending of viva's own files: .ts in the clone, .js in the package. tsc rewrites it in imports
 * alone.
 */
export const EXTENSION = extname(import.meta.filename);

/** How viva's command line is started here. */
export const VIVA = EXTENSION === '.ts' ? 'pnpm viva' : 'npx viva';

/** Where viva's pages are, for messages: in the clone, and in the package. */
export const DOCS = EXTENSION === '.ts' ? 'docs' : 'node_modules/viva/docs';

/** The version of viva, or of a package that it uses. */
export function readVersion(name = '.'): string {
  const file = module.findPackageJSON(name, import.meta.url) ?? '';
  const { version }: { readonly version: unknown } = JSON.parse(readFileSync(file, 'utf8'));
  return String(version);
}

/** The page for coding agents, which says how an eval is written. */
export function readSkill(): string {
  const file = module.findPackageJSON('.', import.meta.url) ?? '';
  return readFileSync(join(dirname(file), 'SKILL.md'), 'utf8');
}

/** Throws if a library is missing that not everybody installs; `user` is what needs it. */
export function requirePackage(name: string, user: string): void {
  if (tryOrUndefined(() => module.findPackageJSON(name, import.meta.url)) !== undefined) return;
  throw new AgentError('machine', `${user} needs the package ${name}: npm install -D ${name}`);
}
