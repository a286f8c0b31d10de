import { DefaultReporter, type TestModule } from 'vitest/node';
import { isFailed } from './failures.ts';

/**
 * What Vitest shows of a run of evals: a line a file, and its errors. viva prints the failed cases
 * below, from their rows. EVAL_FAILURES=full and `--reporter` show Vitest's own form instead.
 */
export class ListReporter extends DefaultReporter {
  #modules: readonly TestModule[] = [];

  constructor() {
    // The summary is Vitest's list of running tests; viva has a line of progress.
    super({ summary: false });
  }

  protected override printTestSuite(): void {}

  protected override printTestCase(): void {}

  override onTestRunEnd(...args: Parameters<DefaultReporter['onTestRunEnd']>): void {
    this.#modules = args[0];
    super.onTestRunEnd(...args);
  }

  override reportSummary(...[files, errors]: Parameters<DefaultReporter['reportSummary']>): void {
    this.#printErrors(this.#modules.flatMap(listErrors));
    if (errors.length > 0) this.ctx.logger.printUnhandledErrors([...errors]);
    this.reportTestSummary(files, errors, 0);
  }

  /** One error of several files or tests is printed once, below the first of them. */
  #printErrors(found: readonly FoundError[]): void {
    for (const same of Map.groupBy(found, ({ error }) => error.stack ?? error.message).values()) {
      for (const { title } of same.slice(0, MOST_TITLES)) this.error(` FAIL  ${title}`);
      const more = same.length - MOST_TITLES;
      if (more > 0) this.error(`       and ${more} more`);
      const [first] = same;
      if (first !== undefined) this.ctx.logger.printError(first.error, { project: first.project });
    }
  }
}

/** How many of the files or tests with one error are named. */
const MOST_TITLES = 3;

type FoundError = Readonly<{
  title: string;
  error: ReturnType<TestModule['errors']>[number];
  project: TestModule['project'];
}>;

/** Errors that are not results, as of a module, of a hook or of a score that throws. */
function listErrors(module: TestModule): readonly FoundError[] {
  const { project, children } = module;
  const failed = [...children.allTests('failed')].filter((test) => !isFailed(test.meta().eval));
  const suites = [...children.allSuites()];
  const places = [
    { title: module.relativeModuleId, errors: module.errors() },
    ...suites.map((suite) => ({ title: suite.fullName, errors: suite.errors() })),
    ...failed.map((test) => ({ title: test.fullName, errors: test.result().errors ?? [] })),
  ];
  return places.flatMap(({ title, errors }) => errors.map((error) => ({ title, error, project })));
}
