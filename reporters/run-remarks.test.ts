import { expect, test } from 'vitest';
import { judgeGates } from '../src/metrics/gates.ts';
import { toResult, toTrials } from '../src/metrics/result.fixture.ts';
import { summarize } from '../src/metrics/summarize.ts';
import { type AgentPlan, readManifest, type SuiteManifest } from '../src/store/manifest.ts';
import type { StoredEnd } from '../src/store/run-end.ts';
import { readRun } from '../src/store/stored-run.ts';
import { plural } from '../src/text/wording.ts';
import type { SampleResult } from '../src/types.ts';
import { makeRun } from '../test/make-run.ts';
import { evaluate } from './evaluate-run.ts';
import { toCacheRemarks, toGateLine, toRemarks } from './run-remarks.ts';

const PLAN: AgentPlan = {
  ...{ agent: 'a', kept: true, trials: 1, cached: 1, oldest: null, newest: null, to_ask: 0 },
  ...{ expected_cost_usd: null, missed_because: null },
};

const cached = toResult('correct', {
  agent: 'a',
  cached: true,
  answered_at: new Date().toISOString(),
});

test.each([
  [
    'how many answers are cached, and how old they are',
    [cached, toResult('correct', { agent: 'a' })],
    1,
  ],
  ['nothing where none was', [toResult('correct', { agent: 'a' })], 0],
])('says %s', (_, results, sentences) => {
  const remarks = toCacheRemarks(
    { suite: 'gaia', plans: [PLAN] },
    results,
    new Date().toISOString(),
  );
  const text = `1 of ${plural(results.length, 'answer')} is cached (0 min old)`;
  expect(remarks).toEqual([{ suite: 'gaia', agent: 'a', text }].slice(0, sentences));
});

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
])('the line of a gate that was judged on %s', (_, results, group, selection) => {
  expect(judge(results, group)).toBe(`${LINE}${group}${selection}`);
});

test('a gate of a run that is incomplete is not judged', () => {
  const lost = toResult('not_run', { id: 'c', target: null });
  expect(judge([...two, lost])).toContain(
    'gate not judged: gaia (made-up, replay): the run is incomplete (on 3 of 28 questions)',
  );
});

test('a manifest of an older version does not say how large the dataset is', () => {
  expect(judge(two, 'all', {})).toBe(`${LINE}all`);
});
