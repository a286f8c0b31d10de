import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { runScript } from './run-script.ts';

const SCRIPT = [
  { id: 'a', group: 'level 1', say: 'FINAL ANSWER: 17', cost: 0.5 },
  { id: 'b', group: 'level 2', say: 'FINAL ANSWER: 18' },
];

test('a JUnit report has what is known of each case as properties', async () => {
  const file = join(makeFolder(), 'junit.xml');
  const args = ['run', 'evals', '--reporter=default', '--reporter=junit', `--outputFile.junit=${file}`];
  const run = await runScript(SCRIPT, { args });
  const cases = readFileSync(file, 'utf8')
    .split('<testcase ')
    .slice(1)
    .map((text) => [...text.matchAll(/<property name="(eval\.\w+)" value="([^"]*)">/g)].map(([, ...pair]) => pair));
  expect(cases[0]).toContainEqual(['eval.state', 'correct']);
  expect(cases[0]).toContainEqual(['eval.cost_usd', '0.5']);
  expect(cases[1]).toContainEqual(['eval.state', 'incorrect']);
  expect(cases[1]).toContainEqual(['eval.group', 'level 2']);
  // They are no part of what a terminal shows of a failed case.
  expect(run.output).not.toContain('eval.state');
});

test('a JSON report has it as meta', async () => {
  const file = join(makeFolder(), 'report.json');
  await runScript(SCRIPT, { args: ['run', 'evals', '--reporter=json', `--outputFile.json=${file}`] });
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
  const states = testResults[0].assertionResults.map((result: { meta: { eval: object } }) => result.meta.eval);
  expect(states).toMatchObject([
    { id: 'a', state: 'correct', cost_usd: 0.5 },
    { id: 'b', state: 'incorrect', answer: '18' },
  ]);
});
