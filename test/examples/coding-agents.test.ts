import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { Workdir } from '../../src/run/workdir.ts';
import { makeAgent } from '../agents/ask-agent.ts';
import { copyProject } from '../e2e/copy-project.ts';
import { ROOT, readRows, runVitest } from '../e2e/run-vitest.ts';
import { saying, startJudges } from '../judge-lab.ts';
import { makeFolder } from '../make-folder.ts';
import { areInstalled, askExample, FOLDER } from './ask-example.ts';

/** With a program that plays Claude Code. */
const PATH = `${join(ROOT, 'test/fixtures/coding-agents')}${delimiter}${process.env['PATH'] ?? ''}`;

const CODING = [
  { name: 'claude-code', file: join(ROOT, 'examples/agents/claude-code.ts') },
  ...(areInstalled
    ? [{ name: 'claude-agent-sdk', file: join(FOLDER, 'claude-agent-sdk.ts') }]
    : []),
];

/** What comes of an agent that thinks once and then says nothing until its deadline. */
const TIMED_OUT = { error: { kind: 'timed_out', progress: { trace: [{ reasoning: 'hm' }] } } };

test.each(CODING)(
  '$name works in the work folder, shows its steps, and counts what it says it cost',
  async ({ file }) => {
    vi.stubEnv('PATH', PATH);
    const agent = await makeAgent(`module:${file}`, { load: vi.importActual });
    const silent = askExample(agent, 'SILENT', { deadlineMs: 6000 });
    const workdir = new Workdir([]);
    const call = { name: 'Write', arguments: '{"file_path":"note.txt"}', failed: false };
    const first = { text: '', reasoning: 'hm', tool_calls: [{ ...call, result: 'written' }] };
    const usage = { input_tokens: 128, cached_tokens: 100, output_tokens: 11 };
    const spent = { model: 'claude-made-up', costUsd: 0.25, steps: 2, usage };
    expect(await askExample(agent, 'Write pear.', { workdir })).toMatchObject({
      answer: { output: 'Done.', ...spent, trace: [first, { text: 'Done.', tool_calls: [] }] },
    });
    expect(readFileSync(join(workdir.path, 'note.txt'), 'utf8')).toBe('pear');
    await workdir.remove();
    expect(await askExample(agent, 'ENDLESS')).toMatchObject({
      answer: { output: null, reason: 'error_max_turns', ...spent, trace: [first] },
    });
    expect(await askExample(agent, 'BUSY')).toMatchObject({
      error: { kind: 'rate_limit', message: 'API Error: 429', progress: spent },
    });
    expect(await askExample(agent, 'BROKEN')).toMatchObject({
      error: { kind: 'agent_crash', message: expect.stringContaining('code 3') },
    });
    expect(await silent).toMatchObject(TIMED_OUT);
    expect(agent.remarks?.()).toEqual([]);
  },
);

test('codex works in the work folder, shows its steps and tokens, and knows whose an error is', async () => {
  vi.stubEnv('PATH', PATH);
  const agent = await makeAgent(`module:${join(ROOT, 'examples/agents/codex.ts')}`);
  const silent = askExample(agent, 'SILENT', { deadlineMs: 6000 });
  const workdir = new Workdir([]);
  const command = '{"command":"tee note.txt","exit_code":0}';
  const look = '{"server":"docs","tool":"look","arguments":{"word":"pear"}}';
  expect(await askExample(agent, 'Write pear.', { workdir })).toMatchObject({
    answer: {
      output: 'Done.',
      usage: { input_tokens: 128, cached_tokens: 100, output_tokens: 11 },
      trace: [
        { reasoning: 'hm' },
        { tool_calls: [{ name: 'command_execution', arguments: command, result: 'pear' }] },
        {
          tool_calls: [
            { name: 'look', arguments: look, result: '{"message":"no docs"}', failed: true },
          ],
        },
        { text: 'Done.' },
      ],
    },
  });
  expect(readFileSync(join(workdir.path, 'note.txt'), 'utf8')).toBe('pear');
  await workdir.remove();
  expect(await askExample(agent, 'BUSY')).toMatchObject({
    error: { kind: 'rate_limit', message: expect.stringContaining('429 Too Many Requests') },
  });
  expect(await askExample(agent, 'BROKEN')).toMatchObject({
    error: { kind: 'agent_crash', message: expect.stringContaining('code 3') },
  });
  expect(await silent).toMatchObject(TIMED_OUT);
  expect(agent.remarks?.()).toEqual([]);
});

test.each(['claude', 'codex'])('says where there is no %s', async (program) => {
  const file = program === 'claude' ? 'claude-code' : program;
  const agent = await makeAgent(`module:${join(ROOT, `examples/agents/${file}.ts`)}`);
  vi.stubEnv('PATH', '');
  expect(await askExample(agent, 'x')).toMatchObject({
    error: { message: expect.stringContaining(`spawn ${program} ENOENT`) },
  });
});

const SUITE = `
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineEval, judge } from 'viva';
await defineEval('notes', {
  data: [
    { id: 'right', input: 'Write pear.', target: 'pear' },
    { id: 'wrong', input: 'Write plum.', target: 'fig' },
  ],
  agent: '../../examples/agents/claude-code.ts',
  cache: false,
  scores: {
    wrote: ({ workdir, target }) => readFileSync(join(workdir, 'note.txt'), 'utf8') === target,
    says: judge('Says that it is done.'),
  },
});`;

test('scores read what the agent wrote in each trial, and a failed folder is kept', async () => {
  const project = copyProject();
  cpSync(join(ROOT, 'examples/agents'), join(project, 'examples/agents'), {
    recursive: true,
    filter: (path) => !path.includes('frameworks'),
  });
  mkdirSync(join(project, 'evals/notes'));
  writeFileSync(join(project, 'evals/notes/notes.eval.ts'), SUITE);
  const judges = await startJudges(() => saying('pass'));
  const dir = makeFolder();
  const env = {
    ...{ EVAL_DIR: dir, PATH, EVAL_JUDGE: judges.name('a'), OPENAI_API_KEY: 'made-up' },
    ...{ EVAL_KEEP_WORKDIR: 'failed', EVAL_TRIALS: '2' },
  };
  const spent = { cached: false, cost_usd: 0.25, steps: 2 };
  const run = await runVitest(['run', 'evals/notes'], env, { cwd: project });
  const rows = readRows(join(dir, 'latest')).toSorted((a, b) => a.id.localeCompare(b.id));
  const right = { id: 'right', state: 'correct', scores: { wrote: true, says: true }, ...spent };
  const wrong = { id: 'wrong', state: 'incorrect', scores: { wrote: false, says: true }, ...spent };
  expect(rows, run.output).toMatchObject([right, right, wrong, wrong]);
  const kept = globSync(join(dir, 'latest/workspace/**/note.txt'));
  expect(kept.map((file) => readFileSync(file, 'utf8'))).toEqual(['plum', 'plum']);
});
