import { expect, test } from 'vitest';
import { judgeGates } from '../src/metrics/gates.ts';
import { toResult, toTrials } from '../src/metrics/result.fixture.ts';
import { summarize } from '../src/metrics/summarize.ts';
import { readManifest, type SuiteManifest } from '../src/runs/manifest.ts';
import type { SampleResult } from '../src/types.ts';
import { makeRun } from '../test/make-run.ts';
import { toGateRemark } from './gate-remarks.ts';

const SIZES = [
  ['level 1', 2],
  ['level 2', 26],
] as const;

function toLine(
  results: readonly SampleResult[],
  group = 'all',
  suite: Partial<SuiteManifest> = { group_sizes: SIZES },
) {
  const manifest = readManifest(makeRun(results, { suite }));
  const summary = summarize(results);
  const gate = { suite: 'gaia', dataset: 'made-up', group, min_accuracy: 0.5 };
  return judgeGates([gate], summary, () => null).map((result) =>
    toGateRemark(result, { manifest, summary, exit: { code: 0, reason: '' } }),
  )[0];
}

const two = [...toTrials('a', '+'), ...toTrials('b', '+')];
const LINE = 'gate holds: gaia (made-up, replay): accuracy 100.0 % meets the gate 50.0 % for group ';

test.each<[string, readonly SampleResult[], string, string]>([
  ['a selection', toTrials('a', '+'), 'all', ' (n = 1, a selection of 28)'],
  ['trials', toTrials('a', '+++'), 'all', ' (n = 3, 1 question, a selection of 28)'],
  [
    'hidden targets',
    [...two, toResult('errored', { id: 'c', target: null })],
    'all',
    ' (n = 3, 2 graded, a selection of 28)',
  ],
  ['a part of its group', toTrials('a', '+'), 'level 1', ' (n = 1, a selection of 2)'],
  ['its whole group', two, 'level 1', ''],
])('the line of a gate that was judged on %s', (_, results, group, selection) => {
  expect(toLine(results, group)).toBe(`${LINE}${group}${selection}`);
});

test('a manifest of an older version does not say how large the dataset is', () => {
  expect(toLine(two, 'all', {})).toBe(`${LINE}all`);
});
