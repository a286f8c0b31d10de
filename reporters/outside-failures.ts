import type { TestModule } from 'vitest/node';
import { toVisible } from '../src/text/visible-text.ts';

/** Failures of modules and of tests that are no evals: the exit code must not forgive them. */
export function outsideFailures(module: TestModule): string[] {
  const broken = module.errors().map(({ message }) => `${module.relativeModuleId}: ${message}`);
  const failed = [...module.children.allTests('failed')].filter((test) => test.meta().eval === undefined);
  return [...broken, ...failed.map(({ fullName }) => fullName)].map((text) => toVisible(text));
}

/** What anything thrown says, in text that a terminal may show. */
export function describeError(error: unknown): string {
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
  return toVisible(String(message));
}
