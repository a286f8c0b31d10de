import { expect, test } from 'vitest';
import { judgeGates } from '../src/metrics/gates.ts';
import { toResult, toTrials } from '../src/metrics/result.fixture.ts';
import { summarize } from '../src/metrics/summarize.ts';
import { readManifest, type SuiteManifest } from '../src/store/manifest.ts';
import type { StoredEnd } from '../src/store/run-end.ts';
import { readRun } from '../src/store/stored-run.ts';
import type { SampleResult } from '../src/types.ts';
import { makeRun } from '../test/make-run.ts';
import { evaluate } from './evaluate-run.ts';
import { toGateLine, toRemarks } from './run-remarks.ts';

const right = toResult('correct', { id: 'a' });
const lost = toResult('not_run', { id: 'b' });
const hidden = toResult('not_run', { id: 'b', target: null });

/** What is said of a run that left these rows, and of whose end this is known. */
function sayOf(rows: readonly SampleResult[], end: Partial<StoredEnd> = {}) {
  const run = readRun(makeRun(rows, { end }));
  return toRemarks(evaluate(run, { calibrationOf: () => null }));
}

test.each([
  [
    'nothing where a sample without a target is lost',
    [right, hidden],
    '1 of 2 tests was not run (budget 1).',
  ],
  [
    'of a run of one suite',
    [right, lost],
    '1 of 2 tests was not run (budget 1). The table shows bounds of the accuracy.',
  ],
])('an incomplete run says that there is no accuracy: %s', (_, rows, said) => {
  expect(sayOf(rows)).toContainEqual({ text: `NOT COMPLETE: ${said}`, level: 'warning' });
});

test.each([
  ['bail', ', because --bail ended the run'],
  ['interrupted', ', because the run was interrupted'],
  [null, ''],
] as const)('a file that never ran is named, after a stop by %j with its cause', (stop, cause) => {
  const text = `RUN ERROR: mcq.eval.ts: none of its samples ran${cause}`;
  expect(sayOf([right], { not_started: ['mcq.eval.ts'], stop })).toContainEqual({
    text,
    level: 'warning',
  });
});

test('the bad records that a setting left out are counted, and the first ones named', () => {
  const left_out = Array.from({ length: 7 }, (_, index) => `q.jsonl:${index + 1}`);
  const run = readRun(makeRun([right], { suite: { left_out } }));
  expect(toRemarks(evaluate(run, { calibrationOf: () => null }))).toContainEqual({
    text: 'LEFT OUT: 7 bad records are not asked in gaia (EVAL_SKIP_BAD): q.jsonl:1, q.jsonl:2, q.jsonl:3, q.jsonl:4, q.jsonl:5 and 2 more.',
    level: 'warning',
  });
});

const SIZES = [
  ['level 1', 2],
  ['level 2', 26],
] as const;

function judge(
  results: readonly SampleResult[],
  group = 'all',
  suite: Partial<SuiteManifest> = { group_sizes: SIZES },
) {
  const manifest = readManifest(makeRun(results, { suite }));
  const summary = summarize(results);
  const gate = { suite: 'gaia', dataset: 'made-up', group, min_accuracy: 0.5 };
  const exit = { code: 0, reason: '' } as const;
  const [judged] = judgeGates([gate], summary, () => null, results);
  return judged && toGateLine(judged, { manifest, summary, exit }).text;
}

const two = [...toTrials('a', '+'), ...toTrials('b', '+')];
const LINE =
  'gate holds: gaia (made-up, replay): accuracy 100.0 % meets the gate 50.0 % for group ';

test.each<[string, readonly SampleResult[], string, string]>([
  ['a selection', toTrials('a', '+'), 'all', ' (on 1 of 28 questions)'],
  ['trials', toTrials('a', '+++'), 'all', ' (on 1 of 28 questions, 3 trials)'],
  ['a part of its group', toTrials('a', '+'), 'level 1', ' (on 1 of 2 questions)'],
  ['its whole group', two, 'level 1', ''],
])('the line of a gate says that it was judged on %s', (_, results, group, selection) => {
  expect(judge(results, group)).toBe(`${LINE}${group}${selection}`);
});

test('a gate of a run that is incomplete is not judged', () => {
  const lost = toResult('not_run', { id: 'c', target: null });
  expect(judge([...two, lost])).toContain(
    'gate not judged: gaia (made-up, replay): the run is incomplete (on 3 of 28 questions)',
  );
});
