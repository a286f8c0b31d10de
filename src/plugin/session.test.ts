import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { writeRows } from '../../test/make-run.ts';
import { ONLY_POSIX } from '../../test/only-posix.ts';
import { toResult } from '../figures/result.fixture.ts';
import { mayRun, readGates, Session } from './session.ts';

const REPLAY = { kind: 'replay', target: '', text: 'replay' };

function makeSession(
  root: string,
  env: Readonly<Record<string, string>>,
  options: Partial<ConstructorParameters<typeof Session>[0]> = {},
  watch = false,
): Session {
  const vitest = { configFile: 'vite.config.js', ui: false, shard: null };
  return new Session({ env, ...options }, { root, watch, ...vitest });
}

test('a file of gates need not exist unless viva() names it', () => {
  const file = join(makeFolder(), 'gates.json');
  expect(readGates(file, 'gates.json')).toEqual([]);
  expect(() => readGates(file, 'gates.json', true)).toThrow(
    'gates.json, the "gates" of viva(), does not exist. Correct',
  );
});

test('a pipe is not waited for as a file of gates', ONLY_POSIX, () => {
  const file = join(makeFolder(), 'gates.json');
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
  ONLY_POSIX,
  (_, name, value, problem) => {
    const root = makeFolder();
    const env = { EVAL_DIR: join(root, 'own'), [name]: value };
    const run = makeSession(root, env).start(['gaia.eval.ts']);
    expect(run).toEqual({ status: 'refused', problems: [expect.stringContaining(problem)] });
    expect(existsSync(env.EVAL_DIR)).toBe(false);
  },
);

test('an unknown default refuses the evals, and its file is named', () => {
  const options = { defaults: { seed: 7, limt: 3 } };
  expect(makeSession('', {}, options).problems).toEqual([
    expect.stringMatching(/^vite\.config\.js: "limt"/),
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

test.each([
  ['openai:m', 'refused'],
  ['openai:m?mcp=off', 'ready'],
  ['openai:m?tools=off', 'ready'],
  ['replay', 'ready'],
])('the file of MCP servers is read for %s: it is %s without one', (agent, status) => {
  const env = { EVAL_DIR: makeFolder(), EVAL_MCP: 'none.json', EVAL_AGENT: agent };
  expect(makeSession('', env).start(['gaia.eval.ts']).status).toBe(status);
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
  const { skipped: why } = mayRun(config, watch);
  if (reason === null) expect(why).toBeNull();
  else expect(why).toMatch(new RegExp(`^module:a may cost money: .*${reason}`));
});

test('all turns of watch mode share one budget', () => {
  const root = makeFolder();
  const session = makeSession(root, { EVAL_DIR: join(root, 'own'), EVAL_MAX_COST: '1' }, {}, true);
  const spend = (cost_usd: number) => {
    const provided = session.start(['gaia.eval.ts']);
    if (provided.status !== 'ready') throw new Error(provided.status);
    writeRows(provided.folder, toResult('correct', { cost_usd, cached: false }));
    return provided.spentUsd;
  };
  expect([spend(0.25), spend(0.5), spend(0)]).toEqual([0, 0.25, 0.75]);
});
