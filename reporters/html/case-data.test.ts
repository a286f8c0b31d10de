import { expect, test } from 'vitest';
import { toResult } from '../../src/figures/result.fixture.ts';
import { readManifest } from '../../src/store/manifest.ts';
import type { SampleResult } from '../../src/words/row.ts';
import { makeRun } from '../../test/make-run.ts';
import { toCaseJson } from './case-data.ts';

function toJson(results: readonly SampleResult[]): string {
  const folder = makeRun(results);
  const run = { base: '', folder, manifest: readManifest(folder), isHidden: () => false, results };
  return [...toCaseJson([run])].join('');
}

test('a latency has the digits that the tables show', () => {
  expect(toJson([toResult('correct', { latency_ms: 0.44 })])).toContain('"latency":0.4,');
});

test.each([2, 48])('texts of %d long outputs are cut only as far as the size asks', (count) => {
  const output = 'x'.repeat(200_000);
  const results = Array.from({ length: count }, (_, id) =>
    Object.assign(toResult('incorrect', { id: `${id}` }), { output }),
  );
  const json = toJson(results);
  expect(json.split('characters left out')).toHaveLength(count + 1);
  expect(json.length).toBeGreaterThan(Math.min(count * 175_000, 3_900_000));
  expect(json.length).toBeLessThan(9_000_000);
});
