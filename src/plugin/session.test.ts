import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { PLANNED, planned } from '../../test/make-run.ts';
import { toResult } from '../metrics/result.fixture.ts';
import { recordSuite } from '../store/manifest.ts';
import { readEnd, writeEnd } from '../store/run-end.ts';
import { appendResult } from '../store/sample-log.ts';
import { readRun } from '../store/stored-run.ts';
import { readGates, Session, whySkipped } from './session.ts';

const REPLAY = { kind: 'replay', target: '', text: 'replay' };

function makeSession(
  root: string,
  env: Readonly<Record<string, string>>,
  options: Partial<ConstructorParameters<typeof Session>[0]> = {},
): Session {
  const vitest = { configFile: 'vite.config.js', ui: false, shard: null, merge: false };
  return new Session(
    { env, given: [], command: 'run', gates: 'gates.json', ...options },
    { root, watch: options.command === 'watch', ...vitest },
  );
}

test('a file of gates need not exist unless viva() names it, and a pipe is not waited for', () => {
  const file = join(makeFolder(), 'gates.json');
  expect(readGates(file, 'gates.json')).toEqual([]);
  expect(() => readGates(file, 'gates.json', true)).toThrow(
    'gates.json, the "gates" of viva(), does not exist. Correct',
  );
  execFileSync('mkfifo', [file]);
  expect(() => readGates(file, 'gates.json')).toThrow(
    'gates.json must be a file, got a device or pipe. Replace it',
  );
});

test.each([
  [
    'a baseline',
    'EVAL_BASELINE',
    'gone',
    'EVAL_BASELINE must be an earlier run (its folder or name), or latest, got "gone"',
  ],
  ['a latest run', 'EVAL_AGENT', 'replay:latest', 'No run in'],
  ['a command', 'EVAL_AGENT', 'command:no-such-command x', 'command not found: no-such-command'],
])(
  '%s that does not exist refuses the evals, and makes no run folder',
  (_, name, value, problem) => {
    const root = makeFolder();
    const env = { EVAL_DIR: join(root, 'own'), [name]: value };
    const run = makeSession(root, env).start(['gaia.eval.ts']);
    expect(run).toEqual({ status: 'refused', problems: [expect.stringContaining(problem)] });
    expect(existsSync(env.EVAL_DIR)).toBe(false);
  },
);

test('an unknown option or default refuses the evals, and its file is named', () => {
  const options = { defaults: { seed: 7, limt: 3 }, given: ['gate', 'defaults'] };
  expect(makeSession('', {}, options).problems).toEqual([
    'vite.config.js: "limt" in "defaults" is not a setting. Did you mean limit?',
  ]);
});

test.each([
  ['', true],
  ['1', false],
])('with EVAL_DRY_RUN=%j the run becomes the latest one: %j', (dryRun, isLatest) => {
  const root = makeFolder();
  const env = { EVAL_DIR: root, EVAL_DRY_RUN: dryRun };
  const session = makeSession(root, env);
  expect(session.start(['gaia.eval.ts'])).toMatchObject({ status: 'ready' });
  session.makeLatest();
  expect(existsSync(join(root, 'latest'))).toBe(isLatest);
});

test('the keys of MCP servers are hidden by this process too', () => {
  const server = { command: 'node', env: { API_KEY: 'local-key-12345' } };
  const root = makeFolder({ 'mcp.json': JSON.stringify({ mcpServers: { own: server } }) });
  const env = {
    EVAL_DIR: join(root, 'own'),
    EVAL_MCP: join(root, 'mcp.json'),
    EVAL_AGENT: 'openai:m',
  };
  const session = makeSession(root, env);
  expect(session.start(['gaia.eval.ts'])).toMatchObject({
    status: 'ready',
    secrets: ['local-key-12345'],
  });
  expect(session.secrets).toEqual(['local-key-12345']);
});

test.each([
  ['a replay', { agents: [REPLAY] }, true, null],
  ['no agent', { agents: null }, true, null],
  ['a paid agent that is named', {}, false, null],
  ['a paid agent of the defaults', { agentsNamed: false }, false, 'set EVAL_AGENT'],
  ['a paid agent in watch mode', {}, true, 'set EVAL_LIMIT or EVAL_MAX_COST'],
  ['a paid agent in watch mode with a limit', { limit: 5 }, true, null],
  ['a paid agent in watch mode with a budget', { maxCost: 1 }, true, null],
])('whether a run of %s is skipped', (_, changes, watch, reason) => {
  const paid = { kind: 'module', target: 'a.ts', text: 'module:a' };
  const config = { agents: [paid], agentsNamed: true, limit: null, maxCost: null, ...changes };
  const why = whySkipped(config, watch);
  if (reason === null) expect(why).toBeNull();
  else expect(why).toMatch(new RegExp(`^module:a may cost money: .*${reason}`));
});

test('a watch run takes over the suites that do not run again, with what was left out of them', () => {
  const root = makeFolder();
  const env = { EVAL_DIR: join(root, 'own') };
  const session = makeSession(root, env, { command: 'watch' });
  const start = (...files: readonly string[]) => {
    session.start(files.map((file) => join(root, file)));
    return session.folder ?? '';
  };
  const first = start('a.eval.ts', 'b.eval.ts');
  const plan = { questions: planned(['q1', 'q2'], 'g'), agents: ['replay'], prompt_hash: 'p' };
  for (const name of ['a', 'b'])
    recordSuite(first, { ...PLANNED, ...plan, suite: name, eval_file: `${name}.eval.ts` });
  for (const suite of ['a', 'b'])
    appendResult(first, toResult('correct', { suite, dataset: 'sample', id: 'q1', cost_usd: 1 }));
  const absent = ['a', 'b'].map((suite) => {
    const trial = { suite, dataset: 'sample', agent: 'replay', id: 'q2', trial: 1 };
    return { ...trial, reason: null };
  });
  writeEnd(first, { ...readEnd(first), absent });

  const second = readRun(start('a.eval.ts'));
  expect(second.end).toMatchObject({ watch: 2, carried: ['b'], absent: [{ suite: 'b' }] });
  expect(second.results).toMatchObject([{ suite: 'b', id: 'q1', state: 'correct' }]);
  expect(second.leftOut).toBe(1);

  // Somebody may remove the folder of a run while its session goes on.
  rmSync(env.EVAL_DIR, { recursive: true });
  expect(readRun(start('a.eval.ts'))).toMatchObject({ results: [], end: { carried: [] } });
});
