import { expect, test } from 'vitest';
import { SuiteProgress } from './progress-reporter.ts';

function run(limit: number, act: (suite: SuiteProgress) => void) {
  const suite = new SuiteProgress('gaia', limit, 0);
  act(suite);
  return suite.progress;
}

test('counts what is done, judged and right, whatever became of a test', () => {
  const progress = run(20, (suite) => {
    for (let index = 0; index < 7; index++) {
      suite.expect('a');
      suite.begin('a');
    }
    suite.end('a', { state: 'correct', slots: 20 });
    suite.end('a', { state: 'incorrect', slots: 20 });
    suite.end('a', { state: 'ungraded', hidden: true, slots: 20 });
    suite.end('a', { state: 'errored', hidden: true, slots: 20 });
    suite.end('a', { state: 'not_run' });
    suite.end('a', {});
  });
  expect(progress.agents).toEqual([{ agent: 'a', judged: 2, correct: 1 }]);
  expect(progress).toMatchObject({ total: 7, done: 6, asked: 4, running: 1, spent: null });
});

test('spends nothing on recalled answers', () => {
  const progress = run(20, (suite) => {
    suite.end('a', { state: 'correct', cached: true, cost_usd: 5 });
    suite.end('a', { state: 'correct', cost_usd: 5 });
    suite.end('a', { state: 'correct', cached: false, slots: 20, cost_usd: 0.5 });
    suite.end('a', { state: 'correct', cached: false, slots: 20, cost_usd: 0.25 });
  });
  expect(progress).toMatchObject({ done: 4, asked: 2, spent: 0.75 });
});

test('has no more running than may run, though Vitest started all', () => {
  const start = (suite: SuiteProgress) => {
    for (let index = 0; index < 100; index++) suite.begin('a');
  };
  expect(run(20, start)).toMatchObject({ running: 20, slowed: [] });
  const slowed = run(20, (suite) => {
    start(suite);
    suite.end('a', { state: 'errored', cached: false, slots: 10 });
  });
  expect(slowed).toMatchObject({ running: 10, slowed: [{ provider: 'a', slots: 10 }] });
});

test.each([
  ['each agent has a limit of its own', ['module:./a.ts', 'module:./b.ts'], 40],
  ['models of one API share a limit', ['openai:a', 'openai:b'], 20],
  ['those of two APIs do not', ['openai:a', 'openai-chat:b'], 40],
])('%s', (_, agents, running) => {
  const progress = run(20, (suite) => {
    for (let index = 0; index < 60; index++) suite.begin(agents[index % 2] ?? '');
  });
  expect(progress.running).toBe(running);
});

test('keeps the verdicts of agents apart, in their order', () => {
  const progress = run(20, (suite) => {
    suite.expect('a');
    suite.expect('b');
    suite.end('b', { state: 'correct' });
    suite.end('a', { state: 'incorrect' });
  });
  expect(progress.agents).toEqual([
    { agent: 'a', judged: 1, correct: 0 },
    { agent: 'b', judged: 1, correct: 1 },
  ]);
});
