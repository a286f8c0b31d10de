import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type FakeHubOptions, startFakeHub } from '../../../test/hub/fake-hub.ts';
import { listen } from '../../../test/loopback-server.ts';
import { makeFile } from '../../../test/make-folder.ts';
import { textsOf } from '../../words/types.fixture.ts';
import type { HubError } from './hub-request.ts';
import type { HubSettings } from './hub-source.ts';
import { fetchFiles, openSnapshot } from './snapshot.ts';

const SMALL = 'a small file, kept by git itself';
const LARGE = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7919) % 251));
const FILES = { 'README.md': 'about', 'data/small.txt': SMALL, 'data/large one.bin': LARGE };

const SOURCE = { name: 'own/questions', revision: 'main' };
const NEVER = { times: 0, pauseMs: 0 };
const PATHS = ['data/small.txt', 'data/large one.bin'];

async function fetchAll(settings: HubSettings, source = SOURCE) {
  const snapshot = await openSnapshot({ settings, source });
  await fetchFiles(snapshot, PATHS);
  return snapshot;
}

async function failure(run: Promise<unknown>): Promise<HubError> {
  const error = await run.then(
    () => null,
    (thrown: HubError) => thrown,
  );
  if (error === null) throw new Error('Expected a HubError, and the call went well.');
  return error;
}

/** Downloads all, and expects the whole of it and nothing else. */
async function expectWhole(settings: HubSettings): Promise<void> {
  const { commit } = await fetchAll(settings);
  const folder = join(rootOf(settings), 'snapshots', commit);
  expect(readFileSync(join(folder, 'data/small.txt'), 'utf8')).toBe(SMALL);
  expect(readFileSync(join(folder, 'data/large one.bin'))).toEqual(LARGE);
  const blobs = readdirSync(join(rootOf(settings), 'blobs'));
  expect(blobs.filter((name) => name.includes('.'))).toEqual([]);
}

function rootOf({ cacheDir }: HubSettings): string {
  return join(cacheDir, 'datasets--own--questions');
}

/** What a download left of the large file, some minutes ago. */
function writePart(settings: HubSettings, name: string, minutes: number): string {
  const hash = createHash('sha256').update(LARGE).digest('hex');
  const part = join(rootOf(settings), 'blobs', `${hash}.${name}incomplete`);
  mkdirSync(dirname(part), { recursive: true });
  writeFileSync(part, 'something else');
  const at = Date.now() / 1000 - minutes * 60;
  utimesSync(part, at, at);
  return part;
}

async function start(options: Partial<FakeHubOptions> = {}, settings: Partial<HubSettings> = {}) {
  const hub = await startFakeHub({ files: FILES, ...options });
  return { hub, settings: hub.settings(settings) };
}

type Fault = NonNullable<FakeHubOptions['fault']>;

/** What goes wrong with each download of a file, from the first on. */
const faults =
  (...each: readonly ReturnType<Fault>[]): Fault =>
  (_, count) =>
    each[count] ?? null;

describe('a download', () => {
  test('stores the bytes in the layout that the tools of the Hub share', async () => {
    const { hub, settings } = await start();
    await expectWhole(settings);
    const root = rootOf(settings);
    expect(readFileSync(join(root, 'refs/main'), 'utf8')).toBe(hub.commit);
    const linkOf = (path: string) => readlinkSync(join(root, 'snapshots', hub.commit, path));
    expect(linkOf('data/small.txt')).toMatch(/^\.\.\/\.\.\/\.\.\/blobs\/[0-9a-f]{40}$/);
    expect(linkOf('data/large one.bin')).toMatch(/blobs\/[0-9a-f]{64}$/);
  });

  test('shows any token to the Hub, and none to the storage of another origin', async () => {
    const { hub, settings } = await start({ token: 'api_right' });
    await fetchAll(settings);
    const storage = hub.requests.filter(({ line }) => line.startsWith('CDN'));
    expect(storage).toHaveLength(1);
    expect(storage[0]?.authorization).toBeUndefined();
    const others = hub.requests.filter((request) => !storage.includes(request));
    expect(new Set(others.map(({ authorization }) => authorization))).toEqual(
      new Set(['Bearer api_right']),
    );
  });

  test('that is started twice at once goes well, and is not repeated', async () => {
    const { hub, settings } = await start({ drip: { bytes: 20_000, pauseMs: 5 } });
    await Promise.all([fetchAll(settings), fetchAll(settings)]);
    const sent = hub.sent();
    await expectWhole(settings);
    expect(hub.sent()).toBe(sent);
  });
});

describe('a broken download', () => {
  test.each<[string, ReturnType<Fault>]>([
    ['cut in the middle', { kind: 'cut', after: 150_000 }],
    ['with other bytes', { kind: 'other bytes' }],
    ['stalled in the middle', { kind: 'stall', after: 1000 }],
    ['answered by a rate limit', { kind: 'status', status: 429, headers: { 'retry-after': '0' } }],
  ])('%s is tried again by itself', async (_, fault) => {
    const { settings } = await start({ fault: faults(fault) }, { stallMs: 300 });
    await expectWhole(settings);
  });

  test('leaves no part of the file, and a later run starts anew', async () => {
    const fault = faults({ kind: 'cut', after: 200_000 });
    const { settings } = await start({ fault }, { retries: NEVER });
    expect((await failure(fetchAll(settings))).kind).toBe('network');
    const blobs = readdirSync(join(rootOf(settings), 'blobs'));
    expect(blobs.filter((name) => name.includes('.'))).toEqual([]);
    await expectWhole(settings);
  });

  test.each([
    ['viva-a.', 61, false],
    ['viva-a.', 1, true],
    // Another tool of the Hub may go on with it.
    ['', 61, true],
  ])('leaves its part "%sincomplete" for an hour (%i minutes)', async (name, minutes, stays) => {
    const { settings } = await start();
    await fetchAll(settings);
    const part = writePart(settings, name, minutes);
    await fetchAll(settings);
    expect(existsSync(part)).toBe(stays);
  });

  test.each([
    ['other bytes', /arrived with a hash that differs from the Hub's/],
    ['too long', /is longer than the size that the Hub gives/],
  ] as const)(
    'with %s is refused, and nothing of it is kept under its name',
    async (kind, message) => {
      const { hub, settings } = await start({ fault: () => ({ kind }) });
      expect((await failure(fetchAll(settings))).message).toMatch(message);
      const blobs = readdirSync(join(rootOf(settings), 'blobs'));
      expect(blobs).toEqual([]);
      const folder = join(rootOf(settings), 'snapshots', hub.commit);
      expect(existsSync(join(folder, 'data/small.txt'))).toBe(false);
    },
  );
});

describe('a refusal', () => {
  const NOTHING = { ...SOURCE, name: 'own/nothing' };
  test.each<[string, string | null, Partial<FakeHubOptions>, typeof SOURCE, RegExp]>([
    [
      'without a token',
      null,
      {},
      SOURCE,
      /no token is set \(HTTP 401, GatedRepo\)\. Ask for access on https.+questions/,
    ],
    [
      'with an unknown token',
      'hf_wrong',
      {},
      SOURCE,
      /does not accept the token in HF_TOKEN \(HTTP 401\)\. Make/,
    ],
    [
      'with a broken token',
      'hf_a\nb',
      {},
      SOURCE,
      /the token in HF_TOKEN \(it contains a space or a character/,
    ],
    [
      'before access',
      'hf_x',
      { waitingToken: 'hf_x' },
      SOURCE,
      /no access to the dataset yet \(HTTP 403, GatedRepo\)/,
    ],
    [
      'for a dataset that is none',
      'hf_right',
      {},
      NOTHING,
      /no such dataset, revision or file \(HTTP 404, RepoNotFound\)/,
    ],
  ])('%s says what to do, and shows no token', async (_, token, options, source, message) => {
    const { settings } = await start({ token: 'hf_right', ...options }, { token });
    const error = await failure(fetchAll(settings, source));
    expect(error.message).toMatch(message);
    if (token !== null) expect(`${error.stack} ${error.cause}`).not.toContain(token);
  });

  test('by a closed port says the cause', async () => {
    const { settings } = await start({}, { url: 'http://127.0.0.1:2', retries: NEVER });
    const error = await failure(fetchAll(settings));
    expect(error.kind).toBe('network');
    expect(error.message).toContain('the Hub cannot be reached (127.0.0.1:2: ECONNREFUSED)');
  });

  test.each([
    ['nowhere', '("nowhere")'],
    ['ftp://host', '("ftp://host")'],
    ['https://me:pass/w@rd@host', '("[...]@host")'],
  ])('of the address %s names HF_ENDPOINT and asks nothing', async (url, shown) => {
    const { settings } = await start({}, { url });
    const error = await failure(fetchAll(settings));
    expect(error.message).toContain(
      `HF_ENDPOINT is not an address that can be asked ${shown}. Set it`,
    );
  });

  test.each([
    ['a path that leaves the cache', { path: '../../x' }],
    ['a blob name that is a path', { oid: '../../x', lfs: undefined }],
    ['a negative size', { size: -1, lfs: undefined }],
    ['an entry of an unknown kind', { type: 'link' }],
  ])('of a list with %s leaves nothing on the disk', async (_, change) => {
    const { settings } = await start({
      entry: (entry) => (entry['path'] === 'data/small.txt' ? { ...entry, ...change } : entry),
    });
    expect((await failure(fetchAll(settings))).message).toContain(
      'its list of files is not valid). Wait and run again',
    );
    expect(readdirSync(settings.cacheDir)).toEqual([]);
  });

  test.each<[number, Record<string, string>, number, RegExp]>([
    [403, {}, 3, /cannot be used \(HTTP 403 from 127\.0\.0\.1:\d+\)/],
    [
      500,
      {},
      3,
      /cannot be used \(HTTP 500 from .+\)\. Wait and run again; the files that have arrived are kept\./,
    ],
    [
      429,
      { 'retry-after': '3600' },
      1,
      /the Hub limits the rate of requests \(HTTP 429.*, it asks to wait 3600 s, viva waits at most 60 s\)/,
    ],
  ])(
    'by the storage with %d is tried again, unless it asks to wait an hour',
    async (status, headers, times, message) => {
      const fault = (path: string) =>
        path.includes('large') ? ({ kind: 'status', status, headers } as const) : null;
      const { hub, settings } = await start({ fault });
      expect((await failure(fetchAll(settings))).message).toMatch(message);
      expect(hub.requests.filter(({ line }) => line.startsWith('CDN'))).toHaveLength(times);
    },
  );

  test.each([
    ['main', '<html>', 'its response is not valid'],
    ['main', 'null', 'its response is not valid'],
    ['main', '{}', 'its response names no commit'],
    ['c0ffee'.padEnd(40, '0'), '{}', 'its response is not valid'],
    ['c0ffee'.padEnd(40, '0'), '"text"', 'its list of files is not valid'],
  ])('at revision %s by the body %s says what is wrong', async (revision, body, problem) => {
    const url = await listen(createServer((_, response) => void response.end(body)));
    const { settings } = await start({}, { url, retries: NEVER });
    const error = await failure(fetchAll(settings, { ...SOURCE, revision }));
    expect(error.message).toContain(problem);
  });

  test('by the disk names the folder and says what to do', async () => {
    const { settings } = await start({}, { cacheDir: makeFile('file') });
    const error = await failure(fetchAll(settings));
    expect(error.message).toMatch(
      /the cache cannot be written \(a file .+ \(ENOTDIR\), .+\)\. Move .+, or set HF_HOME to another/,
    );
  });
});

describe('without the Hub', () => {
  test('reads a warm cache, and says so', async () => {
    const { hub, settings } = await start({}, { retries: NEVER });
    await fetchAll(settings);
    await hub.close();
    const { commit, notes } = await fetchAll(settings);
    const said = new RegExp(`^Read from the cache at commit ${commit}: .+ cannot be reached`);
    expect(textsOf(notes)).toEqual([expect.stringMatching(said)]);
  });

  test('HF_HUB_OFFLINE sends no request', async () => {
    const { hub, settings } = await start();
    await fetchAll(settings);
    const before = hub.requests.length;
    await fetchAll({ ...settings, offline: true });
    expect(hub.requests).toHaveLength(before);
  });

  test.each([true, false])('a cold cache is refused (offline: %j)', async (offline) => {
    const { hub, settings } = await start({}, { offline, retries: NEVER });
    await hub.close();
    const error = await failure(fetchAll(settings));
    expect(error.kind).toBe(offline ? 'not_cached' : 'network');
    expect(error.message).toMatch(
      offline ? /Run once online/ : /Check the connection and run again/,
    );
  });

  test('a file that is not in the cache is named', async () => {
    const { settings } = await start();
    await fetchFiles(await openSnapshot({ settings, source: SOURCE }), ['data/small.txt']);
    const error = await failure(fetchAll({ ...settings, offline: true }));
    expect(error.message).toMatch(
      /does not contain the needed files \(.+data\/large one\.bin\)\. Run once/,
    );
  });
});
