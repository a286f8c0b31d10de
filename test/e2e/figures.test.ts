import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SampleResult } from '../../src/types.ts';
import { makeFolder } from '../make-folder.ts';
import { writeGaiaFixture } from './gaia-fixture.ts';
import { readRows, readSummary, runFolderOf, runVitest } from './run-vitest.ts';

/** What the agent does in its first and in its second trial: "+" right, "-" wrong, "!" throws, "0" says nothing. */
const DEEDS: Readonly<Record<string, string>> = {
  'all-right': '++',
  'once-right': '+-',
  wrong: '--',
  silent: '00',
  'throws-once': '+!',
  'hidden-answers': '++',
  'hidden-throws': '!!',
  'hidden-silent': '00',
};

const ids = Object.keys(DEEDS);
const isHidden = (id: string) => id.startsWith('hidden');
const RECORDS = ids.map(
  (id, index) => ({ id, level: index % 2 === 0 ? 1 : 2, truth: isHidden(id) ? '?' : '17' }) as const,
);

const AGENT = `const deeds = ${JSON.stringify(DEEDS)};
export default { priced: true, answer };
function answer({ id }, { trial }) {
  const deed = deeds[id][trial - 1];
  if (deed === '!') throw new Error('made up');
  return { text: { '+': 'FINAL ANSWER: 17', '-': 'FINAL ANSWER: 18', 0: '' }[deed], cost: 1 };
}
`;

async function runDeeds(env: Readonly<Record<string, string>>) {
  const agent = join(makeFolder({ 'agent.mjs': AGENT }), 'agent.mjs');
  const { folder } = writeGaiaFixture(RECORDS);
  const settings = { EVAL_GAIA: folder, EVAL_AGENT: `module:${agent}`, EVAL_TRIALS: '2', EVAL_CONCURRENCY: '1' };
  const run = await runVitest(['run', 'evals/gaia'], { ...settings, ...env });
  const results = runFolderOf(run.dir);
  return { ...run, results, rows: readRows(results), all: readSummary(results).suites[0]?.groups.at(-1) };
}

/** The share of right trials and its Wilson interval over as many independent trials as the known questions are worth. */
function recompute(rows: readonly SampleResult[]) {
  const known = ids.filter((id) => !isHidden(id));
  const means = known.map((id) => rows.filter((row) => row.id === id && row.state === 'correct').length / 2);
  const p = means.reduce((sum, mean) => sum + mean, 0) / known.length;
  const spread = means.reduce((sum, mean) => sum + (mean - p) ** 2, 0) / known.length;
  const n = Math.min(2 * known.length, (known.length * p * (1 - p)) / spread);
  const [z, root] = [1.959964, Math.sqrt((p * (1 - p)) / n + 1.959964 ** 2 / (4 * n * n))];
  const ends = [-1, 1].map((side) => (p + z ** 2 / (2 * n) + side * z * root) / (1 + z ** 2 / n));
  return { p, ends, anyRight: means.filter((mean) => mean > 0).length / known.length };
}

test('figures are of the samples with a target; failures of the others show in their columns', async () => {
  const { code, report, rows, all, results } = await runDeeds({ EVAL_MIN_ACCURACY: '0.4' });
  const { p, ends, anyRight } = recompute(rows);
  expect(p).toBe(0.4);
  expect(all).toMatchObject({
    n: 16,
    graded: 10,
    questions: 8,
    accuracy: p,
    bounds: [p, p],
    ci95: ends.map((end) => expect.closeTo(end, 5)),
    states: { correct: 4, incorrect: 3, no_answer: 4, errored: 3, ungraded: 2, not_run: 0 },
    cost_at_least_usd: 13,
    without_cost: 3,
  });
  const { trials } = JSON.parse(readFileSync(join(results, 'summary.json'), 'utf8'));
  expect(trials[0].rates).toMatchObject([{ pass_at_k: p }, { pass_at_k: anyRight }]);
  expect(report).toMatch(/group +n \(trials\) +graded +correct/);
  expect(report).toMatch(/all +16 +10 +4 +40\.0 %/);
  expect(report).toContain('cost: at least $13.00, 3 answers without a cost');
  expect(report).toContain('gate holds: ');
  expect(report).not.toMatch(/a selection of|copies of GAIA|leaderboard/);
  expect(code).toBe(0);
  const csv = readFileSync(join(results, 'answers.csv'), 'utf8').split('\r\n');
  expect(csv[0]).toBe('task_id,level,expected_answer,actual_answer,match,trial');
  expect(csv.filter((line) => line.startsWith('hidden')).map((line) => line.split(',').at(-2))).toEqual(
    Array(6).fill(''),
  );
});
