import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readManifest } from '../../src/store/manifest.ts';
import { makeFolder } from '../make-folder.ts';
import { runViva } from '../run-viva.ts';
import { readRows, readSummary, runFolderOf, runVitest } from './run-vitest.ts';

/** Ten questions whose right option says so, and one that must keep its order. */
const QUESTIONS = [
  'question,A,B,C,D,answer',
  ...Array.from({ length: 10 }, (_, index) => `Which ${index}?,right ${index},x,y,z,A`),
  'Which is last?,p,q,right here,Both A and B,C',
  'Which is hidden?,p,q,r,s,?',
].join('\n');

const AGENTS = {
  'knows.mjs': `export default { name: 'knows', answer: ({ choices }) =>
    JSON.stringify({ answer: Object.keys(choices).find((label) => choices[label].startsWith('right')) }) };`,
  'first.mjs': `export default { name: 'first', answer: (question) => {
    if ('presentation' in question || 'target' in question) throw new Error('seen');
    return '{"answer": "A", "confidence": "low"}';
  } };`,
};

test('EVAL_SHUFFLE_CHOICES moves options, names them as the dataset does, and is undone by a replay', async () => {
  const folder = makeFolder({ 'q.csv': QUESTIONS, ...AGENTS });
  const agents = Object.keys(AGENTS).map((name) => `module:${folder}/${name}`);
  const env = {
    EVAL_MCQ: join(folder, 'q.csv'),
    EVAL_AGENT: agents.join(),
    EVAL_SHUFFLE_CHOICES: '3',
    EVAL_TIMEOUT: '50',
  };
  const run = await runVitest(['run', 'evals/mcq'], env);
  expect(run.output).toContain('EVAL_SHUFFLE_CHOICES=3: the options of');
  const results = runFolderOf(run.dir);
  const rows = readRows(results).filter(
    ({ agent, target }) => agent === 'knows' && target !== null,
  );
  expect(rows.map(({ answer }) => answer)).toEqual(rows.map(({ target }) => target));
  expect(rows.map(({ target }) => target).toSorted()).toEqual([...'AAAAAAAAAAC']);
  expect(new Set(rows.map(({ presented }) => presented?.target[0])).size).toBeGreaterThan(1);
  expect(rows.every(({ presented }) => presented?.answer?.[0] === presented?.target[0])).toBe(true);

  const { output: verified } = await runViva(['verify', 'latest'], { EVAL_DIR: run.dir });
  expect(verified).toContain('mcq: 22 outputs graded again');
  expect(verified).not.toContain('MISMATCH');
  expect(verified).not.toMatch(/as stored|not checked/);
  expect(verified.match(/options shuffled \(EVAL_SHUFFLE_CHOICES=3\)/g)).toHaveLength(2);

  // An agent that always names the first option is shown up by its positions.
  const first = readSummary(results).suites.find(({ agent }) => agent === 'first');
  expect(first?.groups.at(-1)?.states.errored).toBe(0);
  expect(first?.positions?.map(({ correct, chosen }) => [correct, chosen])).toEqual([
    [first?.positions?.[0]?.n, 11],
    [0, 0],
    [0, 0],
    [0, 0],
  ]);
  expect(readFileSync(join(results, 'summary.md'), 'utf8')).toContain(
    '| position | n | correct | accuracy | chosen |',
  );

  const started = join(folder, 'started');
  const mcpServers = { own: { command: 'touch', args: [started] } };
  writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers }));
  const again = await runVitest(['run', 'evals/mcq', '-t', '> q-000'], {
    ...{ EVAL_MCQ: env.EVAL_MCQ, EVAL_AGENT: `replay:${results}`, EVAL_MIN_ACCURACY: '0' },
    EVAL_MCP: join(folder, 'mcp.json'),
  });
  // A recording needs no tools.
  expect(existsSync(started)).toBe(false);
  // A replay says how its answers were asked for, and when.
  const [asked, recorded] = [results, runFolderOf(again.dir)].map(
    (run) => readManifest(run).suites[0],
  );
  const { timeout_seconds, deadlines, recorded_agent } = recorded?.conditions?.[0] ?? {};
  expect([timeout_seconds, deadlines]).toEqual([50, asked?.conditions?.[0]?.deadlines]);
  expect(recorded_agent).toBe(asked?.agents?.[0]);
  expect(recorded?.prompts?.map(({ hash, name }) => [hash, name])).toEqual([
    [asked?.prompt_hash, 'prompt.md'],
  ]);
  const times = new Map(rows.map(({ id, answered_at }) => [id, answered_at]));
  const ofKnows = readRows(runFolderOf(again.dir)).filter(({ agent }) => agent.endsWith('#knows'));
  expect(ofKnows.map(({ answered_at }) => answered_at)).toEqual(
    ofKnows.map(({ id }) => times.get(id)),
  );
  const replayed = readSummary(runFolderOf(again.dir)).suites.map(({ groups }) => groups.at(-1));
  expect(replayed).toContainEqual(expect.objectContaining({ n: 9, accuracy: 1 }));
  // The gate holds, but of a run that -t narrows Vitest decides, which saw failed cases.
  expect(again.report).toContain(
    'PARTIAL: 6 of 24 tests were not selected. No figure counts them.',
  );
  expect(again.report).toContain('gate holds: ');
  expect(again.report).toContain('Vitest sets the exit code: you used -t');
  expect(again.code).toBe(1);
});
