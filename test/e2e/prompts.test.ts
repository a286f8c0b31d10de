import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toWorkspacePath } from '../../src/run/workdir.ts';
import { readManifest } from '../../src/store/manifest.ts';
import { toTracePath } from '../../src/store/run-folder.ts';
import { makeFolder } from '../make-folder.ts';
import { readRows, readSummary, runVitest } from './run-vitest.ts';

/** Says which prompt it was asked with. */
const AGENT = `import { appendFileSync } from 'node:fs';
export default { name: 'obedient', priced: true, answer: ({ id, suite, prompt }, { workdir }) => {
  appendFileSync(new URL('calls', import.meta.url), suite + ' ' + prompt.split('.')[0] + '\\n');
  appendFileSync(workdir + '/note.txt', 'n');
  return { output: prompt.startsWith('Careful') ? '17' : '5', cost: 0.01, trace: [{ text: prompt.split('.')[0] }] };
} };`;

test('a suite is asked with several prompts, beside a suite with one', async () => {
  const own = makeFolder({
    'agent.mjs': AGENT,
    calls: '',
    'quick.md': 'Quick. {{question}}',
    'careful.md': 'Careful. {{question}}',
    'mcq.md': 'Plain. {{question}}',
  });
  const prompts = ['gaia=quick.md', 'gaia=careful.md', 'mcq=mcq.md'].map((entry) =>
    entry.replace('=', `=${own}/`),
  );
  const env = {
    ...{ EVAL_AGENT: `module:${own}/agent.mjs`, EVAL_PROMPT: prompts.join() },
    ...{ EVAL_LIMIT: '8', EVAL_TRIALS: '2', EVAL_MAX_COST: '5', EVAL_KEEP_WORKDIR: 'all' },
  };
  const { dir, output } = await runVitest(
    ['run', 'evals', '--project=evals', '--reporter=tree'],
    env,
  );
  const calls = readFileSync(join(own, 'calls'), 'utf8').trim().split('\n');
  const counts = Map.groupBy(calls, (call) => call);
  expect([...counts].map(([call, { length }]) => `${call}: ${length}`).toSorted()).toEqual([
    'gaia Careful: 16',
    'gaia Quick: 16',
    'mcq Plain: 16',
  ]);

  const folder = join(dir, 'latest');
  const names = ['quick.md@', 'careful.md@'];
  const { suites } = readManifest(folder);
  const [gaia, mcq] = ['gaia', 'mcq'].map((name) => suites.find(({ suite }) => suite === name));
  expect([gaia, mcq].map((entry) => entry?.prompts?.map(({ name }) => name))).toEqual([
    ['quick.md', 'careful.md'],
    ['mcq.md'],
  ]);
  for (const { file, name, hash } of [...(gaia?.prompts ?? []), ...(mcq?.prompts ?? [])]) {
    expect(file).toMatch(new RegExp(`^prompts/(gaia|mcq)-${hash.slice(0, 8)}\\.md$`));
    expect(readFileSync(join(folder, file), 'utf8')).toBe(
      readFileSync(join(own, String(name)), 'utf8'),
    );
  }

  const rows = readRows(folder);
  expect(rows).toHaveLength(16 + 2 * 16);
  for (const row of rows) {
    expect(existsSync(join(folder, toTracePath(row)))).toBe(true);
    expect(row.prompt?.split('@')[1]).toBe(
      row.suite === 'gaia' ? row.prompt_hash.slice(0, 8) : undefined,
    );
  }
  const traces = rows.map((row) => readFileSync(join(folder, toTracePath(row)), 'utf8'));
  expect(traces.filter((trace) => trace.includes('"Careful"'))).toHaveLength(16);
  expect(rows.filter((row) => !existsSync(join(folder, toWorkspacePath(row))))).toEqual([]);

  const exported = readdirSync(folder).filter((name) => /^(answers|submission)/.test(name));
  const hashes = gaia?.prompts?.map(({ hash }) => hash.slice(0, 8)) ?? [];
  const files = hashes.flatMap((hash) => [`answers-${hash}.csv`, `submission-${hash}.jsonl`]);
  expect(exported.toSorted()).toEqual(files.toSorted());
  const careful = readFileSync(join(folder, `submission-${hashes[1]}.jsonl`), 'utf8');
  expect(careful.match(/"model_answer":"17"/g)).toHaveLength(8);

  const summary = readSummary(folder);
  expect(summary.complete).toBe(true);
  expect(
    summary.suites.map(({ suite, prompt, groups }) => [
      suite,
      prompt?.slice(0, -8),
      groups.at(-1)?.n,
    ]),
  ).toEqual([
    ['gaia', names[0], 16],
    ['gaia', names[1], 16],
    ['mcq', undefined, 16],
  ]);
  expect(output).not.toMatch(/mcq: .+ = \d+ questions/);
  expect(output).toMatch(/ \| quick\.md@[0-9a-f]{8} \| trial 2/);
  expect(output).toMatch(
    /^ +quick\.md@[0-9a-f]{8} +careful\.md@[0-9a-f]{8}\n +n \(trials\) +16 +16\n/m,
  );
  expect(output).toMatch(/gate \w+: gaia \(sample, \S+, careful\.md@[0-9a-f]{8}\)/i);
});
