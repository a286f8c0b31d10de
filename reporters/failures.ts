import { stripVTControlCharacters } from 'node:util';
import { DefaultReporter, type TestCase, type TestModule, type Vitest } from 'vitest/node';
import { REFUSED } from '../src/run/provided-run.ts';
import { PRINTED } from '../src/store/run-end.ts';
import type { PlannedMeta, ResultMeta } from '../src/store/trial-meta.ts';
import { STATES } from '../src/words/row.ts';
import { redact } from '../src/words/secrets.ts';
import { escapeLine, showPath } from '../src/words/show.ts';

/**
 * Failures of modules and of tests that are not evals. They fail the run. `findRefused` lists
 * refusals.
 */
export function listModuleFailures(module: TestModule, secrets: readonly string[]): string[] {
  const errors = module.errors().filter(({ name }) => name !== REFUSED);
  const broken = errors.map(({ message }) => {
    // A transformer colours its message and draws the code over several lines.
    const lines = stripVTControlCharacters(message)
      .split('\n')
      .map((line) => line.trim());
    const code = lines.findIndex((line) => /^[╭│]/.test(line));
    const shown = code < 0 ? lines : lines.slice(0, code);
    return `${module.relativeModuleId}: ${shown.filter((line) => line !== '').join(' ')}`;
  });
  const failed = [...module.children.allTests('failed')].filter(
    (test) => test.meta().eval === undefined,
  );
  return [...broken, ...failed.map(({ fullName }) => fullName)].map((text) =>
    escapeLine(redact(text, secrets)),
  );
}

/**
 * Whether a test failed because of its result. Other errors, as of a score that throws, leave no
 * state.
 */
export function isFailed(meta: PlannedMeta | ResultMeta | undefined): meta is ResultMeta {
  return meta !== undefined && 'state' in meta && STATES[meta.state].fails;
}

/** Where the user's code failed, "src/agent.ts:31"; null for another failure. */
export function findPlace(test: TestCase): string | null {
  const [{ file, line } = {}] = test.result().errors?.[0]?.stacks ?? [];
  return file === undefined ? null : `${showPath(file)}:${line}`;
}

/** An eval file that asked nothing because its settings or its dataset were wrong. */
export type RefusedFile = Readonly<{ file: string; why: string }>;

/** A refusal may list many problems of the settings. */
const MAX_REFUSAL = 2_000;

/** Vitest's reporters that print no errors. */
const SILENT = [
  'json',
  'junit',
  'blob',
  'html',
  'tap',
  'tap-flat',
  'github-actions',
  'hanging-process',
];

/** The refused eval files. If Vitest prints the reason itself, it is not repeated. */
export function findRefused(
  modules: readonly TestModule[],
  { reporters }: Vitest['config'],
  secrets: readonly string[],
): readonly RefusedFile[] {
  const isPrinted = reporters.some((reporter) =>
    Array.isArray(reporter) ? !SILENT.includes(reporter[0]) : reporter instanceof DefaultReporter,
  );
  return modules.flatMap((module) => {
    const error = module.errors().find(({ name }) => name === REFUSED);
    if (error === undefined) return [];
    const why = escapeLine(redact(error.message, secrets).replaceAll('\n', ' '), MAX_REFUSAL);
    return [{ file: module.relativeModuleId, why: isPrinted ? PRINTED : why }];
  });
}
