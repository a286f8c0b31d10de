import fs from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { TestProject, Vitest } from 'vitest/node';
import { readCliOptions, type WithCliOptions } from '../../reporters/vitest-main.ts';

/**
 * Whether the command line asks for evals. Only those that it names may run. `evalFiles`
 * is the glob of a folder's evals. If it asks for none, a run starts as fast as without viva.
 */
export async function isToRun(
  vitest: Vitest,
  project: TestProject,
  evalFiles: string,
  isBare: boolean,
): Promise<boolean> {
  if (!isOfEvals(vitest, project)) return false;
  addPackages(vitest, project, evalFiles);
  const argv = process.argv.slice(2);
  if (isPlainRun(argv, vitest)) return true;
  const named = await readNamedTests(argv, vitest.config.root);
  return vitest.config.mergeReports !== undefined || keepNamed(vitest, project, named, isBare);
}

/** Whether a project "evals" is viva's. One with tests of the user's own runs as without viva. */
function isOfEvals({ logger }: Vitest, { config }: TestProject): boolean {
  const others = config.include.filter((glob) => !glob.includes('.eval'));
  if (others.length === 0) return true;
  const why = `its files are ${others.join(', ')}, not NAME.eval.ts. Give it another name, since viva's project has this one.`;
  logger.warn(`viva runs no evals, because you have a project "${config.name}": ${why}`);
  return false;
}

/** Adds the evals of a workspace's packages, also if `--project` leaves only the evals. */
function addPackages(vitest: Vitest, { config }: TestProject, evalFiles: string): void {
  const folders = (vitest.config.projects ?? []).flatMap((project) => {
    if (typeof project !== 'string' || project.startsWith('!')) return [];
    return /\.[cm]?[jt]s$/.test(project) ? dirname(project) : project;
  });
  config.include = config.include.flatMap((glob) =>
    glob === evalFiles ? [glob, ...folders.map((folder) => join(folder, glob))] : [glob],
  );
}

/**
 * Whether it is `vitest run` with a folder or a file of evals first: Vitest itself runs no other
 * evals then.
 */
export function isPlainRun([command, word = '']: readonly string[], vitest: Started): boolean {
  const { root, watch, shard } = vitest.config;
  const { dir } = readCliOptions(vitest);
  const isPlain = command === 'run' && !watch && shard === undefined && dir === undefined;
  // A closer look takes longer, but the user's own tests may be in a folder "evals" too.
  return (
    isPlain &&
    /^(\.\/)?evals(\/[^.]*|\/.*\.eval\.\w+)?$/.test(word) &&
    fs.existsSync(join(root, word))
  );
}

type Started = WithCliOptions & {
  readonly config: Pick<Vitest['config'], 'root' | 'watch' | 'shard'>;
};

/** What a command line asks for. */
type NamedTests = Readonly<{
  /** Parts of the paths of test files; none means all. */
  filters: readonly string[];
  /** The folder of `--dir`, which Vitest does not apply to projects. */
  dir: string;
  /** Whether it names the evals, by path or project. */
  namesEvals: boolean;
}>;

/** Reads the words after `vitest`; a command line that is not Vitest's names nothing. */
export async function readNamedTests(argv: readonly string[], root: string): Promise<NamedTests> {
  const { parseCLI } = await import('vitest/node');
  try {
    const { filter, options } = parseCLI(['vitest', ...argv], { allowUnknownOptions: true });
    // A line number is not part of a path.
    const filters = filter.map((word) => word.replace(/:\d+$/, ''));
    const { dir = '' } = options;
    const words = [...filters, dir, options.project ?? []].flat();
    return { filters, dir, namesEvals: words.some((word) => isEvals(word, root)) };
  } catch {
    return { filters: [], dir: '', namesEvals: false };
  }
}

/** Whether a path or project names evals. The repository itself may be in a folder "evals". */
function isEvals(word: string, root: string): boolean {
  const path = isAbsolute(word) || word.startsWith('..') ? relative(root, word) : word;
  return /^(?!-).*(^|[\\/.])evals?([\\/.]|$)/.test(path);
}

/**
 * Limits the project to the eval files that the command line names: neither a bare `vitest` nor a
 * key of watch mode runs others. Returns whether there is anything to run.
 */
function keepNamed(
  vitest: Vitest,
  { config }: TestProject,
  { filters, dir, namesEvals }: NamedTests,
  isBare: boolean,
): boolean {
  const folder = config.dir ?? config.root;
  // Not with Vitest, which caches its list.
  const found = fs.globSync(config.include, {
    cwd: folder,
    exclude: (path) => path.endsWith('node_modules'),
  });
  // Patterns have "/" on Windows too.
  const toPattern = (path: string) => path.replaceAll(sep, '/');
  const all = found.map(toPattern);
  const parts = filters
    .flatMap((word) => [word, relative(folder, word) + (/[\\/]$/.test(word) ? '/' : '')])
    .map(toPattern);
  const isNamed = (file: string) =>
    parts.some((part) => file.toLowerCase().includes(part.toLowerCase()));
  const isBelow = (file: string) =>
    dir === '' || !relative(dir, join(folder, file)).startsWith('..');
  const picked = all.filter((file) => isBelow(file) && (parts.length === 0 || isNamed(file)));
  if (!namesEvals) {
    config.include = [];
    if (picked.length > 0) announceSkipped(vitest, isBare);
    return false;
  }
  // Replace characters that may have a meaning in a glob.
  if (picked.length < all.length)
    config.include = picked.map((file) => file.replaceAll(/[^\w./-]/g, '?'));
  return picked.length > 0 || vitest.config.watch;
}

/** Says that the evals are skipped. */
function announceSkipped({ config, logger }: Vitest, isBare: boolean): void {
  // A repository may have evals alone. Where its configuration is for tests too, their absence
  // stays an error.
  if (isBare) config.passWithNoTests = true;
  const command = `vitest ${config.watch ? 'watch' : 'run'}`;
  let isAnnounced = false;
  config.reporters.push({
    onTestRunEnd() {
      // Standard output may be the JSON of a reporter.
      if (!isAnnounced)
        logger.error(
          `The evals are skipped. To run them, name them: "${command} evals" or "${command} NAME.eval".\n`,
        );
      isAnnounced = true;
    },
  });
}

/** Vitest's reporters that may write a file. The blobs of shards have names of their own. */
const WRITERS = ['html', 'json', 'junit', 'tap', 'tap-flat'];

/**
 * Keeps evals out of the coverage of the user's own tests. A run of evals alone has no coverage and
 * writes no report of the configuration either, since it would replace those of the tests. What the
 * command line asks for stays as it is, and so does a repository that has evals alone. `evals` is
 * null where they are refused, and no project has them.
 */
export async function keepOwnOutputs(vitest: Vitest, evals: TestProject | null): Promise<void> {
  const { config } = vitest;
  const { coverage, reporter, outputFile } = readCliOptions(vitest);
  const others = config.reporters.filter((each) => !writesFile(each, config.outputFile));
  const isQuiet = !config.coverage.enabled && others.length === config.reporters.length;
  if (isQuiet || config.mergeReports !== undefined) return;
  // A filter of projects hides whether there are other tests.
  const isFiltered = [config.project].flat().length > 0;
  if (!isFiltered && (await countOthers(vitest, evals, [])) === 0) return;
  const { filters } = await readNamedTests(process.argv.slice(2), config.root);
  if ((await countOthers(vitest, evals, filters)) > 0) {
    if (evals !== null) evals.config.coverage = { ...evals.config.coverage, enabled: false };
    return;
  }
  if (coverage?.enabled !== true) vitest.disableCoverage();
  if (reporter !== undefined || outputFile !== undefined) return;
  if (others.length === 0) others.push(['default', {}]);
  config.reporters.splice(0, config.reporters.length, ...others);
}

type Config = Vitest['config'];

function writesFile(
  reporter: Config['reporters'][number],
  outputFile: Config['outputFile'],
): boolean {
  const [name, options] = Array.isArray(reporter) ? reporter : [];
  if (name === undefined || !WRITERS.includes(name)) return false;
  const isNamed = typeof outputFile === 'string' || Object.keys(outputFile ?? {}).includes(name);
  return isNamed || name === 'html' || (options !== undefined && 'outputFile' in options);
}

/** How many test files of other projects the filters pick. */
async function countOthers(
  { projects }: Vitest,
  evals: TestProject | null,
  filters: readonly string[],
): Promise<number> {
  const others = projects.filter((project) => project !== evals);
  const found = await Promise.all(others.map((project) => project.globTestFiles([...filters])));
  return found.flatMap(({ testFiles, typecheckTestFiles }) => [...testFiles, ...typecheckTestFiles])
    .length;
}
