import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, globSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../make-folder.ts';
import { readPids, survivors } from '../processes.ts';
import { type FixtureRecord, writeGaiaFixture } from './gaia-fixture.ts';
import { readRows, readSummary, runFolderOf, runVitest } from './run-vitest.ts';

/** Asks a module or command about fixture records, without what earlier runs kept. */
function prepare(kind: 'module' | 'command', source: string, records: readonly FixtureRecord[]) {
  const folder = makeFolder({ 'agent.ts': source, 'agent.sh': source });
  const agent = kind === 'module' ? `module:${folder}/agent.ts` : `command:sh ${folder}/agent.sh`;
  return { folder, env: { ...writeGaiaFixture(records).env, EVAL_AGENT: agent } };
}

const records = [
  { id: 'a', truth: '17' },
  { id: 'b', truth: '17', level: 2 },
] as const;

/** Answers "17" to question a alone. */
const MODULE = `
import { say } from './say';
export default async ({ id, prompt }: { id: string; prompt: string }) => ({
  text: prompt.includes('What is ' + id + '?') ? say(id) : 'no prompt',
  model: 'mine',
  usage: { input_tokens: 5, output_tokens: 2 },
  cost: 0.25,
  steps: 3,
});
`;
const COMMAND = `
id=$(sed 's/.*"id":"\\([^"]*\\)".*/\\1/')
if [ "$id" = a ]; then say=17; else say=18; fi
echo "{\\"text\\": \\"FINAL ANSWER: $say\\", \\"model\\": \\"mine\\", \\"cost\\": 0.25, \\"steps\\": 3,
  \\"usage\\": {\\"input_tokens\\": 5, \\"output_tokens\\": 2}}"
`;

test('the steps that a module reports, or returns, are kept, and fields that nobody reads are named', async () => {
  const source = `export default async ({ id }, { onProgress }) => {
    const trace = [{ text: 'thinking of ' + id, tool_calls: [{ name: 'look', arguments: { at: 1 }, result: 'seen' }] }];
    if (id === 'a') onProgress({ trace, cost: -1 });
    if (id === 'a') onProgress({ trace });
    return id === 'a' ? '17' : { text: '17', trace, cost_usd: 1 };
  };`;
  const { env } = prepare('module', source, records);
  const run = await runVitest(['run', 'evals/gaia'], { ...env, EVAL_STREAM: '1' });
  expect(run.output).toContain('a step 1: says: thinking of a');
  expect(run.output).toMatch(/^b: asked$/m);
  expect(run.output).toMatch(/^b: correct after \d\.\d s: 17$/m);
  const said = 'agent.ts: fields of its answers that nobody reads: "cost_usd" (did you mean "cost"?). Known: text, ';
  expect(run.output.split(said)).toHaveLength(2);
  const traces = globSync(join(runFolderOf(run.dir), 'traces/**/*.json')).map((file) =>
    JSON.parse(readFileSync(file, 'utf8')),
  );
  expect(traces.map(({ steps }) => steps[0])).toMatchObject([
    { text: 'thinking of a', tool_calls: [{ name: 'look', arguments: '{"at":1}', result: 'seen' }] },
    { text: 'thinking of b' },
  ]);
});

test('what a module prints stands under the test of its own sample, also from a timer', async () => {
  const source = `import { setTimeout as sleep } from 'node:timers/promises';
  export default async ({ id }) => {
    console.log('begins ' + id);
    await sleep(id === 'a' ? 100 : 50);
    console.error('goes on ' + id);
    setTimeout(() => console.table([[id]]), 10);
    await sleep(50);
    console.dir({ ends: id });
    return '17';
  };`;
  const { env } = prepare('module', source, [...records, { id: 'c', truth: '17' }]);
  const run = await runVitest(['run', 'evals/gaia'], env);
  const blocks = run.output.split(/^std(?=out|err)/m).slice(1);
  const said = blocks.map((block) => /^(?:out|err) \| .* > (\w)\n(.*?)\n\n/s.exec(block) ?? []);
  for (const id of ['a', 'b', 'c']) {
    const own = said.filter(([, test]) => test === id).map(([, , text]) => text);
    // stdout and stderr are two pipes: which is read first is chance.
    for (const line of [`begins ${id}`, `goes on ${id}`, ` '${id}' `, `ends: '${id}'`]) {
      expect(own.join('\n')).toContain(line);
    }
    expect(own.join('\n')).not.toMatch(new RegExp(`(begins|goes on|ends:) '?[^${id}' ]`));
  }
});

describe.each([
  ['module', MODULE],
  ['command', COMMAND],
] as const)('a %s', (kind, source) => {
  test('answers from start to report', async () => {
    const { folder, env } = prepare(kind, source, records);
    writeFileSync(
      join(folder, 'say.ts'),
      "enum Known { a = 17 }\nexport const say = (id: string) => 'FINAL ANSWER: ' + (id === 'a' ? Known.a : 18);",
    );
    const run = await runVitest(['run', 'evals/gaia'], { ...env, EVAL_MIN_ACCURACY: '0.5' });
    expect(run.output).toContain('50.0 %');
    expect(run.code).toBe(0);
    const rows = readRows(runFolderOf(run.dir)).toSorted((one, other) => (one.id < other.id ? -1 : 1));
    expect(rows).toMatchObject([
      { id: 'a', state: 'correct', agent: env.EVAL_AGENT, model: 'mine', cost_usd: 0.25, steps: 3, cached: false },
      { id: 'b', state: 'incorrect', output: 'FINAL ANSWER: 18', usage: { input_tokens: 5, output_tokens: 2 } },
    ]);
    expect(rows.every(({ latency_ms }) => latency_ms !== null && latency_ms > 0)).toBe(true);
  });
});

/** Whether this machine lets a test have process numbers of its own, as a container has. */
const UNSHARE = ['unshare', '--map-root-user', '--pid', '--fork', '--mount-proc'];
const isolates = spawnSync('unshare', [...UNSHARE.slice(1), 'true']).status === 0;

test.skipIf(!isolates)('a run in another container leaves the work folders of a run alone', async () => {
  const source =
    'echo "FINAL ANSWER: 17" >note; touch "$MARKS/asked"; until [ -e "$MARKS/go" ]; do sleep 0.05; done; cat note';
  const { env } = prepare('command', source, [{ id: 'a' }]);
  const [TMPDIR, MARKS] = [makeFolder(), makeFolder()];
  const running = runVitest(['run', 'evals/gaia'], { ...env, TMPDIR, MARKS });
  await expect.poll(() => existsSync(join(MARKS, 'asked')), { timeout: 30_000 }).toBe(true);
  const other = await runVitest(['run', 'evals/mcq'], { TMPDIR }, { under: UNSHARE });
  expect(other.code).toBe(0);
  writeFileSync(join(MARKS, 'go'), '');
  const { dir } = await running;
  expect(readRows(runFolderOf(dir))).toMatchObject([{ id: 'a', state: 'correct' }]);
  expect(readdirSync(TMPDIR).filter((name) => name.startsWith('viva-task'))).toEqual([]);
});

describe('EVAL_KEEP_WORKDIR', () => {
  test('keeps a folder with answer.txt for each task, also of answers that were recalled', async () => {
    const { env } = writeGaiaFixture([
      { id: 'a', output: 'FINAL ANSWER: 17' },
      { id: 'b', output: 'FINAL ANSWER: 18' },
    ]);
    const run = await runVitest(['run', 'evals/gaia'], { ...env, EVAL_KEEP_WORKDIR: 'all' });
    const kept = globSync(join(runFolderOf(run.dir), 'workspace/gaia/*/*/answer.txt'));
    expect(kept.map((file) => readFileSync(file, 'utf8')).toSorted()).toEqual([
      'FINAL ANSWER: 17\n',
      'FINAL ANSWER: 18\n',
    ]);
  });

  const source =
    'echo note > note.txt; ln -s ../../../../../../outside answer.txt; mkfifo pipe; echo "FINAL ANSWER: 17"';
  const asked = [{ id: 'a' }, { id: 'b', truth: '18' }];

  test.each([
    ['all', ['a', 'b']],
    ['failed', ['b']],
    ['none', []],
  ] as const)('%s keeps the folders of %j', async (which, ids) => {
    const { env } = prepare('command', source, asked);
    const run = await runVitest(['run', 'evals/gaia'], { ...env, EVAL_KEEP_WORKDIR: which });
    const folders = globSync(join(runFolderOf(run.dir), 'workspace/gaia/*/*'));
    expect(folders.map((folder) => basename(folder)[0]).toSorted()).toEqual(ids);
    for (const folder of folders) {
      expect(readdirSync(folder).toSorted()).toEqual(['answer.txt', 'left-out.txt', 'note.txt']);
      expect(lstatSync(join(folder, 'answer.txt')).isFile()).toBe(true);
      expect(readFileSync(join(folder, 'answer.txt'), 'utf8')).toBe('FINAL ANSWER: 17\n');
    }
  });
});

describe('a work folder that cannot be kept, or not whole', () => {
  const answering = 'echo "FINAL ANSWER: 17"';
  const remark = 'gaia: EVAL_KEEP_WORKDIR: not all was kept of workspace/gaia/';

  test.each([
    ['holds a file of 2 GB', 'truncate -s 2G big', '(left-out.txt in it says what)', 'big: 2147483648 bytes are more'],
    [
      'is nested as deep as a path can say',
      'i=0; while [ $i -lt 25 ]; do mkdir -p $(printf "%0200d" 1) && cd -P $(printf "%0200d" 1) || break; i=$((i+1)); done 2>/dev/null',
      '(left-out.txt in it says what)',
      'the rest is not copied (ENAMETOOLONG)',
    ],
    ['has no place in the run folder', 'echo >"$(ls -d "$DIR"/runs/2*)/workspace"', '(ENOTDIR)', null],
  ])('costs nothing but a remark when it %s', async (_, act, why, leftOut) => {
    const { env } = prepare('command', `${act}\n${answering}`, [{ id: 'a', truth: '17' }]);
    const DIR = makeFolder();
    const settings = { ...env, EVAL_DIR: DIR, DIR, EVAL_KEEP_WORKDIR: 'all', EVAL_MIN_ACCURACY: '1' };
    const run = await runVitest(['run', 'evals/gaia'], settings);
    expect(readRows(runFolderOf(run.dir))).toMatchObject([{ id: 'a', state: 'correct' }]);
    expect(run.output.split(remark)).toHaveLength(2);
    expect(run.output).toContain(`${why}. No result depends on it.`);
    expect(run.code).toBe(0);
    const said = globSync(join(runFolderOf(run.dir), 'workspace/gaia/*/*/left-out.txt'));
    expect(said.map((file) => readFileSync(file, 'utf8'))).toEqual(
      leftOut === null ? [] : [expect.stringContaining(leftOut)],
    );
  });
});

describe('the target', () => {
  const secret = [{ id: 'a', truth: 'XYZZY-TRUTH' }];

  test('is in nothing that a command is given', async () => {
    const { folder, env } = prepare('command', 'echo', secret);
    const dump = `(cat; env; pwd; ls -la; tr '\\0' ' ' </proc/$$/cmdline; cat * 2>/dev/null) >${folder}/seen; echo 17`;
    const run = await runVitest(['run', 'evals/gaia'], { ...env, EVAL_AGENT: `command:${dump}` });
    expect(readRows(runFolderOf(run.dir))).toMatchObject([{ state: 'incorrect', target: 'XYZZY-TRUTH' }]);
    const seen = readFileSync(join(folder, 'seen'), 'utf8');
    expect(seen).toContain('What is a?');
    expect(seen).not.toContain('XYZZY');
  });

  test('is in nothing that a module is given', async () => {
    const source = `
      import { inspect } from 'node:util';
      export default (...given) => inspect(given, { depth: 20, showHidden: true, getters: true });`;
    const { env } = prepare('module', source, secret);
    const run = await runVitest(['run', 'evals/gaia'], env);
    const output = readRows(runFolderOf(run.dir))[0]?.output;
    expect(output).toContain('What is a?');
    expect(output).not.toContain('XYZZY');
  });
});

test('a command is given its attachments by absolute path and as files of its folder', async () => {
  const run = await runVitest(['run', 'evals/gaia'], {
    EVAL_AGENT: `command:sed 's/.*"path":"\\([^"]*\\)".*/\\1/' | xargs cat; pwd; ls`,
    EVAL_IDS: '1e8a36ac-1532-4c25-94fe-84618ad36277',
  });
  const original = 'evals/gaia/sample/2023/validation/1e8a36ac-1532-4c25-94fe-84618ad36277.csv';
  const output = readRows(runFolderOf(run.dir))[0]?.output;
  expect(output?.startsWith(readFileSync(original, 'utf8'))).toBe(true);
  expect(output).not.toContain(process.cwd());
});

describe('an agent that fails', () => {
  test('leaves its reason in the row and counts as wrong', async () => {
    const { env } = prepare('command', 'echo "no model" >&2; exit 3', [{ id: 'a' }]);
    const run = await runVitest(['run', 'evals/gaia'], env);
    expect(run.code).toBe(1);
    expect(readRows(runFolderOf(run.dir))).toMatchObject([
      { state: 'errored', reason: 'agent_crash', error: { kind: 'agent_crash', status: 3 } },
    ]);
    expect(run.output).toContain('no model');
  });

  test('by rejecting after its answer has answered, and the run says what else happened', async () => {
    const source = `export default () => {
      Promise.reject(new Error('nobody waits for this'));
      return '17';
    }`;
    const { env } = prepare('module', source, [{ id: 'a' }]);
    const run = await runVitest(['run', 'evals/gaia'], { ...env, EVAL_MIN_ACCURACY: '0.5' });
    expect(readRows(runFolderOf(run.dir))).toMatchObject([{ state: 'correct' }]);
    expect(run.code).toBe(1);
    expect(run.report).toContain('nobody waits for this');
  });

  test.each([
    ['module', 'export const nothing = 1', 'the default export must be a function or an object'],
    ['module', 'export default (', 'agent.ts:1:17: Expected `)` but found `EOF`. Correct the file and run again.\n⎯'],
  ] as const)('to load stops the suite before any call: %s %s', async (kind, source, message) => {
    const { env } = prepare(kind, source, [{ id: 'a' }]);
    const run = await runVitest(['run', 'evals/gaia'], env);
    expect(run.code).toBe(1);
    expect(run.output).toContain(message);
    expect(run.output).toContain(`EVAL_AGENT=${env.EVAL_AGENT}`);
  });

  test('for want of its command is refused once, before there is a run', async () => {
    const run = await runVitest(['run', 'evals'], { EVAL_AGENT: 'command:no-such-command x.py' });
    expect(run.code).toBe(1);
    expect(run.output.match(/.*command not found.*/g)).toEqual([
      'Refused: EVAL_AGENT=command:no-such-command x.py: command not found: no-such-command. Correct the command, or install it, and run again.',
    ]);
    expect(readdirSync(run.dir)).toEqual([]);
  });

  test('for want of a command that only a call can show stops the run, and nothing of it is kept', async () => {
    const asked = Array.from({ length: 40 }, (_, index) => ({ id: `q${index}`, truth: '17' }));
    const { folder, env } = prepare('command', 'echo >>"$CALLS"; no-such-command', asked);
    const settings = { ...env, EVAL_DIR: makeFolder(), CALLS: join(folder, 'calls'), EVAL_MIN_ACCURACY: '0' };
    const run = await runVitest(['run', 'evals/gaia'], settings);
    expect(run.code).toBe(1);
    expect(readSummary(runFolderOf(run.dir)).suites[0]?.groups.at(-1)?.states).toMatchObject({
      not_run: 40,
      errored: 0,
    });
    expect(readFileSync(settings.CALLS, 'utf8').length).toBeLessThan(40);
    const stop = `STOPPED: ${env.EVAL_AGENT}: Command not found (exit code 127): `;
    expect(run.output.split(stop)).toHaveLength(2);
    expect(run.output).toMatch(/exit 1: .*no_command 40: .*Command not found/);
    const bin = makeFolder({ 'no-such-command': '#!/bin/sh\necho 17\n' });
    chmodSync(join(bin, 'no-such-command'), 0o755);
    const mended = await runVitest(['run', 'evals/gaia'], { ...settings, PATH: `${bin}:${process.env['PATH']}` });
    expect(readSummary(join(mended.dir, 'latest')).suites[0]?.groups.at(-1)?.states).toMatchObject({ correct: 40 });
    expect(mended.code).toBe(0);
  });

  test('by taking too long has timed out, and none of its processes is left', async () => {
    const { folder, env } = prepare('command', sleeper('trap "" TERM;'), [{ id: 'a' }, { id: 'b' }]);
    const run = await runVitest(['run', 'evals/gaia'], { ...env, EVAL_TIMEOUT: '0.5' });
    expect(readSummary(runFolderOf(run.dir)).suites[0]?.groups.at(-1)?.states).toMatchObject({ timed_out: 2 });
    const pids = await readPids(join(folder, 'pids'), 6);
    expect(await survivors(pids, 5000)).toEqual([]);
  });
});

describe('no process of a command is left', () => {
  const two = [{ id: 'a' }, { id: 'b' }];
  const whenAsked = (id: string, act: string) => `grep -q '"id":"${id}"' && { ${act}; exit; }; `;
  const soon = (folder: string) => `while [ ! -s ${folder}/pids ]; do sleep 0.05; done`;

  test.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)('when the run is stopped by %s', async (signal) => {
    const { folder, env } = prepare('command', '', two);
    writeFileSync(join(folder, 'agent.sh'), whenAsked('a', `${soon(folder)}; echo 17`) + sleeper('', folder));
    await runVitest(['run', 'evals/gaia'], env, { interrupt: { signal, afterRows: 1 } });
    expect(await survivors(await readPids(join(folder, 'pids'), 3), 5000)).toEqual([]);
  });

  test('when the worker is killed', async () => {
    const { folder, env } = prepare('command', '', two);
    writeFileSync(join(folder, 'agent.sh'), whenAsked('a', `${soon(folder)}; kill -9 $WORKER`) + sleeper('', folder));
    const command = `command:WORKER=$PPID sh ${folder}/agent.sh`;
    const run = await runVitest(['run', 'evals/gaia'], { ...env, EVAL_AGENT: command });
    expect(run.code).toBe(1);
    expect(await survivors(await readPids(join(folder, 'pids'), 3), 5000)).toEqual([]);
  });
});

/** A script that writes down its number and those of two children, one in a session of its own, and sleeps; beside the script unless told where. */
function sleeper(before: string, folder = '$(dirname "$0")'): string {
  return `${before} setsid sleep 60 & own=$!; sleep 60 & printf '%s\\n' $$ $own $! >>"${folder}/pids"; sleep 60; sleep 60`;
}
