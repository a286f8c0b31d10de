import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { isAlive, readPids, survivors } from '../../test/processes.ts';
import type { Agent, AnswerContext } from '../words/answer.ts';
import { toAsked } from '../words/types.fixture.ts';
import { createCommandAgent } from './command.ts';
import { toFree } from './module.ts';

const question = toAsked('why?', {
  choices: { A: 'one', B: 'two' },
  multiple: true,
  attachments: [{ name: 'a.txt', path: '/data/a.txt' }],
});

function toAgent(target: string): Agent {
  return createCommandAgent({ kind: 'command', target, text: `command:${target}` });
}

/** What a command is told of a call in a folder of its own. */
function toContext(changes: Partial<AnswerContext> = {}): AnswerContext {
  const limits = { trial: 2, maxSteps: 7, deadlineMs: 5000 };
  return { ...limits, workdir: makeFolder(), signal: AbortSignal.timeout(120_000), ...changes };
}

const run = (target: string, changes: Partial<AnswerContext> = {}, asked = question) =>
  toAgent(target).answer(asked, toContext(changes));

describe('a command', () => {
  test('reads its question as JSON on stdin', async () => {
    const { output: text } = await run('cat');
    expect(JSON.parse(String(text))).toEqual({
      ...question,
      deadline_ms: 5000,
      max_steps: 7,
      trial: 2,
    });
  });

  test('may open its stdin by its name', async () => {
    const odd = { ...question, input: '\u0081 é \u{1F600} \\ $HOME `id` "q" \nviva_question\n' };
    const { output: text } = await run('cat /dev/stdin', {}, odd);
    expect(JSON.parse(String(text))).toMatchObject({ input: odd.input });
  });

  test('runs in its work folder, and finds files of the project', async () => {
    const workdir = makeFolder();
    expect((await run('ls -A')).output).toBe('');
    const { output: text } = await run('pwd; echo "$#"; head -n 2 package.json', { workdir });
    expect(text).toBe(`${workdir}\n0\n{\n  "name": "viva",\n`);
  });

  test("has the user's environment, without viva's settings and what Vitest adds to it", async () => {
    const set = {
      SOME_SETTING: 'mine\nexport EVAL_x y=1\nexport EVAL_$(echo) OTHER=2',
      OTHER: 'too',
      EVAL_GAIA: '/secret',
      EVAL_MCQ: "it's\n'secret",
      EVAL_DIR: '',
      OLDPWD: process.cwd(),
      MY_EVAL_DIR: 'mine',
      VITESTER: 'mine',
    };
    onTestFinished(() => Object.keys(set).forEach((name) => void delete process.env[name]));
    Object.assign(process.env, set);
    const read = `'${process.execPath}' -p 'JSON.stringify(process.env)'`;
    const seen: object = JSON.parse(String((await run(read)).output));
    expect(seen).toMatchObject({
      SOME_SETTING: set.SOME_SETTING,
      OTHER: 'too',
      MY_EVAL_DIR: 'mine',
      VITESTER: 'mine',
    });
    expect(Object.keys(seen).join('\n')).not.toMatch(
      /^(EVAL_.*|VITEST|VITEST_.*|OLDPWD|NODE_ENV|MODE|BASE_URL|viva_.*)$/m,
    );
  });

  test.each([
    ['echo 17', { output: '17\n' }],
    ['true', { output: '' }],
    [
      `echo '{"output": "17", "costUsd": 0.5, "steps": 2}'`,
      { output: '17', costUsd: 0.5, steps: 2 },
    ],
    [`echo '{"answer": 17}'`, { output: '{"answer": 17}\n' }],
    ['exec 0<&-; sleep 0.1; echo 17', { output: '17\n' }],
    ['head -c 10000000 /dev/zero | wc -c', { output: expect.stringMatching(/^\s*10000000\n$/) }],
  ])('answers by what it writes: %s', async (target, answer) => {
    expect(await run(target)).toEqual(answer);
  });

  test.each([
    ['echo no such model >&2; exit 1', 'agent_crash', 1, 'The end of its stderr:\nno such model'],
    [
      'surely-no-such-command',
      'machine',
      127,
      'The command ended with exit code 127, a command that is not found.',
    ],
    ['kill -SEGV $$', 'agent_crash', null, 'The command ended by SIGSEGV.'],
    [`echo '{"error": {"kind": "quota", "message": "empty"}}'; exit 1`, 'quota', null, 'empty'],
    ['yes', 'bad_response', null, 'The command wrote more than 10 MB to stdout and was ended.'],
  ])('reports how it failed: %s', async (target, kind, status, message) => {
    await expect(run(target)).rejects.toMatchObject({
      kind,
      status,
      message: expect.stringContaining(message),
    });
  });

  test.each([
    [`read -r a; printf 'one\ntwo\n'`, 1],
    [`read -r a; echo one; read -r b; printf 'two\n\n}\n'; cat`, 2],
    [`read -r a; echo one; sleep 0.3; printf '> '; read -r b; echo two`, 2],
  ])('refuses more than one line per turn: %s', async (target, turn) => {
    const talk = toAgent(target).openConversation?.();
    const context = toContext();
    const answers: unknown[] = [];
    while (answers.length < turn) {
      await sleep(answers.length * 1000);
      answers.push(await talk?.answer(question, context).catch((error) => error));
    }
    await talk?.close();
    expect(answers.slice(0, -1)).toEqual(answers.slice(1).map(() => ({ output: 'one' })));
    expect(answers.at(-1)).toMatchObject({
      kind: 'bad_response',
      message: expect.stringContaining('more than one line for a turn'),
    });
  });

  test('costs nothing in a conversation if it is free', async () => {
    const conversation = toFree(toAgent('read -r a; echo one')).openConversation?.();
    expect(await conversation?.answer(question, toContext())).toEqual({
      output: 'one',
      costUsd: 0,
    });
    await conversation?.close();
  });

  test('shows the end of its stderr, and no key of it', async () => {
    const noise = 'yes noise | head -c 3000000 >&2';
    const error = await run(
      `${noise}; printf '\\033[2J api_key=abcdefgh123\\nlast' >&2; exit 1`,
    ).catch((e) => e);
    expect(error.message).toContain('noise\n\u001b[2J api_key=[key]\nlast');
    expect(error.message.length).toBeLessThan(2300);
  });

  test.each([
    ['python3 FOLDER/agent.py', true, /notices only edits of \S*agent\.py\. .*EVAL_CACHE_KEY/],
    [
      'node FOLDER/agent.js',
      true,
      /notices only edits of \S*agent\.js and 1 file imported or named there\. /,
    ],
    ['cd FOLDER && python3 agent.py', false, /no edits, because the command line names no file\. /],
  ])('names the files whose edits ask again: %s', (line, isSeen, edits) => {
    const folder = makeFolder({ 'agent.py': 'a', 'agent.js': 'import "./agent.py"' });
    const named = line.replaceAll('FOLDER', folder);
    const before = toAgent(named);
    writeFileSync(join(folder, 'agent.py'), 'b');
    expect(toAgent(named).fingerprint !== before.fingerprint).toBe(isSeen);
    expect(before.cacheCoverage).toMatch(edits);
  });

  test('that does not exist is refused before any call', () => {
    expect(() => toAgent('')).toThrow(
      'EVAL_AGENT=command:: no command is named. Write it after the colon',
    );
  });
});

// `test/faults/own-agents.test.ts` has those that a command leaves when it ends.
describe('leaves no process behind', () => {
  test.each([
    [
      'one that ignores SIGTERM',
      'trap "" TERM; sleep 60 & echo $! >>pids; while :; do sleep 1; done',
      2,
    ],
    ['one that writes without end', 'yes >&2', 1],
  ])('of %s at its deadline', async (_, line, count) => {
    const workdir = makeFolder();
    const deadline = new AbortController();
    const running = run(`echo $$ >>pids; ${line}`, { workdir, signal: deadline.signal });
    const pids = await readPids(join(workdir, 'pids'), count);
    deadline.abort(new Error('too late'));
    await expect(running).rejects.toThrow('too late');
    expect(await survivors(pids)).toEqual([]);
  });

  test('when the process that asked is ended', async () => {
    const workdir = makeFolder();
    const asking = spawn(process.execPath, ['--input-type=module', '-e', ASK_THREE, workdir], {
      stdio: 'inherit',
    });
    onTestFinished(() => void asking.kill('SIGKILL'));
    const pids = await readPids(join(workdir, 'pids'), 6);
    expect(pids.every(isAlive)).toBe(true);
    asking.kill('SIGTERM');
    expect(await survivors(pids)).toEqual([]);
  });
});

/**
 * A program that asks one command three times. Each call writes the ids of its shell and of the
 * shell's child to a file.
 */
const ASK_THREE = `
import { createCommandAgent } from '${new URL('./command.ts', import.meta.url).href}';
const workdir = process.argv.at(-1);
const target = 'echo $$ >>pids; trap "" TERM; sleep 60 & echo $! >>pids; wait; sleep 60';
const agent = createCommandAgent({ kind: 'command', target, text: 'command' });
const question = ${JSON.stringify(question)};
const signal = new AbortController().signal;
for (let i = 0; i < 3; i++) agent.answer(question, { signal, workdir, trial: 1, maxSteps: null });
setInterval(() => {}, 1000);
`;

test('is refused on Windows, before anything is asked', () => {
  const { platform } = process;
  onTestFinished(() => void Object.defineProperty(process, 'platform', { value: platform }));
  Object.defineProperty(process, 'platform', { value: 'win32' });
  expect(() => toAgent('cat')).toThrow(/WSL/);
});
