import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Installed, runLines } from './install.ts';
import { type Expected, LAYOUTS } from './matrix-layouts.ts';

// What each command does in each form of repository: it runs evals or tests, or says what to write.

/** Follows all commands in one process, on the Node of `PATH`; starts no worker. */
export async function expectMatrix(installed: Installed, path: string): Promise<void> {
  const project = installed.makeProject(listFiles());
  const [probe = '', list = '', file = ''] = ['probe.mjs', 'commands.json', 'found.json'].map(
    (name) => join(project, name),
  );
  copyFileSync(join(import.meta.dirname, 'matrix-probe.mjs'), probe);
  const commands = listCommands(project);
  writeFileSync(list, JSON.stringify(commands));
  const printed = await runLines(`${path}\nnode ${probe} ${list} ${file}`, project);
  expect(printed).not.toContain('ExperimentalWarning');
  const outcomes: readonly Outcome[] = JSON.parse(readFileSync(file, 'utf8'));
  const manifest = readFileSync(join(installed.modules, 'vitest/package.json'), 'utf8');
  const { version }: { readonly version: string } = JSON.parse(manifest);
  const major = version.startsWith('4.') ? 'in4' : 'in5';
  const found = commands.map(({ name, folder }, index) => {
    const outcome = outcomes[index];
    // Some of these installations are pnpm's.
    return `${name}: ${outcome && describeOutcome(outcome, folder).replaceAll(/pnpm (?=(?:vitest|viva) )/g, 'npx ')}`;
  });
  expect(found).toEqual(
    commands.map(({ name, expected }) => {
      return `${name}: ${typeof expected === 'string' ? expected : expected[major]}`;
    }),
  );
  expectSameWithout(commands, outcomes);
}

type Outcome = Readonly<{
  /** Why Vitest does not start. */
  refused?: string;
  files?: readonly (readonly [project: string, path: string])[];
  /** Those of the first project, with reporters and coverage of the run. */
  options?: Readonly<Record<string, unknown>>;
  /** All options that workers get. */
  projects?: readonly unknown[];
  printed: string;
}>;

type Command = Readonly<{
  name: string;
  folder: string;
  /** Where it is given, from the folder. */
  cwd: string;
  /** What is started: Vitest, or a script of the user's own. */
  program: string;
  words: readonly string[];
  expected: Expected;
}>;

function listFiles(): Readonly<Record<string, string>> {
  const files = Object.entries(LAYOUTS).flatMap(([name, layout]) =>
    Object.entries(layout.files).map(([path, text]) => [join(name, path), text] as const),
  );
  return Object.fromEntries(files);
}

function listCommands(project: string): readonly Command[] {
  return Object.entries(LAYOUTS).flatMap(([layout, { commands }]) =>
    Object.entries(commands).map(([command, expected]) => {
      const folder = join(project, layout);
      const [, cwd = '', script, line = ''] = /^(?:@(\S+) )?(\$)?(.*)$/.exec(command) ?? [];
      const words = line
        .replace('ROOT', folder)
        .split(' ')
        .filter((word) => word !== '');
      const program = script === undefined ? '/bin/vitest' : join(folder, 'script.js');
      return { name: `${layout}, ${command}`, folder, cwd, program, words, expected };
    }),
  );
}

/** The options of every run of evals. Others are said beside its files. */
const USUAL: Readonly<Record<string, unknown>> = {
  pool: 'forks',
  maxWorkers: 1,
  isolate: false,
  testTimeout: 600_000,
  hookTimeout: 60_000,
  retry: 0,
  repeats: 0,
  environment: 'node',
  globals: false,
  setupFiles: ['setup'],
  globalSetup: [],
  env: [],
  reporters: ['ListReporter', 'EvalReporter'],
  outputFile: undefined,
  hasCoverage: false,
};

function describeOutcome(
  { refused, files = [], options = {}, printed }: Outcome,
  folder: string,
): string {
  if (refused !== undefined) return `refused: ${refused.replaceAll(`${folder}/`, '')}`;
  const isOfEvals = String(options['runner']).endsWith('viva/dist/src/run/task-runner.js');
  const paths = files
    .map(([project, path]) => (isOfEvals || project === '' ? path : `${project}:${path}`))
    .toSorted();
  const [message = 'none'] = /^(To run evals|Evals are|Shards of).*/m.exec(printed) ?? [];
  const ran = paths.length === 0 ? message.replaceAll(folder, 'ROOT') : paths.join(' ');
  return isOfEvals ? `evals: ${ran}${listUnusual(options)}` : `tests: ${ran}`;
}

function listUnusual(options: Readonly<Record<string, unknown>>): string {
  const shown = {
    ...options,
    setupFiles: [options['setupFiles']]
      .flat()
      .map((path) => String(path).replace(/.*\/viva\/dist\/src\/matchers\/(setup)\.js$/, '$1')),
    env: Object.keys(options['env'] ?? {}).filter((name) => name !== 'NODE_COMPILE_CACHE'),
    reporters: [options['reporters']]
      .flat()
      .filter((name) => !/^Object|Progress/.test(String(name))),
  };
  const unusual = Object.entries(USUAL).flatMap(([name, usual]) => {
    const value: unknown = Reflect.get(shown, name);
    return JSON.stringify(value) === JSON.stringify(usual)
      ? []
      : [`${name} ${JSON.stringify(value)}`];
  });
  return unusual.map((each) => `, ${each}`).join('');
}

/** A bare run has the options that it has without viva. */
function expectSameWithout(commands: readonly Command[], outcomes: readonly Outcome[]): void {
  const find = (name: string) => {
    const index = commands.findIndex((command) => command.name === name);
    const { options = {}, projects = [] } = outcomes[index] ?? {};
    const { reporters, outputFile, hasCoverage } = options;
    const named = [reporters].flat().filter((reporter) => reporter !== 'Object');
    const text = JSON.stringify([projects, named, outputFile, hasCoverage], (key, value) =>
      key === 'exclude' ? undefined : value,
    );
    return text.replaceAll(commands[index]?.folder ?? '', '').replaceAll(/"seed":\d+/g, '');
  };
  for (const layout of ['plain', 'projects']) {
    const without = find(`${layout}-without, run`);
    expect(without.length).toBeGreaterThan(1000);
    expect(find(`${layout}, run`)).toBe(without);
  }
}
