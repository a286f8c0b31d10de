import { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import type {
  DefaultReporter,
  Reporter,
  TestCase,
  TestModule,
  TestProject,
  TestSuite,
  Vitest,
} from 'vitest/node';
// A whole module: a named import that an older Vitest lacks would break its configuration.
import * as vitestNode from 'vitest/node';

// All that viva uses of Vitest's main process beyond its documentation.
// `test/vitest-internals.test.ts` has a case for each.

/**
 * The plugins of a configuration without Vitest's own, which each project gets anyway. Those follow
 * the user's, whose names may begin with "vitest:" too. If the names change, the project "evals"
 * has them twice.
 */
export function withoutVitest<T>(plugins: readonly T[]): T[] {
  const names = plugins.map((plugin) =>
    typeof plugin === 'object' && plugin !== null && 'name' in plugin ? String(plugin.name) : '',
  );
  // Vitest 4 and Vitest 5.
  const first = names.findIndex((name) => /^vitest(?::capture-raw-test-config)?$/.test(name));
  return plugins.filter((_, index) => index < first || !/^vitest(?::|$)/.test(names[index] ?? ''));
}

/**
 * The values of `--project` in a configuration that Vitest has not resolved; Vitest 4 has them in
 * the command line alone. If they go, Vitest finds no project for `--project evals` where the
 * configuration lists none.
 */
export function readProjectFilter(test: object = {}, argv = process.argv): readonly string[] {
  if ('project' in test) return [test.project].flat().map(String);
  return argv.flatMap((word, index) => {
    if (argv[index - 1] === '--project') return [word];
    return word.startsWith('--project=') ? [word.slice('--project='.length)] : [];
  });
}

/**
 * The options of the command line; Vitest 4 has them beside its configuration. If they go, viva
 * acts as if none were given.
 */
export function readCliOptions(vitest: WithCliOptions): Vitest['config']['cliOptions'] {
  return vitest.config.cliOptions ?? vitest._cliOptions ?? {};
}

type CliOptions = Vitest['config']['cliOptions'];

/** What both majors have of it. */
export type WithCliOptions = Readonly<{
  config: { readonly cliOptions?: CliOptions };
  _cliOptions?: CliOptions;
}>;

/**
 * Makes `vitest list` run files. Only when it is run has an eval file tests. If `collect` ignores
 * `staticParse`, evals are listed as empty files.
 */
export function listByRunning(vitest: Vitest): void {
  const collect = vitest.collect.bind(vitest);
  vitest.collect = (filters, options) => collect(filters, { ...options, staticParse: false });
}

/**
 * Keeps the tests of shards apart, which have the same ids. If the label goes, `--merge-reports`
 * uses only the last shard.
 */
export function labelShard({ config }: Vitest, project: TestProject): void {
  const { shard, mergeReportsLabel } = config;
  if (shard === undefined) return;
  const label = mergeReportsLabel ?? `shard-${shard.index}-of-${shard.count}`;
  config.mergeReportsLabel = label;
  project.config.mergeReportsLabel = label;
}

/**
 * Shows a text under "Console" of these test files in the Vitest UI. Vitest keeps it for pages that
 * are opened later. It has no public way to tell open pages after a run, so its reporter for them
 * is found by name. If either goes, the terminal and report.html alone have the text.
 */
export function showInUi(vitest: Vitest, fileIds: readonly string[], content: string): void {
  if (!vitest.config.ui) return;
  const reporters: readonly Reporter[] =
    'reporters' in vitest && Array.isArray(vitest.reporters) ? vitest.reporters : [];
  const pages = reporters.filter((reporter) => reporter.constructor.name === 'WebSocketReporter');
  for (const taskId of fileIds) {
    const log = { type: 'stdout', content, taskId, time: Date.now(), size: 1 } as const;
    vitest.state.updateUserLog(log);
    for (const page of pages) page.onUserConsoleLog?.(log);
  }
}

/**
 * Follows the workers that Vitest starts from now on; the function that it returns kills them. They
 * are known by the path of what they run. If it changes, they go on asking after Ctrl-C until this
 * process has reported.
 */
export function followWorkers(): () => void {
  const children: ChildProcess[] = [];
  subscribe('child_process', (started) => {
    if (typeof started !== 'object' || started === null || !('process' in started)) return;
    if (started.process instanceof ChildProcess) children.push(started.process);
  });
  return () => {
    for (const child of children)
      if (/vitest.dist/.test(child.spawnargs.join())) child.kill('SIGKILL');
  };
}

/** The failures that a terminal's reporter prints in a form of viva's. */
export type OwnFailures = {
  /** Whether it prints those of these tests. */
  replaces(tests: readonly TestCase[], config: Vitest['config']): boolean;
  /** Whether it prints this failed test. Vitest prints the others. */
  includes(test: TestCase): boolean;
  toLines(failed: readonly TestCase[]): readonly string[];
};

/**
 * Vitest's reporter for a terminal with failures in a form of viva's, and no list of the other
 * tests. If its methods change, both forms are printed.
 */
export function withOwnFailures(
  Terminal: typeof DefaultReporter,
  own: OwnFailures,
): typeof DefaultReporter {
  return class extends Terminal {
    #isReplaced = false;
    #lines: readonly string[] = [];
    #unhide = () => {};

    protected override printTestModule(module: TestModule): void {
      this.#isReplaced = own.replaces(listTests([module]), this.ctx.config);
      super.printTestModule(module);
    }

    protected override printTestSuite(suite: TestSuite): void {
      if (!this.#isReplaced) super.printTestSuite(suite);
    }

    protected override printTestCase(state: ReturnType<TestModule['state']>, test: TestCase): void {
      if (!this.#isReplaced) super.printTestCase(state, test);
    }

    override onTestRunEnd(...args: Parameters<DefaultReporter['onTestRunEnd']>): void {
      const tests = listTests(args[0]);
      const failed = own.replaces(tests, this.ctx.config) ? tests.filter(own.includes) : [];
      this.#unhide = hideFailures(failed);
      this.#lines = own.toLines(failed);
      try {
        super.onTestRunEnd(...args);
      } finally {
        this.#unhide();
      }
    }

    /** Vitest calls it between the errors and its own totals. */
    override reportTestSummary(...args: Parameters<DefaultReporter['reportTestSummary']>): void {
      this.#unhide();
      for (const line of this.#lines) this.error(line);
      this.#lines = [];
      super.reportTestSummary(...args);
    }
  };
}

function listTests(modules: readonly TestModule[]): readonly TestCase[] {
  return modules.flatMap((module) => [...module.children.allTests()]);
}

/**
 * Takes failed tests for passed ones until the function that it returns is called. Vitest prints
 * the errors of tests in the state "fail"; all other reporters run before or after.
 */
function hideFailures(failed: readonly TestCase[]): () => void {
  const results = failed.flatMap(
    (test) => vitestNode.experimental_getRunnerTask(test).result ?? [],
  );
  for (const result of results) result.state = 'pass';
  return () => {
    for (const result of results) result.state = 'fail';
  };
}
