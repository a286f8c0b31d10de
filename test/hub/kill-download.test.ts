import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { COMPILED } from '../compile-cache.ts';
import { makeFolder } from '../make-folder.ts';
import { type FakeHub, startFakeHub } from './fake-hub.ts';
import { makeRecords, toSplitFiles } from './gaia-dataset.ts';

const RECORDS = makeRecords({ 1: [8, 6], 2: [2, 0], 3: [1, 0] });

test('a download that is killed again and again ends with the same bytes', async () => {
  const files = {
    ...toSplitFiles('validation', RECORDS),
    // One file is large enough to be killed inside it several times.
    '2023/validation/made-1-3.txt': Buffer.from(
      Array.from({ length: 230_000 }, (_, index) => (index * 31) % 253),
    ),
  };
  const hub = await startFakeHub({ files, token: 'hf_x', drip: { bytes: 1024, pauseMs: 1 } });
  const cacheDir = makeFolder();
  let kills = 0;
  // The nth process is ended after n times 35,000 more bytes, wherever that is.
  while ((await download(hub, cacheDir, hub.sent() + 35_000 * (kills + 1))) !== 0)
    expect(++kills).toBeLessThan(50);
  expect(kills).toBeGreaterThan(1);
  const root = join(cacheDir, 'datasets--own--questions');
  for (const [path, content] of Object.entries(files))
    expect(readFileSync(join(root, 'snapshots', hub.commit, path))).toEqual(Buffer.from(content));
  const parts = () => readdirSync(join(root, 'blobs')).filter((name) => name.includes('.'));
  for (const part of parts()) utimesSync(join(root, 'blobs', part), 0, 0);
  expect(await download(hub, cacheDir, Number.POSITIVE_INFINITY)).toBe(0);
  expect(parts()).toEqual([]);
});

const PROGRAM = fileURLToPath(new URL('./download-all.ts', import.meta.url));

async function download(hub: FakeHub, cacheDir: string, killAt: number): Promise<number | null> {
  const child = spawn(process.execPath, [PROGRAM, 'hf:own/questions'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      ...COMPILED,
      HF_ENDPOINT: hub.url,
      HF_HUB_CACHE: cacheDir,
      HF_TOKEN: 'hf_x',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.on('close', resolve);
  while (child.exitCode === null && child.signalCode === null && hub.sent() < killAt)
    await sleep(1);
  child.kill('SIGKILL');
  return promise;
}
