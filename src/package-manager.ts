import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { field, textField } from './words/fields.ts';
import { tryOrUndefined } from './words/show.ts';

type Manager = Readonly<{
  /** What starts a program of an installed package. */
  start: string;
  add: string;
  locks: readonly string[];
}>;

const NPM: Manager = {
  start: 'npx',
  add: 'npm install -D',
  locks: ['package-lock.json', 'npm-shrinkwrap.json'],
};

const MANAGERS: Readonly<Record<string, Manager>> = {
  npm: NPM,
  pnpm: { start: 'pnpm', add: 'pnpm add -D', locks: ['pnpm-lock.yaml'] },
  yarn: { start: 'yarn', add: 'yarn add -D', locks: ['yarn.lock'] },
  bun: { start: 'bunx', add: 'bun add -d', locks: ['bun.lock', 'bun.lockb'] },
};

type Place = Readonly<{
  /** The environment, which names the package manager that started this process. */
  env?: Readonly<Record<string, string | undefined>>;
  /** A folder of the project. Default: the working folder. */
  folder?: string;
}>;

/** The command line of an installed program, for messages: "npx vitest run evals". */
export function toCommand(words: string, place: Place = {}): string {
  return `${findManager(place).start} ${words}`;
}

/** The command line that adds packages to the project, for messages: "npm install -D openai". */
export function toInstall(packages: string, place: Place = {}): string {
  return `${findManager(place).add} ${packages}`;
}

/**
 * The package manager that the nearest package.json or lock file names. Where none does, or several
 * lock files do, it is the one that runs: many write `npx` in projects of another, where
 * `npm install` does harm.
 */
function findManager({ env = {}, folder = process.cwd() }: Place): Manager {
  const named = findNamed(folder);
  const [only = NPM, ...others] = named;
  if (named.length > 0 && others.length === 0) return only;
  return byName(env['npm_config_user_agent']) ?? only;
}

/** The managers that a folder names, or the nearest one above that names any, in a checkout. */
function findNamed(folder: string): readonly Manager[] {
  const stated = readStated(join(folder, 'package.json'));
  if (stated !== undefined) return [stated];
  const has = (name: string) => existsSync(join(folder, name));
  const found = Object.values(MANAGERS).filter(({ locks }) => locks.some(has));
  const above = dirname(folder);
  return found.length > 0 || has('.git') || above === folder ? found : findNamed(above);
}

/** The manager that a package.json states, as Corepack and npm read it. */
function readStated(file: string): Manager | undefined {
  const stated: unknown = tryOrUndefined(() => JSON.parse(readFileSync(file, 'utf8')));
  const name = textField(field(field(stated, 'devEngines'), 'packageManager'), 'name');
  return byName(textField(stated, 'packageManager') ?? name);
}

/** "pnpm@10.2.0" and "pnpm/10.2.0 npm/? node/v24" begin with the name. */
function byName(text: string | null | undefined): Manager | undefined {
  const name = /^\w+/.exec(text ?? '')?.[0] ?? '';
  return Object.hasOwn(MANAGERS, name) ? MANAGERS[name] : undefined;
}
