import { describe, expect, test } from 'vitest';
import { makeRun } from '../../test/make-run.ts';
import { readConfig } from '../config.ts';
import { toTrials } from '../metrics/result.fixture.ts';
import { agents, baseline } from './doctor.ts';

test('describes the baseline, and prints nothing without one', () => {
  const run = makeRun(toTrials('a', '+-'), { name: 'old' });
  const found = baseline(readConfig({ EVAL_BASELINE: run }));
  expect(found).toEqual([{ status: 'ok', what: 'old: gaia (made-up) by replay, 2 results' }]);
  expect(baseline(readConfig({}))).toEqual([]);
});

describe('an agent of EVAL_AGENT', () => {
  const examine = (text: string, isAgreed: boolean) =>
    agents(readConfig({ EVAL_AGENT: text }), { env: {}, isAgreed });

  test('that is not set is skipped, with the command that asks those in eval files', async () => {
    const found = await examine('', true);
    expect(found).toEqual([
      { status: 'skipped', what: expect.stringContaining('EVAL_LIMIT=1 npx vitest run evals') },
    ]);
    expect(await examine('', false)).toEqual([]);
  });

  test.each([
    [
      'is asked one question when told to',
      'cat >/dev/null; echo FINAL ANSWER: 5',
      'ok',
      /answered in \d+\.\d s: "FINAL ANSWER: 5"$/,
    ],
    ['does not answer', 'exit 3', 'miss', /^command:exit 3 did not answer: /],
    ['says nothing', 'cat >/dev/null', 'miss', /did not answer: /],
  ])('%s', async (_, command, status, what) => {
    expect(await examine(`command:${command}`, true)).toEqual([
      expect.objectContaining({ status, what: expect.stringMatching(what) }),
    ]);
  });

  test('or of EVAL_JUDGE is asked as a judge', async () => {
    const judged = (line: string, isAgreed: boolean) =>
      agents(readConfig({ EVAL_AGENT: 'replay', EVAL_JUDGE: `command:${line}` }), {
        env: {},
        isAgreed,
      });
    const says = `echo '{"reason": "Both say 5.", "verdict": "pass"}'`;
    expect(await judged(says, false)).toMatchObject([{ status: 'skipped' }]);
    expect(await judged(says, true)).toMatchObject([
      { status: 'ok', what: expect.stringContaining('pass') },
    ]);
    expect(await judged('echo FINAL ANSWER: 5', true)).toMatchObject([
      {
        status: 'miss',
        what: expect.stringContaining('The judge gave no verdict of its own, twice.'),
      },
    ]);
  });
});
