import { relative, resolve } from 'node:path';
import type { TestProject, Vitest } from 'vitest/node';
import { DOCS } from '../package.ts';
import { toCommand, toInstall } from '../package-manager.ts';
import { listUp } from '../words/show.ts';
import {
  ANYWHERE,
  type CliOptions,
  type Config,
  findFiles,
  findPlace,
  fold,
  isStarted,
  listPackages,
  looksLikeEvals,
  OF_ROOT,
  type Place,
} from './find-evals.ts';
import { findUnsupported } from './versions.ts';

/** What a command line that names evals says of them. */
export type NamedEvals = Readonly<{
  /** The globs of their files, and of those of packages that a workspace leaves out. */
  include: readonly string[];
  exclude: readonly string[];
  /** Why they may not run; null if they may. */
  problem: string | null;
  /** Whether this is the configuration of the root. */
  isRoot: boolean;
  isList: boolean;
  lastFailed: boolean;
  /** Names of options in the command line. */
  flags: readonly string[];
}>;

/** What replaced Vitest's own way to join shards. */
export const USE_MERGE = `Shards of evals are joined by "${toCommand('viva merge RUN...')}", which takes their run folders, not by --merge-reports.`;

/**
 * What the words after `vitest` say of evals. Null if they name none, by path or project, or are
 * not Vitest's: then the run is one of tests.
 */
export async function readNamedEvals(
  argv: readonly string[],
  config: Config,
): Promise<NamedEvals | null> {
  const line = await parseLine(argv);
  if (line === null) return null;
  const { command, options } = line;
  const place = findPlace(options, config);
  const named = sortWords(line, place);
  if (named === null) return null;
  const isMerge = options.mergeReports !== undefined;
  const { globs } = place;
  return {
    include: globs.filter((glob) => !glob.startsWith('!')),
    // In `include`, Vitest's watcher would take "!" for all other files.
    exclude: globs.flatMap((glob) => /^!(.*)/.exec(glob)?.[1] ?? []),
    problem: isMerge ? USE_MERGE : (explainPackage(place, config) ?? explainTests(command, named)),
    isRoot: place.inPackage === null,
    isList: command === 'list',
    lastFailed: 'lastFailed' in options && options.lastFailed === true,
    flags: Object.keys(options),
  };
}

/** Why a run that names evals may not start; null if it may. */
export function findProblem(
  { problem }: NamedEvals,
  vitest: Vitest,
  { vite }: TestProject,
): string | null {
  const unsupported = findUnsupported(process.versions.node, vitest.version, toInstall);
  if (unsupported !== null || problem !== null) return unsupported ?? problem;
  return vite === vitest.vite ? null : explainProject(vite.config.configFile, null);
}

/** How to run evals, for a run that found no test; null if there are none. */
export function explainNoTests(root: string, projects: readonly unknown[] = []): string | null {
  const files = findFiles([OF_ROOT, ...listPackages(projects, root)], root);
  const script = isStarted() ? '' : SCRIPT;
  if (files.length > 0)
    return `To run evals, name them: "vitest run evals" or "vitest run NAME.eval"${script}. Eval files here: ${listUp(files, 3)}.`;
  const others = findFiles([ANYWHERE], root);
  if (others.length === 0) return null;
  return `Evals are in the folder evals/ of Vitest's root, ${root}, or of one of its "projects". Not in these: ${listUp(others, 3)}.`;
}

/** A script's words are not Vitest's, and nothing tells a plugin what `startVitest` is given. */
const SCRIPT =
  ', in a script by process.argv.splice(2, Infinity, "run", "evals") before startVitest("test", ["evals"])';

type Line = Readonly<{
  /** Null if it is left out, as in `vitest evals`. */
  command: string | null;
  /** Parts of paths. */
  words: readonly string[];
  options: CliOptions;
}>;

async function parseLine(argv: readonly string[]): Promise<Line | null> {
  const [first = ''] = argv;
  if (first === 'bench') return null;
  const { parseCLI } = await import('vitest/node');
  try {
    const { filter, options } = parseCLI(['vitest', ...argv], { allowUnknownOptions: true });
    const command = /^(run|watch|dev|list)$/.test(first) ? first : null;
    return { command, words: filter.map((word) => word.replace(/:\d+$/, '')), options };
  } catch {
    return null;
  }
}

/** The words of a command line that name evals, and the words and projects that name tests. */
type SortedWords = Readonly<{ evals: readonly string[]; tests: readonly string[] }>;

/** Null if it names no evals. */
function sortWords({ words, options }: Line, place: Place): SortedWords | null {
  const { root, folder, globs } = place;
  const files = findFiles(globs, folder).map(fold);
  // Vitest compares the same parts.
  const isOfEvals = (word: string) =>
    [word, relative(folder, resolve(word))].some((part) =>
      files.some((file) => file.includes(fold(part))),
    );
  const evals = words.filter(isOfEvals);
  const projects = [options.project ?? []].flat();
  const others = projects.filter((name) => name !== 'evals');
  const isProject = others.length < projects.length;
  const isFolder = options.dir !== undefined && looksLikeEvals(options.dir, root);
  const isNamed =
    evals.some((word) => isFolder || looksLikeEvals(word, root)) ||
    ((isFolder || isProject) && words.length === 0);
  if (files.length === 0 || !(isProject || (isNamed && others.length === 0))) return null;
  const tests = words.filter((word) => !evals.includes(word));
  return { evals, tests: [...tests, ...others.map((name) => `--project ${name}`)] };
}

function explainPackage({ inPackage }: Place, { configFile }: Config): string | null {
  if (inPackage === null || typeof configFile !== 'string') return null;
  return explainProject(configFile, inPackage);
}

function explainProject(configFile: string | undefined, inPackage: string | null): string {
  const remedy =
    inPackage === null
      ? '.'
      : `,\nor run the evals in their package: cd ${inPackage} && ${toCommand('vitest run evals')}`;
  return `viva() is in ${configFile ?? 'a project'}, but not in the configuration of the root. Add it to the "plugins" there${remedy}`;
}

/** A run that left the tests out in silence would be green. */
function explainTests(command: Line['command'], { evals, tests }: SortedWords): string | null {
  if (tests.length === 0) return null;
  const toRun = (words: readonly string[]) =>
    toCommand(`vitest ${[command ?? [], ...words].flat().join(' ')}`);
  return (
    `Evals and tests run in commands of their own: no eval file is named by ${tests.join(', ')}. ` +
    `See ${DOCS}/package.md#what-the-plugin-does, and use\n` +
    `  ${toRun(evals.length === 0 ? ['evals'] : evals)}\n  ${toRun(tests)}`
  );
}
