import type { Reporter, TestCase, TestModule, TestRunEndReason, TestSpecification, Vitest } from 'vitest/node';
import type { Exit } from '../src/metrics/exit-code.ts';
import type { Session } from '../src/session.ts';
import { toVisible } from '../src/visible-text.ts';
import { concludeRun } from './conclude-run.ts';
import { writeRunFiles } from './run-files.ts';
import type { EndedTest } from './settle.ts';
import { renderReport } from './terminal.ts';

const PROJECT = 'evals';

/**
 * Aggregates the evals of a run: prints the tables, completes the run folder and decides the exit code. It is silent,
 * and leaves everything as it is, in a run without evals.
 */
export default class EvalReporter implements Reporter {
  readonly #session: Session;
  #vitest: Vitest | null = null;
  #active = false;
  /** The tests that Vitest picked, by module: what a crash loses is still in the denominator. */
  readonly #picked = new Map<string, readonly TestCase[]>();
  #narrowed = false;

  constructor(session: Session) {
    this.#session = session;
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#active = specifications.some(({ project }) => project.name === PROJECT);
    this.#narrowed = false;
    // Ctrl-C and SIGTERM end the process without onTestRunEnd: what was answered until then is still reported.
    if (this.#active) process.once('exit', this.#concludeOnExit);
  }

  onTestModuleCollected(module: TestModule): void {
    const tests = [...module.children.allTests()].filter((test) => test.meta().eval !== undefined);
    const picked = tests.filter(({ options }) => options.mode === 'run');
    if (picked.length < tests.length) this.#narrowed = true;
    this.#picked.set(module.id, picked);
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], reason: TestRunEndReason): void {
    process.off('exit', this.#concludeOnExit);
    if (!this.#active) return;
    this.#active = false;
    const failures = [...modules.flatMap(outsideFailures), ...errors.map(describeError)];
    const exit = this.#conclude(failures, reason === 'interrupted' ? this.#interruption() : null);
    if (exit !== null && exit.code !== null) process.exitCode = exit.code;
  }

  readonly #concludeOnExit = (code: number): void => {
    this.#conclude([], 'interrupted', { code: null, reason: `exit ${code}: the run was interrupted` });
  };

  #conclude(failures: readonly string[], interrupted: string | null, forcedExit?: Exit): Exit | null {
    const { folder, config, gates } = this.#session;
    if (folder === null || config === null) return null;
    const tests = [...this.#picked.values()].flat().flatMap(toEndedTest);
    const narrowed = this.#narrowed;
    const concluded = concludeRun({ folder, config, gates, tests, failures, narrowed, interrupted });
    const conclusion = forcedExit === undefined ? concluded : { ...concluded, exit: forcedExit };
    writeRunFiles(conclusion);
    this.#vitest?.logger.log(renderReport(conclusion));
    return conclusion.exit;
  }

  #interruption(): string {
    return (this.#vitest?.config.bail ?? 0) > 0 ? 'bail' : 'interrupted';
  }
}

function toEndedTest(test: TestCase): EndedTest[] {
  const meta = test.meta().eval;
  if (meta === undefined) return [];
  const { state, errors } = test.result();
  return [{ meta, state, error: errors?.[0]?.message ?? null }];
}

/** Failures of modules and of tests that are no evals: the exit code must not forgive them. */
function outsideFailures(module: TestModule): string[] {
  const broken = module.errors().map(({ message }) => `${module.relativeModuleId}: ${message}`);
  const failed = [...module.children.allTests('failed')].filter((test) => test.meta().eval === undefined);
  return [...broken, ...failed.map(({ fullName }) => fullName)].map((text) => toVisible(text));
}

function describeError(error: unknown): string {
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
  return toVisible(String(message));
}
