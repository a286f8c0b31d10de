import { expect } from 'vitest';

export type ListedTest = () => unknown;

type Body = (...args: readonly unknown[]) => unknown;

/** What test files find under "vitest": each test is put on a list. The tests of the rooms use no more of it than this. */
export function makeTestList() {
  const tests: ListedTest[] = [];
  const it = (_: string, body: Body) => tests.push(body);
  it.each = (rows: readonly unknown[]) => (_: string, body: Body) => {
    for (const row of rows) tests.push(() => body(...toArguments(row)));
  };
  const describe = (_: string, body: Body) => body();
  describe.each = (rows: readonly unknown[]) => (_: string, body: Body) => {
    for (const row of rows) body(...toArguments(row));
  };
  return { tests, api: { it, test: it, describe, expect } };
}

function toArguments(row: unknown): readonly unknown[] {
  return Array.isArray(row) ? row : [row];
}
