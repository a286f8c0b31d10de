import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

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
 * The package manager of the nearest lock file. Without one, or beside several, it is the one that
 * runs: many write `npx` in projects of another, where `npm install` does harm.
 */
function findManager({ env = {}, folder = process.cwd() }: Place): Manager {
  const locked = findLocked(folder);
  const [only = NPM, ...others] = locked;
  if (locked.length > 0 && others.length === 0) return only;
  const name = /^\w+/.exec(env['npm_config_user_agent'] ?? '')?.[0] ?? '';
  return (Object.hasOwn(MANAGERS, name) ? MANAGERS[name] : undefined) ?? only;
}

/** The managers with a lock file in a folder or the nearest one above that has any, in a checkout. */
function findLocked(folder: string): readonly Manager[] {
  const has = (name: string) => existsSync(join(folder, name));
  const found = Object.values(MANAGERS).filter(({ locks }) => locks.some(has));
  const above = dirname(folder);
  return found.length > 0 || has('.git') || above === folder ? found : findLocked(above);
}
