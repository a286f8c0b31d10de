import { expect, test } from 'vitest';
import { SuiteProgress } from './suite-progress.ts';

function run(limit: number, act: (suite: SuiteProgress) => void) {
  const suite = new SuiteProgress('gaia', limit, 0);
  act(suite);
  return suite.progress;
}

test('counts what is done, judged and right, whatever became of a test', () => {
  const progress = run(20, (suite) => {
    suite.expect(6);
    for (let index = 0; index < 6; index++) suite.begin();
    suite.end({ state: 'correct', slots: 20 });
    suite.end({ state: 'incorrect', slots: 20 });
    suite.end({ state: 'ungraded', slots: 20 });
    suite.end({ state: 'not_run' });
    suite.end({});
  });
  expect(progress).toMatchObject({ total: 6, done: 5, judged: 2, correct: 1, asked: 3, running: 1, spent: null });
});

test('spends nothing on recalled answers', () => {
  const progress = run(20, (suite) => {
    suite.end({ state: 'correct', cached: true, cost_usd: 5 });
    suite.end({ state: 'correct', cost_usd: 5 });
    suite.end({ state: 'correct', cached: false, slots: 20, cost_usd: 0.5 });
    suite.end({ state: 'correct', cached: false, slots: 20, cost_usd: 0.25 });
  });
  expect(progress).toMatchObject({ done: 4, asked: 2, spent: 0.75 });
});

test('has no more running than may run, though Vitest started all', () => {
  const start = (suite: SuiteProgress) => {
    for (let index = 0; index < 100; index++) suite.begin();
  };
  expect(run(20, start)).toMatchObject({ running: 20, slowedTo: null });
  const slowed = run(20, (suite) => {
    start(suite);
    suite.end({ state: 'errored', cached: false, slots: 10 });
  });
  expect(slowed).toMatchObject({ running: 10, slowedTo: 10 });
});
