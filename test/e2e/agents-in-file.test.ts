import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readManifest } from '../../src/store/manifest.ts';
import { makeFolder } from '../make-folder.ts';
import { copyProject } from './copy-project.ts';
import { readRows, readSummary, runVitest } from './run-vitest.ts';
import { watchVitest } from './watch-vitest.ts';

/** Writes down whom it asks; `wrong` says which of the trials are answered wrongly. */
const AGENT = `
import { appendFileSync } from 'node:fs';
export const extractWith = (model, wrong) => ({ id, choices, prompt }, { trial }) => {
  appendFileSync(new URL('calls', import.meta.url), model + ' ' + prompt.slice(0, 5) + '\\n');
  if (choices !== undefined) return choices.B;
  return { output: wrong(Number(id), trial) ? 'wrong' : 'v' + id, cost: 0.01, firstTokenMs: 0 };
};`;

const LARGE = `
import { extractWith } from './extract.ts';
const answer = extractWith('large', (id) => id === 1);
export default { name: 'unused', priced: true, answer };`;

const EVAL = `
import { defineEval } from 'viva';
import { extractWith } from './extract.ts';
const priced = (answer) => ({ priced: true, answer });
await defineEval('twins', {
  data: Array.from({ length: 12 }, (_, index) => ({ id: String(index + 1), input: 'What?', target: 'v' + (index + 1) })),
  agents: {
    small: priced(extractWith('small', (id, trial) => id % 2 === 1 || (id === 2 && trial === 1))),
    large: './large.ts',
    tiny: priced(extractWith('tiny', () => true)),
  },
});
await defineEval('choices', {
  agents: { only: priced(() => ({ output: 'A', cost: 0 })) },
  data: [{ id: 'c', input: 'Which?', target: 'A', choices: Object.fromEntries([...'ABCDEFGH'].map((label) => [label, label])) }],
});`;

test('several agents of an eval file are asked side by side', async () => {
  const project = copyProject();
  const place = (name: string) => join(project, 'evals/mcq', name);
  writeFileSync(place('twins.eval.ts'), EVAL);
  writeFileSync(place('extract.ts'), AGENT);
  writeFileSync(place('large.ts'), LARGE);
  writeFileSync(place('a.md'), 'First. {{question}}');
  writeFileSync(place('b.md'), 'Other. {{question}}');
  const settings = {
    EVAL_PROMPT: 'twins=evals/mcq/a.md,twins=evals/mcq/b.md',
    EVAL_TRIALS: '2',
    EVAL_MAX_COST: '9',
    EVAL_SHUFFLE_CHOICES: '7',
  };
  const { dir } = await runVitest(['run', 'twins.eval'], settings, { cwd: project });
  const calls = readFileSync(place('calls'), 'utf8').trim().split('\n');
  const counts = [...Map.groupBy(calls, String)].map(([call, all]) => `${call}: ${all.length}`);
  const names = ['large', 'small', 'tiny'];
  expect(counts.toSorted()).toEqual(names.flatMap((name) => [`${name} First: 24`, `${name} Other: 24`]));
  const folder = join(dir, 'latest');
  const rows = readRows(folder);
  expect(rows).toHaveLength(2 * 3 * 24 + 2);
  expect(rows.find(({ suite }) => suite === 'choices')?.presented?.seed).toBe(7);
  expect(rows.filter(({ first_token_ms }) => first_token_ms === 0)).toHaveLength(2 * 3 * 24);
  const twins = readManifest(folder).suites.find(({ suite }) => suite === 'twins');
  expect(twins?.agents.toSorted()).toEqual(names);
  const { suites } = readSummary(folder);
  const accuracies = suites.flatMap(({ suite, agent, groups }) =>
    suite === 'twins' ? [`${agent} ${groups.at(-1)?.states.correct}`] : [],
  );
  expect(accuracies).toEqual(['small 11', 'small 11', 'large 22', 'large 22', 'tiny 0', 'tiny 0']);
});

const WATCHED = `
import { defineEval } from 'viva';
await defineEval('watched', {
  free: true,
  data: [{ id: 'a', input: 'What?', target: 'v1' }],
  agents: { small: () => 'v1', large: './large.ts' },
});`;

test('in watch mode an edit of an agent that a path names asks it alone, and a model waits for a limit', async () => {
  const project = copyProject();
  const write = (name: string, text: string) =>
    writeFileSync(join(project, 'evals/mcq', name), text);
  write('say.ts', "export const say = 'v1';");
  write('large.ts', "import { say } from './say.ts'; export default () => say;");
  write('watched.eval.ts', WATCHED);
  const watch = watchVitest(
    ['watched.eval', '--project', 'evals'],
    { EVAL_DIR: makeFolder() },
    project,
  );
  expect(await watch.nextReport()).toContain('watched, each of the 2 agents: 1 question, 0 cached');
  write('say.ts', "export const say = 'v2';");
  const edited = await watch.nextReport();
  expect(edited).toContain('watched, small: 1 question, 1 cached');
  expect(edited).toContain('watched, large: compared with watch run 1 (the agent changed)');
  write('watched.eval.ts', WATCHED.replace('agents: {', "agents: { remote: 'openai:m',"));
  expect(await watch.nextScreen(/is skipped/)).toMatch(
    /watched is skipped: its agent remote may cost money: .+, as in EVAL_LIMIT=5\.$/m,
  );
});
