import { expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { writeGaiaFixture } from './gaia-fixture.ts';
import { runVitest } from './run-vitest.ts';

const RECORDS = ['a', 'b'].map((id) => ({ id, truth: '17', output: 'FINAL ANSWER: 17' }));

test('what holds for several agents is said once, and the last line counts the failures of each', async () => {
  const folder = makeFolder({
    'wrong.ts': "export default { name: 'wrong', answer: () => ({ text: '18', tokens: 3 }) };",
    'half.ts': "export default { name: 'half', answer: ({ id }) => (id === 'a' ? '17' : '18') };",
  });
  const { env } = writeGaiaFixture(RECORDS, 'gaia-copy');
  const agents = [env.EVAL_AGENT, `module:${folder}/wrong.ts`, `module:${folder}/half.ts`];
  const { output, report } = await runVitest(['run', 'evals/gaia'], { ...env, EVAL_AGENT: agents.join(',') });
  const lines = report.split('\n').map((line) => line.trim());
  const notes = lines.slice(lines.indexOf('gaia: GAIA layout: 2 records.')).filter(Boolean);
  const submission =
    "the submission has 2 tasks in the leaderboard's form: a part, and the leaderboard takes whole splits only.";
  const tools = 'its tools are its own: whether they reach the web, and copies of GAIA there, is not known.';
  expect(notes.map((line) => line.replace(env.EVAL_AGENT, 'replay'))).toEqual([
    'gaia: GAIA layout: 2 records.',
    `gaia, each of the 3 agents: ${submission}`,
    'gaia, replay: rule audit: on whole outputs: official +0 -2, exact +0 -2',
    `gaia, wrong and half each: ${tools}`,
    expect.stringMatching(
      /^gaia, wrong: fields of its answers that nobody reads: "tokens" \(did you mean "usage"\?\)\./,
    ),
    'rule audit: + wrong answers that a rule would accept, - right ones that it would reject',
    expect.stringMatching(/^Run folder: /),
    'exit 1: gaia (gaia-copy/validation): failed cases and no gate: wrong 2, half 1',
  ]);
  expect(output.match(/to ask/g)).toHaveLength(1);
  expect(output).toContain('  gaia, wrong and half each: 2 trials, 0 from the cache, 2 to ask, cost not known\n');
});
