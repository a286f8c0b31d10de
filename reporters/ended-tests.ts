import { stripVTControlCharacters } from 'node:util';
import type { TestCase } from 'vitest/node';
import type { EndedTest } from './settle.ts';

/** A generated test that Vitest collected; `picked` unless it was left out by a name or a tag. */
export type CollectedTest = { readonly test: TestCase; readonly picked: boolean };

/**
 * What became of the tests of each module, in the order of the modules' names: Vitest runs them in the order of their
 * last durations. `turn` holds the modules of this turn of watch mode.
 */
export function toEndedTests(
  modules: readonly (readonly CollectedTest[])[],
  turn: ReadonlySet<string>,
): readonly EndedTest[] {
  const inOrder = modules.toSorted(([a], [b]) => compareModules(a?.test, b?.test));
  return inOrder.flatMap((tests) => tests.flatMap((collected) => toEndedTest(collected, turn)));
}

function compareModules(a: TestCase | undefined, b: TestCase | undefined): number {
  return (a?.module.moduleId ?? '').localeCompare(b?.module.moduleId ?? '');
}

function toEndedTest({ test, picked }: CollectedTest, turn: ReadonlySet<string>): EndedTest[] {
  const meta = test.meta().eval;
  if (meta === undefined) return [];
  const { state, errors } = test.result();
  const [error] = errors ?? [];
  const message = error === undefined ? null : stripVTControlCharacters(error.message);
  return [{ meta, picked, inTurn: turn.has(test.module.moduleId), state, error: message }];
}
