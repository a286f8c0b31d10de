import type { TestProject } from 'vitest/node';

/**
 * One sentence at the end of a run says what the machine lacks: the notes of the skipped tests, and
 * how many have each.
 */
export function setup({ vitest }: TestProject): () => void {
  return () => {
    const tests = vitest.state.getTestModules().flatMap(({ children }) => [...children.allTests()]);
    const needs = tests.flatMap((each) => {
      const result = each.result();
      return result.state === 'skipped' && result.note !== undefined ? [result.note] : [];
    });
    const counts = [...Map.groupBy(needs, (need) => need)];
    if (counts.length === 0) return;
    const said = counts.map(([need, { length }]) => `${need} (${length})`);
    console.error(`Tests were skipped for want of ${said.join(', ')}.`);
  };
}
