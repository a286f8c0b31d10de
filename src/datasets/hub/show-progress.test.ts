import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { showProgress } from './show-progress.ts';

const MB = 1024 ** 2;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function watch(steps: readonly (readonly [atMs: number, done: number])[]): string[] {
  const lines: string[] = [];
  const show = showProgress('gaia', (line) => lines.push(line));
  let now = 0;
  for (const [atMs, done] of steps) {
    vi.advanceTimersByTime(atMs - now);
    now = atMs;
    show({ files: { done: Math.floor(done / 4), total: 2 }, bytes: { done: done * MB, total: 8 * MB } });
  }
  return lines;
}

test('a short download says nothing', () => {
  expect(
    watch([
      [100, 4],
      [500, 8],
    ]),
  ).toEqual([]);
});

test('a long one has a line every two seconds and one at its end', () => {
  expect(
    watch([
      [1000, 1],
      [2500, 4],
      [3000, 5],
      [5000, 6],
      [5100, 8],
      [5200, 8],
    ]),
  ).toEqual([
    'gaia: downloaded 1 of 2 files, 4.0 of 8.0 MB\n',
    'gaia: downloaded 1 of 2 files, 6.0 of 8.0 MB\n',
    'gaia: downloaded 2 of 2 files, 8.0 of 8.0 MB\n',
  ]);
});
