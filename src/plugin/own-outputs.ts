import type { TestProject, Vitest } from 'vitest/node';
import { readCliOptions } from '../../reporters/vitest-main.ts';
import { readNamedTests } from './named-tests.ts';

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
