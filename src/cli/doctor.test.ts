import { expect, test } from 'vitest';
import { makeRun } from '../../test/make-run.ts';
import { readConfig } from '../config.ts';
import { toTrials } from '../metrics/result.fixture.ts';
import { baseline, judgeNode, judgeSpace } from './doctor.ts';

test.each([
  ['Node', judgeNode('24.0.0'), 'ok'],
  ['Node', judgeNode('22.22.0'), 'miss'],
  ['Node', judgeNode('9.0.0'), 'miss'],
  ['disk', judgeSpace('/x', 200), 'ok'],
  ['disk', judgeSpace('/x', 199), 'miss'],
])('%s: %j is %s', (_, finding, status) => {
  expect(finding.status).toBe(status);
});

test('says what the baseline holds, and nothing where there is none', () => {
  const run = makeRun(toTrials('a', '+-'), { name: 'old' });
  const found = baseline(readConfig({ EVAL_BASELINE: run }));
  expect(found).toEqual([{ status: 'ok', what: 'old: gaia (made-up) by replay, 2 results' }]);
  expect(baseline(readConfig({}))).toEqual([]);
});

test('refuses a baseline that is not there', () => {
  expect(() => baseline(readConfig({ EVAL_BASELINE: '/nowhere' }))).toThrow('EVAL_BASELINE must be the folder');
});
