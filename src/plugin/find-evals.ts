import { dirname, isAbsolute, posix, relative, resolve, sep } from 'node:path';
import { globSync } from 'tinyglobby';
import type { ViteUserConfig } from 'vitest/config';
import type { parseCLI } from 'vitest/node';

// It reads no file: what does is loaded with what an unsupported Vitest lacks, before anything can
// say so.

/** The part of a configuration that says where evals are. */
export type Config = Pick<ViteUserConfig, 'root' | 'test'> & {
  readonly configFile?: string | false;
};

/** The options of Vitest's command line. */
export type CliOptions = ReturnType<typeof parseCLI>['options'];

/** The eval files in a folder of evals, and those in all such folders below another. */
const IN_EVALS = '**/*.eval.{ts,js,mts,mjs}';
export const OF_ROOT = `evals/${IN_EVALS}`;
export const ANYWHERE = `**/${OF_ROOT}`;

export type Place = Readonly<{
  root: string;
  /** To which globs and paths are relative. */
  folder: string;
  /** Of the root, and of each package of a workspace; with "!" of those that it leaves out. */
  globs: readonly string[];
  /** The package, from the root, whose own configuration this is; null for that of the root. */
  inPackage: string | null;
}>;

/** Where the eval files of a command line are. */
export function findPlace(options: CliOptions, config: Config): Place {
  const { test = {}, configFile } = config;
  const start = resolve(options.root ?? '');
  const inPackage =
    typeof configFile === 'string' ? findPackage(configFile, start, options.config) : null;
  const root = inPackage === null ? resolve(options.root ?? test.root ?? config.root ?? '') : start;
  const ofRoot = posix.join(inPackage ?? '', OF_ROOT);
  const { dir } = options;
  // Vitest looks for files below `--dir` alone.
  const globs =
    dir === undefined
      ? [ofRoot, ...listPackages(test.projects, root)]
      : [looksLikeEvals(dir, root) ? IN_EVALS : ANYWHERE];
  return { root, folder: resolve(root, dir ?? ''), globs, inPackage };
}

/** Vitest finds the configuration of the root there or above, or it is named. */
function findPackage(configFile: string, start: string, named: unknown): string | null {
  const folder = toSlashes(relative(start, dirname(configFile)));
  const isNamed = typeof named === 'string' && relative(resolve(start, named), configFile) === '';
  return isNamed || folder === '' || folder.startsWith('..') ? null : folder;
}

/** Whether the command line is Vitest's. */
export function isStarted(): boolean {
  return /(^|[\\/])vitest(\.\w+)?$/.test(process.argv[1] ?? '');
}

/** The globs of the evals of a workspace's packages. */
export function listPackages(projects: readonly unknown[] = [], root: string): readonly string[] {
  return projects.flatMap((project) => {
    const glob = typeof project === 'string' ? project : readRoot(project);
    if (glob === null) return [];
    const [, not = '', path = ''] = /^(!?)(.*)$/.exec(glob.replace('<rootDir>', root)) ?? [];
    const folder = /\.[cm]?[jt]s$/.test(path) ? dirname(path) : path;
    return not + posix.join(toSlashes(relative(root, resolve(root, folder))), OF_ROOT);
  });
}

/** The folder of a package that a workspace describes by an object. */
function readRoot(project: unknown): string | null {
  if (typeof project !== 'object' || project === null) return null;
  const ofTest = 'test' in project ? readRoot(project.test) : null;
  if (ofTest !== null) return ofTest;
  return 'root' in project && typeof project.root === 'string' ? project.root : null;
}

/** A folder of evals, or an eval file, in a path. */
const LOOKS_LIKE_EVALS = /(^|\/)evals(\/|$)|\.eval(\.|$)/i;

/** The repository itself may be in a folder "evals". */
export function looksLikeEvals(word: string, root: string): boolean {
  const isOutside = isAbsolute(word) || word.startsWith('..');
  return LOOKS_LIKE_EVALS.test(toSlashes(isOutside ? relative(root, resolve(word)) : word));
}

/** The files that globs find in a folder. */
export function findFiles(globs: readonly string[], folder: string): readonly string[] {
  const ignore = ['**/node_modules/**'];
  return globSync([...globs], { cwd: folder, ignore, expandDirectories: false }).toSorted();
}

/** As Vitest compares paths. */
export function fold(path: string): string {
  return toSlashes(path).toLowerCase();
}

function toSlashes(path: string): string {
  return path.replaceAll(sep, '/');
}
