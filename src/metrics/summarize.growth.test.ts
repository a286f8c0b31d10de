import { expect, it } from 'vitest';
import { cpuTime } from '../../test/cpu-time.ts';
import { toResult } from './result.fixture.ts';
import { summarize } from './summarize.ts';

it('grows linearly with the results', () => {
  const measure = (n: number) => {
    const results = Array.from({ length: n }, (_, index) =>
      toResult(index % 3 === 0 ? 'correct' : 'timed_out', { id: `q${index}`, latency_ms: (index * 7919) % 1000 }),
    );
    const times = [1, 2, 3].map(() => {
      const start = cpuTime();
      summarize(results);
      return cpuTime() - start;
    });
    return Math.min(...times);
  };
  measure(10_000);
  // Quadratic growth would be 100 times as long; a busy machine may triple the ten.
  expect(measure(50_000)).toBeLessThan(35 * Math.max(1, measure(5_000)));
});
