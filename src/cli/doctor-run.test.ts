import { expect, test } from 'vitest';
import { makeRun } from '../../test/make-run.ts';
import { toTrials } from '../metrics/result.fixture.ts';
import { baseline } from './doctor-run.ts';

const check = (env: Readonly<Record<string, string>>) =>
  baseline.run({ args: [], env, print: () => {}, confirm: async () => null });

test('says what the baseline holds, and nothing where there is none', async () => {
  const run = makeRun(toTrials('a', '+-'), { name: 'old' });
  expect(await check({ EVAL_BASELINE: run })).toEqual([
    { status: 'ok', what: 'old: gaia (made-up) by replay, 2 results' },
  ]);
  expect(await check({})).toEqual([]);
});

test('refuses a baseline that is not there', async () => {
  await expect(async () => check({ EVAL_BASELINE: '/nowhere' })).rejects.toThrow('EVAL_BASELINE must be the folder');
});
