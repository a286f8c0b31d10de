import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { createVitest, parseCLI } from 'vitest/node';

// Reads commands from a file, and writes what each would run to another: as Vitest's command line
// does, in one process, up to where workers would start.

const NAMES = [
  ...['pool', 'maxWorkers', 'isolate', 'testTimeout', 'hookTimeout', 'retry', 'repeats'],
  ...['environment', 'globals', 'env', 'runner'],
];

const [node, , list, found] = process.argv;
const versions = Object.getOwnPropertyDescriptor(process, 'versions') ?? {};
const outcomes = [];
for (const command of JSON.parse(readFileSync(list, 'utf8'))) outcomes.push(await follow(command));
writeFileSync(found, JSON.stringify(outcomes));
process.exit(0);

async function follow({ folder, cwd, program, words }) {
  process.chdir(join(folder, cwd));
  process.argv = [node, program, ...words];
  const printed = [];
  const stream = () =>
    new Writable({
      write(chunk, _encoding, done) {
        printed.push(stripVTControlCharacters(String(chunk)));
        done();
      },
    });
  let vitest;
  try {
    const { filter, options } = readOptions(words);
    vitest = await createVitest('test', options, {}, { stdout: stream(), stderr: stream() });
    const files = await vitest.getRelevantTestSpecifications(filter);
    // Reporters say why there are none. No worker starts.
    if (files.length === 0) await vitest.start(filter).catch(() => {});
    return { ...readOutcome(vitest, files, folder), printed: printed.join('') };
  } catch (error) {
    return { refused: String(error?.message), printed: printed.join('') };
  } finally {
    await vitest?.close();
    process.exitCode = 0;
    Object.defineProperty(process, 'versions', versions);
  }
}

/** What Vitest makes of the words before it starts. */
function readOptions(words) {
  const { filter, options } = parseCLI(['vitest', ...words]);
  const { exclude, '--': _, ...others } = options;
  const isLocated = filter.some((word) => word.includes(':'));
  return {
    filter,
    options: {
      ...others,
      // A watcher would be all that differs.
      watch: false,
      ...(exclude !== undefined && { cliExclude: [exclude].flat() }),
      ...(isLocated && { includeTaskLocation: true }),
    },
  };
}

function readOutcome({ projects, config }, files, folder) {
  const toPath = (path) => relative(folder, path);
  const [{ config: first }] = projects;
  const nameOf = ([name, one]) => (typeof name === 'string' ? name : one.constructor.name);
  return {
    files: files.map(({ moduleId, project }) => [project.name, toPath(moduleId)]),
    options: {
      ...Object.fromEntries(NAMES.map((name) => [name, first[name]])),
      setupFiles: first.setupFiles.map(toPath),
      globalSetup: [first.globalSetup ?? []].flat().map(toPath),
      reporters: config.reporters.map((one) => nameOf([one, one].flat())),
      outputFile: config.outputFile,
      hasCoverage: config.coverage?.enabled === true,
    },
    projects: projects.map((project) => project.serializedConfig),
  };
}
