import { DefaultReporter, type TestCase, type TestModule } from 'vitest/node';
import { toReportLink } from '../src/store/run-folder.ts';
import { showPath } from '../src/words/show.ts';
import { drawFailures } from './failure-lines.ts';
import { isFailed } from './failures.ts';
import type { ReportedSession } from './run-report.ts';
import { findTerminal } from './terminal.ts';

/**
 * What a run of evals shows above its tables: a line a file, its errors, and one line a failed case
 * or cause. EVAL_FAILURES=full and `--reporter` show Vitest's own form instead.
 */
export class ListReporter extends DefaultReporter {
  readonly #session: Pick<ReportedSession, 'folder'>;
  #modules: readonly TestModule[] = [];
  #isStopped = false;

  constructor(session: Pick<ReportedSession, 'folder'>) {
    // The summary is Vitest's list of running tests; viva has a line of progress.
    super({ summary: false });
    this.#session = session;
  }

  protected override printTestSuite(): void {}

  protected override printTestCase(): void {}

  override onTestRunEnd(...args: Parameters<DefaultReporter['onTestRunEnd']>): void {
    const [modules, , reason] = args;
    this.#modules = modules;
    this.#isStopped = reason === 'interrupted';
    super.onTestRunEnd(...args);
  }

  override reportSummary(...[files, errors]: Parameters<DefaultReporter['reportSummary']>): void {
    this.#printErrors(this.#modules.flatMap(listErrors));
    if (errors.length > 0) this.ctx.logger.printUnhandledErrors([...errors]);
    // The tests of a run that was stopped have no states; its rows tell what failed.
    const ended = this.#isStopped ? [] : this.#modules;
    const failed = ended.flatMap(({ children }) =>
      [...children.allTests('failed')].flatMap((test) => {
        const { eval: meta } = test.meta();
        return isFailed(meta) ? { ...meta, place: findPlace(test) } : [];
      }),
    );
    const { folder } = this.#session;
    const report = folder === null ? '' : toReportLink(folder);
    if (failed.length > 0) this.error(drawFailures(failed, report, findTerminal()).trimEnd());
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

/** Where the user's code failed, "src/agent.ts:31". */
function findPlace(test: TestCase): string | undefined {
  const [{ file, line } = {}] = test.result().errors?.[0]?.stacks ?? [];
  return file === undefined ? undefined : `${showPath(file)}:${line}`;
}

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
