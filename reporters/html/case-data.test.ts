import { expect, test } from 'vitest';
import { toResult } from '../../src/metrics/result.fixture.ts';
import { readManifest } from '../../src/store/manifest.ts';
import { makeRun } from '../../test/make-run.ts';
import { toCaseJson } from './case-data.ts';

const audit = { rules: [], suites: [], cases: new Map() };

test('a latency has the digits that the tables show', () => {
  const results = [toResult('correct', { latency_ms: 0.44 })];
  const folder = makeRun(results);
  const json = [
    ...toCaseJson([{ base: '', folder, manifest: readManifest(folder), results, audit }]),
  ].join('');
  expect(json).toContain('"latency":0.4,');
});

test.each([2, 48])('texts of %d long outputs are cut only as far as the size asks', (count) => {
  const output = 'x'.repeat(200_000);
  const results = Array.from({ length: count }, (_, id) =>
    Object.assign(toResult('incorrect', { id: `${id}` }), { output }),
  );
  const folder = makeRun(results);
  const json = [
    ...toCaseJson([{ base: '', folder, manifest: readManifest(folder), results, audit }]),
  ].join('');
  expect(json.split('characters left out')).toHaveLength(count + 1);
  expect(json.length).toBeGreaterThan(Math.min(count * 175_000, 3_900_000));
  expect(json.length).toBeLessThan(9_000_000);
});
