import type { TestModule } from 'vitest/node';
import { hideSecrets } from '../src/secrets/hide-secrets.ts';
import { REFUSED } from '../src/session/refusal.ts';
import { toVisible } from '../src/text/visible-text.ts';

/** Failures of modules and of tests that are no evals: the exit code must not forgive them. Refusals stand apart. */
export function outsideFailures(module: TestModule, secrets: readonly string[]): string[] {
  const errors = module.errors().filter(({ name }) => name !== REFUSED);
  const broken = errors.map(({ message }) => `${module.relativeModuleId}: ${message}`);
  const failed = [...module.children.allTests('failed')].filter((test) => test.meta().eval === undefined);
  return [...broken, ...failed.map(({ fullName }) => fullName)].map((text) => toVisible(hideSecrets(text, secrets)));
}

/** What anything thrown says, in text that a terminal may show, without the user's keys. */
export function describeError(error: unknown, secrets: readonly string[]): string {
  return toVisible(hideSecrets(messageOf(error), secrets));
}

function messageOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  if ('message' in error) return String(error.message);
  return "an error whose message Vitest's report (blob) does not hold. Read what the shard printed.";
}
