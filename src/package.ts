import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { toInstall } from './package-manager.ts';
import { AgentError } from './words/answer.ts';
import { tryOrUndefined } from './words/show.ts';

/**
 * The ending of viva's own files: .ts in the clone, .js in the package. tsc rewrites it in imports
 * alone.
 */
export const EXTENSION = extname(import.meta.filename);

/** The folder of the clone or of the package. */
const HOME = join(import.meta.dirname, EXTENSION === '.ts' ? '..' : '../..');

/** Where viva's pages are, for messages: in the clone, and in the package. */
export const DOCS = EXTENSION === '.ts' ? 'docs' : 'node_modules/viva/docs';

/** The version of viva, or of a package that it uses. */
export function readVersion(name?: string): string {
  const file = name === undefined ? join(HOME, 'package.json') : (findPackage(name) ?? '');
  const { version }: { readonly version: unknown } = JSON.parse(readFileSync(file, 'utf8'));
  return String(version);
}

/** The page for coding agents, which says how an eval is written. */
export function readSkill(): string {
  return readFileSync(join(HOME, 'SKILL.md'), 'utf8');
}

/**
 * Throws if a library that not everybody installs is missing or too old; `user` is what needs it.
 */
export function requirePackage(name: keyof typeof OLDEST, user: string): void {
  if (findPackage(name) === undefined) throw missingPackage(name, user);
  const [version, oldest] = [readVersion(name), OLDEST[name]];
  if (version.localeCompare(oldest, 'en', { numeric: true }) >= 0) return;
  const problem = `${user} needs ${name} ${oldest} or later, but ${version} is installed`;
  throw new AgentError('machine', `${problem}: ${toInstall(`${name}@latest`)}`);
}

/**
 * The oldest versions with which viva's tests pass. The package names no ranges: package managers
 * would refuse to install viva beside an older one, which the user's own agent may need.
 */
const OLDEST = {
  '@anthropic-ai/sdk': '0.50',
  '@cortex-js/compute-engine': '0.140',
  // Earlier ones take minutes for an endless line of a server.
  '@modelcontextprotocol/sdk': '1.30',
  mammoth: '1.6',
  openai: '5.0',
  unpdf: '1.6',
} as const;

/**
 * The URL of a package that the user names, from the project or beside viva. A strict package
 * manager shows viva none that it does not name itself. Throws if it is missing.
 */
export function requireChosenPackage(name: string, user: string): string {
  for (const place of [join(process.cwd(), 'package.json'), import.meta.filename]) {
    const file = tryOrUndefined(() => createRequire(place).resolve(name));
    if (file !== undefined) return pathToFileURL(file).href;
  }
  throw missingPackage(name, user);
}

function missingPackage(name: string, user: string): AgentError {
  return new AgentError('machine', `${user} needs the package ${name}: ${toInstall(name)}`);
}

/** The package.json of an installed package, as a file finds it. Node 22.12 has no such function. */
export function findPackage(name: string, from = import.meta.url): string | undefined {
  const require = createRequire(from);
  // The slash tells a package from a module of Node with its name.
  const folders = require.resolve.paths(`${name}/`) ?? [];
  const files = folders.map((folder) => join(folder, name, 'package.json'));
  return files.find(existsSync) ?? tryOrUndefined(() => findByPnp(require, name, from));
}

/** Yarn's Plug'n'Play has no node_modules, but an API that knows the folder of each package. */
function findByPnp(require: NodeJS.Require, name: string, from: string): string | undefined {
  if (process.versions['pnp'] === undefined) return undefined;
  const issuer = from.startsWith('file:') ? fileURLToPath(from) : from;
  return join(require('pnpapi').resolveToUnqualified(name, issuer), 'package.json');
}
