import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { copyProject } from './copy-project.ts';
import { readRows, runVitest } from './run-vitest.ts';

/** Each agent reads a file on each call, and changes it itself at the third question. */
const FILES = {
  'changed.eval.ts': `
import { defineEval } from 'viva';
await defineEval('changed', {
  free: true,
  data: ['a', 'b', 'c', 'd'].map((id) => ({ id, input: id, target: 'old' })),
  agents: { shell: 'command:sh evals/mcq/agent.sh', code: './agent.ts' },
});`,
  'agent.sh': `read -r line
cd "$(dirname "$0")"
case $line in *'"id":"c"'*) echo new >./word.txt ;; esac
cat ./word.txt`,
  'agent.ts': `
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
export default ({ id }: { id: string }) => {
  const file = new URL('./prompt.txt', import.meta.url);
  if (id === 'c') execFileSync('sed', ['-i', 's/old/new/', file.pathname]);
  return readFileSync(file, 'utf8').trim();
};`,
};

test('no answer of changed code is cached under the old one, and the run says why it stopped', async () => {
  const project = copyProject();
  const write = (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files))
      writeFileSync(join(project, 'evals/mcq', name), text);
  };
  const before = { 'word.txt': 'old\n', 'prompt.txt': 'old\n' };
  write({ ...FILES, ...before });
  const env = { EVAL_DIR: makeFolder(), EVAL_CONCURRENCY: '1' };
  const args = ['run', 'evals/mcq/changed.eval.ts'];
  const first = await runVitest(args, env, { cwd: project });
  for (const name of ['word.txt', 'prompt.txt'])
    expect(first.report).toContain(
      `STOPPED: evals/mcq/${name} changed while this run was asking; 1 answer of the new code was left out. Run again`,
    );
  expect(first.report).toMatch(
    /^ {2}exit 1: .+: evals\/mcq\/\S+ changed while this run was asking$/m,
  );
  const ends = readRows(join(env.EVAL_DIR, 'latest')).map(({ id, state, reason }) => [
    id,
    state,
    reason,
  ]);
  const ofOne = [
    ['a', 'correct', null],
    ['b', 'correct', null],
    ['c', 'not_run', 'changed'],
    ['d', 'not_run', 'changed'],
  ];
  expect(ends.toSorted()).toEqual(ofOne.flatMap((end) => [end, end]));

  write(before);
  const { output } = await runVitest(args, { ...env, EVAL_DRY_RUN: '1' }, { cwd: project });
  expect(output).toContain('changed, each of the 2 agents: 4 questions, 2 cached');
  write({ 'agent.ts': `// A comment.\n${FILES['agent.ts']}`, 'word.txt': 'new\n' });
  const edited = await runVitest(args, { ...env, EVAL_DRY_RUN: '1' }, { cwd: project });
  expect(edited.output).toMatch(/changed, shell: .+\(2: evals\/mcq\/word\.txt changed; /);
  expect(edited.output).toMatch(/changed, code: 4 questions, 2 cached/);
});

/** A plugin that takes a word from a file, and an agent that writes a file by a process. */
const TWICE = {
  'evals/mcq/twice.eval.ts': `
import { defineEval } from 'viva';
await defineEval('twice', {
  free: true,
  data: ['a', 'b'].map((id) => ({ id, input: id, target: 'old' })),
  agents: { word: './word.ts', memory: './memory.ts' },
});`,
  'evals/mcq/word.ts': "export default () => 'WORD';",
  'evals/mcq/word.txt': 'old',
  'evals/mcq/memory.txt': 'x\n',
  'evals/mcq/memory.ts': `
import { execFileSync } from 'node:child_process';
export default () => {
  execFileSync('sed', ['-i', '1s/^/x/', 'evals/mcq/memory.txt']);
  return 'old';
};`,
  'cached.config.ts': `
import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { viva } from './src/plugin/plugin.ts';
const word = {
  name: 'word',
  transform: (code: string) => code.replaceAll('WORD', readFileSync('evals/mcq/word.txt', 'utf8')),
};
export default defineConfig({ plugins: [viva(), word], test: { fsModuleCache: true } });`,
};

test('no compiled module of an earlier run is asked, and what an agent writes may be named', async () => {
  const project = copyProject();
  for (const [name, text] of Object.entries(TWICE)) writeFileSync(join(project, name), text);
  const env = { EVAL_DIR: makeFolder(), EVAL_AGENT_WRITES: 'evals/mcq/memory.txt' };
  const args = ['run', 'evals/mcq/twice.eval.ts', '--config', 'cached.config.ts'];
  const take = async () => {
    const { report } = await runVitest(args, env, { cwd: project });
    expect(report).not.toContain('STOPPED');
    const rows = readRows(join(env.EVAL_DIR, 'latest'));
    return rows.map(({ agent, state, cached }) => [agent, state, cached]).toSorted();
  };
  const twice = (...row: readonly unknown[]) => [row, row];
  expect(await take()).toEqual([
    ...twice('memory', 'correct', false),
    ...twice('word', 'correct', false),
  ]);
  writeFileSync(join(project, 'evals/mcq/word.txt'), 'new');
  expect(await take()).toEqual([
    ...twice('memory', 'correct', true),
    ...twice('word', 'incorrect', false),
  ]);
});

const INDEXED = `
import { readFileSync, writeFileSync } from 'node:fs';
import { defineEval } from 'viva';
import agent from './reads.ts';
await defineEval('indexed', {
  free: true,
  data: () => {
    writeFileSync('evals/mcq/index.txt', readFileSync('evals/mcq/docs.txt', 'utf8'));
    return [{ id: 'a', input: 'a', target: 'new' }];
  },
  agent,
});`;

test('an agent whose file the data writes anew is asked by the next run, and not answered from the cache', async () => {
  const project = copyProject();
  const write = (name: string, text: string) =>
    writeFileSync(join(project, 'evals/mcq', name), text);
  write('indexed.eval.ts', INDEXED);
  write(
    'reads.ts',
    "import { readFileSync } from 'node:fs'; export default () => readFileSync('evals/mcq/index.txt', 'utf8');",
  );
  write('docs.txt', 'old');
  write('index.txt', 'old');
  const env = { EVAL_DIR: makeFolder() };
  const run = async () => {
    const { report } = await runVitest(['run', 'evals/mcq/indexed.eval.ts'], env, { cwd: project });
    return report;
  };
  await run();
  write('docs.txt', 'new');
  expect(await run()).toContain(
    'evals/mcq/index.txt changed while the data of indexed was loaded: cached answers of indexed agent are those of before.',
  );
  await run();
  expect(readRows(join(env.EVAL_DIR, 'latest'))).toMatchObject([
    { state: 'correct', cached: false },
  ]);
});
