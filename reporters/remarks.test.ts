import { expect, test } from 'vitest';
import { NOTHING_ASKED } from '../src/compare/audit.ts';
import { NO_TURNS } from '../src/compare/watch-turns.ts';
import { readConfig } from '../src/config.ts';
import { toResult } from '../src/metrics/result.fixture.ts';
import { summarize } from '../src/metrics/summarize.ts';
import { readManifest } from '../src/store/manifest.ts';
import { makeRun } from '../test/make-run.ts';
import { concludeRun } from './conclude-run.ts';
import { type Remark, toLines } from './remark.ts';
import { toBudgetRemarks, toCostRemarks, toRateRemarks, toRemarks } from './remarks.ts';

const subjects = ['a', 'b', 'c'].flatMap((agent) => [
  { suite: 'gaia', agent },
  { suite: 'mcq', agent },
]);

const say = (suite: string, agent: string | null, text: string): Remark => ({ suite, agent, text });

test.each<[string, readonly Remark[], readonly string[]]>([
  [
    'stand suite by suite, agent by agent',
    [say('mcq', 'a', '1'), say('gaia', 'b', '2'), say('gaia', 'a', '3'), say('gaia', null, '4'), say('gaia', 'a', '5')],
    ['gaia: 4', 'gaia, a: 3', 'gaia, a: 5', 'gaia, b: 2', 'mcq, a: 1'],
  ],
  [
    'that are the same of all agents are said once, before those of one',
    [say('gaia', 'a', 'x'), ...['a', 'b', 'c'].map((agent) => say('gaia', agent, 'same'))],
    ['gaia, each of the 3 agents: same', 'gaia, a: x'],
  ],
  [
    'that are the same of some agents name them',
    [say('gaia', 'b', 'same'), say('gaia', 'c', 'same'), say('mcq', 'c', 'same')],
    ['gaia, b and c each: same', 'mcq, c: same'],
  ],
  ['of a suite without figures are kept', [say('other', 'd', 'x')], ['other, d: x']],
])('remarks %s', (_, remarks, lines) => {
  expect(toLines(remarks, subjects)).toEqual(lines);
});

function call(slots: number, waited_ms = 0, cached = false) {
  return { ...toResult('correct', { agent: 'a', waited_ms, cached }), slots };
}

test.each([
  ['nothing of a run that was never refused', [call(20), call(20)], []],
  ['nothing of a replay', [toResult('correct'), toResult('incorrect')], []],
  [
    'how long calls waited and how far their number was cut',
    [call(20, 1500), call(10, 500), call(11)],
    [
      'a: 2 calls were put off, refused or not reached, for 2.0 s in all, which count in no latency; ' +
        'calls were refused as too many, and as few as 10 at once were asked instead of 20',
    ],
  ],
  [
    'of one call without a refusal no status',
    [call(2, 1500)],
    ['a: 1 call was put off, refused or not reached, for 1.5 s in all, which count in no latency'],
  ],
  [
    'what it did for refusals that no call waited for',
    [call(2), call(1)],
    ['a: calls were refused as too many, and as few as 1 at once were asked instead of 2'],
  ],
  ['nothing of what an earlier run waited', [call(20), call(5, 900, true)], []],
])('says %s', (_, results, remarks) => {
  expect(toRateRemarks(results)).toEqual(remarks);
});

const paid = toResult('correct', { cost_usd: 0.5 });
const unknown = (id: string) => toResult('timed_out', { id });

test.each([
  ['all costs are known', [paid], [], 'EVAL_MAX_COST=2: $0.50 were spent by 1 call'],
  [
    'one is not',
    [paid, unknown('b')],
    ['cost: at least $0.50, 1 answer without a cost'],
    'EVAL_MAX_COST=2: at least $0.50 were spent by 2 calls, 1 answer without a cost',
  ],
  [
    'several are not',
    [paid, unknown('b'), unknown('c')],
    ['cost: at least $0.50, 2 answers without a cost'],
    'EVAL_MAX_COST=2: at least $0.50 were spent by 3 calls, 2 answers without a cost',
  ],
])('the total where %s', (_, results, said, budget) => {
  expect(toCostRemarks(summarize(results)).map(({ text }) => text)).toEqual(said);
  expect(toBudgetRemarks(readManifest(makeRun(results, { config: { maxCost: 2 } })), results)).toEqual([budget]);
});

test('nothing is said of an agent whose costs nobody knows', () => {
  expect(toCostRemarks(summarize([unknown('a')]))).toEqual([]);
});

const right = toResult('correct', { id: 'a' });
const lost = toResult('not_run', { id: 'b' });
const hidden = toResult('not_run', { id: 'b', target: null });
const inMcq = { suite: 'mcq', dataset: 'sample' } as const;

test.each([
  ['nothing where a sample without a target is lost', [right, hidden], '1 of 2 results was not run (budget 1).'],
  [
    'of a run of one suite',
    [right, lost],
    '1 of 2 results was not run (budget 1): there is no accuracy, only its bounds.',
  ],
  [
    'of the suite that lacks one',
    [right, hidden, { ...right, ...inMcq }, { ...lost, ...inMcq }],
    '2 of 4 results were not run (budget 2): of mcq (sample, replay) there is no accuracy, only its bounds.',
  ],
])('that there is no accuracy is said: %s', (_, rows, said) => {
  const tests = rows.map((row) => ({
    meta: { ...row, run: 'run' },
    picked: true,
    inTurn: true,
    state: row.state === 'correct' ? ('passed' as const) : ('skipped' as const),
    error: null,
  }));
  const conclusion = concludeRun({
    folder: makeRun(rows),
    config: readConfig({}),
    gates: [],
    tests,
    neverRan: [],
    failures: [],
    refused: [],
    watch: false,
    merged: null,
    interrupted: null,
    baseline: null,
    turns: NO_TURNS,
    asked: NOTHING_ASKED,
  });
  expect(toRemarks(conclusion)).toContain(`NOT COMPLETE: ${said}`);
});
