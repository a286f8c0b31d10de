import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { APIS } from '../agents/apis.ts';
import { type Reply, type SeenRequest, startScriptedServer } from '../agents/scripted-server.ts';
import { readRows } from '../e2e/run-vitest.ts';
import { makeFolder } from '../make-folder.ts';
import { faultSettings, latest, runFaults, totalsOf } from './run-faults.ts';

/** Runs a command line where mounts are its own, and of the temporary folder, which is a small file system. */
const WITH_OWN_DISK = [
  ...['unshare', '--mount', ...(process.getuid?.() === 0 ? [] : ['--map-root-user'])],
  ...['sh', '-c', 'mount -t tmpfs -o size=1m,nr_inodes=200 none "$TMPDIR" && exec "$@"', 'sh'],
];

function canMount(): boolean {
  try {
    execFileSync('unshare', [...WITH_OWN_DISK.slice(1), 'true'], { env: { ...process.env, TMPDIR: '/mnt' } });
    return true;
  } catch {
    return false;
  }
}

describe('a temporary folder that is lost while the second of four questions is asked', () => {
  test.for([
    // Another file system is put over the folder: this one is in use, by pipes that have lost their names.
    ['full', 'mount -t tmpfs -o nr_inodes=1 none "$TMPDIR"', 'ENOSPC', WITH_OWN_DISK],
    ['read-only', 'mount -t tmpfs -o ro none "$TMPDIR"', 'EROFS', WITH_OWN_DISK],
    ['gone', 'rm -rf "$TMPDIR"', 'ENOENT', []],
  ] as const)('%s: those after it are faults of the machine, and alone asked again', async (row, { skip }) => {
    const [, deed, code, under] = row;
    skip(under.length > 0 && !canMount(), 'no mounts of its own here');
    const script = `grep -q '"id":"b"' && { ${deed}; }; echo "FINAL ANSWER: 17"`;
    const agent = join(makeFolder({ 'agent.sh': script }), 'agent.sh');
    const settings = { ...faultSettings(['a', 'b', 'c', 'd'], `command:sh ${agent}`), EVAL_CONCURRENCY: '1' };
    const first = await runFaults({ ...settings, TMPDIR: makeFolder() }, { under });
    const lost = 'errored machine';
    expect(first.outcomes).toEqual({ a: 'correct', b: 'correct', c: lost, d: lost });
    expect(totalsOf(first)).toMatchObject({ complete: true, n: 4, accuracy: 0.5 });
    for (const { error } of readRows(latest(first.dir)).slice(2)) {
      expect(error?.message).toMatch(new RegExp(`^The work folder of this question cannot be made \\(${code}`));
    }

    const second = await runFaults({ ...settings, TMPDIR: makeFolder() });
    expect(second.outcomes).toEqual({ a: 'correct', b: 'correct', c: 'correct', d: 'correct' });
    expect(second.recalled.toSorted()).toEqual(['a', 'b']);
  });
});

test('without files to spare the commands that cannot start are faults of the machine, and alone asked again', async () => {
  const ids = Array.from({ length: 60 }, (_, index) => `q${index}`);
  const go = join(makeFolder(), 'go');
  const script = `until [ -e ${go} ]; do sleep 0.1; done; echo "FINAL ANSWER: 17"`;
  const agent = join(makeFolder({ 'agent.sh': script }), 'agent.sh');
  const env = { ...faultSettings(ids, `command:sh ${agent}`), EVAL_CONCURRENCY: '60' };
  const running = runFaults(env, { under: ['sh', '-c', 'ulimit -n 90; exec "$@"', 'sh'] });
  // Those that have started hold on to their files until one could not start.
  while (!hasFailure(env)) await sleep(20);
  writeFileSync(go, '');
  const first = await running;
  const failed = ids.filter((id) => first.outcomes[id] === 'errored machine');
  const right = ids.filter((id) => first.outcomes[id] === 'correct');
  expect([...failed, ...right].toSorted()).toEqual(ids.toSorted());
  expect(Math.min(failed.length, right.length)).toBeGreaterThan(0);
  expect(totalsOf(first)).toMatchObject({ complete: true, n: 60 });
  expect(first.output).toContain('Lower EVAL_CONCURRENCY, or allow more open files and processes');

  const second = await runFaults(env);
  expect(new Set(Object.values(second.outcomes))).toEqual(new Set(['correct']));
  expect(second.recalled.toSorted()).toEqual(right.toSorted());
});

const [api] = APIS;

/** A model that calls for a calculation when it is asked about "sum", and answers once it has been told the result. */
function reply({ body }: SeenRequest): Reply {
  const said = JSON.stringify(body);
  const isSum = said.includes('What is sum?') && !said.includes('function_call_output');
  return (isSum ? api?.calculate('8 + 9') : api?.text('FINAL ANSWER: 17')) ?? { fault: 'silent' };
}

test('a tool whose process cannot be started is a fault of the machine, and its sample alone asked again', async () => {
  const node = join(makeFolder(), 'node');
  copyFileSync(process.execPath, node);
  const model = await startScriptedServer((request) => {
    // As an update does to a program that runs.
    rmSync(node, { force: true });
    return reply(request);
  });
  const env = {
    ...faultSettings(['sum', 'no-fault'], 'openai:m'),
    OPENAI_API_KEY: 'none',
    OPENAI_BASE_URL: `${model.url}/v1`,
  };
  const first = await runFaults(env, { under: ['sh', '-c', `shift; exec ${node} "$@"`, 'sh'] });
  expect(first.outcomes).toEqual({ sum: 'errored machine', 'no-fault': 'correct' });
  expect(totalsOf(first)).toMatchObject({ complete: true, n: 2 });
  expect(first.output).toContain('The machine cannot run the tool "calculate" (spawn');

  const second = await runFaults(env);
  expect(second.outcomes).toEqual({ sum: 'correct', 'no-fault': 'correct' });
  expect(second.recalled).toEqual(['no-fault']);
});

function hasFailure({ EVAL_DIR = '' }: Readonly<Record<string, string>>): boolean {
  return existsSync(join(EVAL_DIR, 'latest')) && readRows(latest(EVAL_DIR)).some(({ state }) => state === 'errored');
}
