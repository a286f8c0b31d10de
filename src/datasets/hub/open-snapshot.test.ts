import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type FakeHub, type FakeHubOptions, startFakeHub } from '../../../test/hub/fake-hub.ts';
import { makeFolder } from '../../../test/make-folder.ts';
import type { HubError } from './hub-request.ts';
import type { HubSettings } from './hub-source.ts';
import { fetchFiles, type HubProgress, openSnapshot } from './open-snapshot.ts';

const SMALL = 'a small file, kept by git itself';
const LARGE = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7919) % 251));
const FILES = { 'README.md': 'about', 'data/small.txt': SMALL, 'data/large one.bin': LARGE };

const SOURCE = { name: 'own/questions', revision: 'main' };
const PATHS = ['data/small.txt', 'data/large one.bin'];

async function fetchAll(settings: HubSettings, source = SOURCE, onProgress?: (progress: HubProgress) => void) {
  const snapshot = await openSnapshot({ settings, source });
  await fetchFiles(snapshot, PATHS, onProgress);
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

function expectWhole(cacheDir: string, commit: string): void {
  const root = join(cacheDir, 'datasets--own--questions');
  expect(readFileSync(join(root, 'snapshots', commit, 'data/small.txt'), 'utf8')).toBe(SMALL);
  expect(readFileSync(join(root, 'snapshots', commit, 'data/large one.bin'))).toEqual(LARGE);
  expect(readdirSync(join(root, 'blobs')).filter((name) => name.includes('.'))).toEqual([]);
}

async function startWith(options: Omit<FakeHubOptions, 'files'> = {}): Promise<FakeHub> {
  return startFakeHub({ files: FILES, ...options });
}

/** A Hub that has no answer to anything. */
async function startFailing(): Promise<FakeHub> {
  return startFakeHub({ files: {}, failing: true });
}

describe('a download', () => {
  test('gives the bytes in the layout that the tools of the Hub share', async () => {
    const hub = await startWith();
    const settings = hub.settings();
    const { commit } = await fetchAll(settings);
    expectWhole(settings.cacheDir, commit);
    const root = join(settings.cacheDir, 'datasets--own--questions');
    expect(readFileSync(join(root, 'refs/main'), 'utf8')).toBe(hub.commit);
    expect(readlinkSync(join(root, 'snapshots', hub.commit, 'data/small.txt'))).toMatch(
      /^\.\.\/\.\.\/\.\.\/blobs\/[0-9a-f]{40}$/,
    );
    expect(readlinkSync(join(root, 'snapshots', hub.commit, 'data/large one.bin'))).toMatch(/blobs\/[0-9a-f]{64}$/);
  });

  test('brings only the files that are asked for', async () => {
    const hub = await startWith();
    const snapshot = await openSnapshot({ settings: hub.settings(), source: SOURCE });
    await fetchFiles(snapshot, ['data/small.txt']);
    expect(hub.requests.filter(({ line }) => line.includes('/resolve/'))).toHaveLength(1);
  });

  test('shows the token to the Hub and never to the storage of another origin', async () => {
    const hub = await startWith({ token: 'hf_right' });
    await fetchAll(hub.settings());
    const storage = hub.requests.filter(({ line }) => line.startsWith('CDN'));
    expect(storage).toHaveLength(1);
    expect(storage[0]?.authorization).toBeUndefined();
    expect(
      new Set(hub.requests.filter((request) => !storage.includes(request)).map((request) => request.authorization)),
    ).toEqual(new Set(['Bearer hf_right']));
  });

  test('tells how far it is, up to the end', async () => {
    const hub = await startWith();
    const seen: HubProgress[] = [];
    await fetchAll(hub.settings(), SOURCE, (progress) => seen.push(progress));
    const total = SMALL.length + LARGE.length;
    expect(seen.at(-1)).toEqual({ files: { done: 2, total: 2 }, bytes: { done: total, total } });
    const steps = seen.map(({ bytes }) => bytes.done);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
  });

  test('that runs twice at once is one', async () => {
    const hub = await startWith({ drip: { bytes: 20_000, pauseMs: 5 } });
    const settings = hub.settings();
    const [first] = await Promise.all([fetchAll(settings), fetchAll(settings)]);
    expectWhole(settings.cacheDir, first.commit);
    expect(hub.sent()).toBe(SMALL.length + LARGE.length);
  });

  test('is not repeated', async () => {
    const hub = await startWith();
    const settings = hub.settings();
    await fetchAll(settings);
    const before = hub.sent();
    await fetchAll(settings);
    expect(hub.sent()).toBe(before);
  });

  test('lists datasets of several pages', async () => {
    const files = Object.fromEntries(Array.from({ length: 95 }, (_, index) => [`f${index}`, 'x']));
    const hub = await startFakeHub({ files });
    const snapshot = await openSnapshot({ settings: hub.settings(), source: SOURCE });
    expect(snapshot.files?.size).toBe(95);
  });

  test('finds a tag and a commit', async () => {
    const hub = await startWith();
    for (const revision of ['v1', hub.commit]) {
      expect((await fetchAll(hub.settings(), { ...SOURCE, revision })).commit).toBe(hub.commit);
    }
  });
});

describe('a broken download', () => {
  test.each<[string, FakeHubOptions['fault']]>([
    ['cut at once', (_, count) => (count === 0 ? { kind: 'cut', after: 0 } : null)],
    ['cut in the middle', (_, count) => (count === 0 ? { kind: 'cut', after: 150_000 } : null)],
    ['stalled in the middle', (_, count) => (count === 0 ? { kind: 'stall', after: 1000 } : null)],
    ['answered by a failing server', (_, count) => (count < 2 ? { kind: 'status', status: 503 } : null)],
    [
      'answered by a rate limit',
      (_, count) => (count === 0 ? { kind: 'status', status: 429, headers: { 'retry-after': '0' } } : null),
    ],
  ])('%s is tried again by itself', async (_, fault) => {
    const hub = await startWith({ ...(fault === undefined ? {} : { fault }) });
    const settings = hub.settings({ stallMs: 300 });
    expectWhole(settings.cacheDir, (await fetchAll(settings)).commit);
  });

  test('goes on where it was, in a later run too', async () => {
    const hub = await startWith({ fault: (_, count) => (count === 0 ? { kind: 'cut', after: 200_000 } : null) });
    const settings = hub.settings({ retryDelaysMs: [] });
    expect((await failure(fetchAll(settings))).kind).toBe('network');
    const before = hub.sent();
    expectWhole(settings.cacheDir, (await fetchAll(settings)).commit);
    expect(hub.requests.at(-1)?.range).toMatch(/^bytes=\d{5,6}-$/);
    expect(hub.sent() - before).toBeLessThan(LARGE.length);
  });

  test('leaves nothing of ended processes behind', async () => {
    const hub = await startWith();
    const settings = hub.settings();
    const blobs = join(settings.cacheDir, 'datasets--own--questions/blobs');
    const hash = createHash('sha256').update(LARGE).digest('hex');
    mkdirSync(blobs, { recursive: true });
    // No process has these numbers: they are above what Linux gives.
    for (const owner of [4194305, 4194306, 4194307]) writeFileSync(join(blobs, `${hash}.${owner}.incomplete`), '');
    const { commit } = await fetchAll(settings);
    expectWhole(settings.cacheDir, commit);
  });

  test('starts over when the server gives the whole file instead of the rest', async () => {
    const hub = await startWith({
      fault: (_, count) =>
        [{ kind: 'cut', after: 200_000 } as const, { kind: 'ignored range' } as const][count] ?? null,
    });
    const settings = hub.settings();
    expectWhole(settings.cacheDir, (await fetchAll(settings)).commit);
  });

  test('starts over when what an ended process left is not the beginning of the file', async () => {
    const hub = await startWith();
    const settings = hub.settings();
    const { files } = await openSnapshot({ settings, source: SOURCE });
    const blobs = join(settings.cacheDir, 'datasets--own--questions/blobs');
    mkdirSync(blobs, { recursive: true });
    writeFileSync(join(blobs, `${files?.get('data/large one.bin')?.hash}.999999999.incomplete`), 'something else');
    expectWhole(settings.cacheDir, (await fetchAll(settings)).commit);
  });

  test('leaves the file of a process that is still running alone', async () => {
    const hub = await startWith();
    const settings = hub.settings();
    const { files } = await openSnapshot({ settings, source: SOURCE });
    const other = join(
      settings.cacheDir,
      'datasets--own--questions/blobs',
      `${files?.get('data/large one.bin')?.hash}.${process.ppid}.incomplete`,
    );
    mkdirSync(dirname(other), { recursive: true });
    writeFileSync(other, 'being written');
    await fetchAll(settings);
    expect(readFileSync(other, 'utf8')).toBe('being written');
  });

  test.each<[string, (blob: string) => void]>([
    ['was damaged on the disk', (blob) => writeFileSync(blob, SMALL.toUpperCase())],
    ['is a pipe', (blob) => [rmSync(blob), execFileSync('mkfifo', [blob])]],
    ['is a link to a device', (blob) => [rmSync(blob), symlinkSync('/dev/zero', blob)]],
  ])('replaces a blob that %s', async (_, damage) => {
    const hub = await startWith();
    const settings = hub.settings();
    const { files, commit } = await fetchAll(settings);
    const blob = join(settings.cacheDir, 'datasets--own--questions/blobs', String(files?.get('data/small.txt')?.hash));
    damage(blob);
    await fetchAll(settings);
    expectWhole(settings.cacheDir, commit);
  });

  test.each<[string, FakeHubOptions['fault']]>([
    ['other bytes of the same length', () => ({ kind: 'other bytes' })],
    ['too many bytes', () => ({ kind: 'too long' })],
  ])('with %s is refused, and nothing of it is kept under its name', async (_, fault) => {
    const hub = await startWith({ ...(fault === undefined ? {} : { fault }) });
    const settings = hub.settings();
    const error = await failure(fetchAll(settings));
    expect(error.kind).toBe('damaged');
    expect(error.message).toMatch(/^hf:own\/questions: a file did not arrive as the Hub describes it.+ Run again;/);
    const root = join(settings.cacheDir, 'datasets--own--questions');
    expect(readdirSync(join(root, 'blobs')).filter((name) => !name.endsWith('.incomplete'))).toEqual([]);
    expect(existsSync(join(root, 'snapshots', hub.commit, 'data/small.txt'))).toBe(false);
  });
});

describe('a refusal', () => {
  test.each<[string, string | null, Partial<FakeHubOptions>, typeof SOURCE, RegExp]>([
    [
      'without a token',
      null,
      {},
      SOURCE,
      /no_token.+no token was given \(HTTP 401, GatedRepo, ".+"\)\. Ask for access on https:\/\/huggingface\.co\/datasets\/own\/questions, then set HF_TOKEN/,
    ],
    [
      'with a token that is none',
      'secret-thing',
      {},
      SOURCE,
      /bad_token.+must be "hf_" and visible ASCII characters, got 12 characters that are not shown\)\. Make a new one/,
    ],
    [
      'with a token that is not known',
      'hf_wrong',
      {},
      SOURCE,
      /bad_token.+does not take the token in HF_TOKEN \(HTTP 401, .+\)\. Make a new one/,
    ],
    [
      'before access is granted',
      'hf_waiting',
      { waitingToken: 'hf_waiting' },
      SOURCE,
      /not_granted.+no access to the dataset yet \(HTTP 403, GatedRepo, .+\)\. Open https:.+own\/questions, accept the terms/,
    ],
    [
      'for a revision that is none',
      'hf_right',
      {},
      { ...SOURCE, revision: 'v9' },
      /no_revision.+has no revision "v9" \(HTTP 404, RevisionNotFound.*\)\. Choose a branch, tag or whole commit/,
    ],
    ['for a commit that is none', 'hf_right', {}, { ...SOURCE, revision: 'd'.repeat(40) }, /no_revision/],
    [
      'for a dataset that is none',
      'hf_right',
      {},
      { ...SOURCE, name: 'own/nothing' },
      /no_dataset.+no such dataset \(HTTP 404, RepoNotFound.*\)\. Check owner and name/,
    ],
  ])('%s says what to do', async (_, token, options, source, message) => {
    const hub = await startWith({ token: 'hf_right', ...options });
    const settings = hub.settings({ token });
    const error = await failure(fetchAll(settings, source));
    expect(`${error.kind} ${error.message}`).toMatch(message);
    if (token !== null) expect(error.message).not.toContain(token);
  });

  test.each(['hf_a\nb', 'hf_a b', 'hf_é'])('of the token %j does not show it', async (token) => {
    const error = await failure(fetchAll((await startWith()).settings({ token })));
    expect(error.kind).toBe('bad_token');
    expect(`${error.stack} ${error.cause}`).not.toContain(token);
  });

  test.each(['nowhere', 'http://me:password@127.0.0.1:9'])('by the address %s shows no password', async (url) => {
    const error = await failure(fetchAll((await startWith()).settings({ url, retryDelaysMs: [] })));
    expect(error.kind).toBe('network');
    expect(error.message).not.toContain('password');
  });

  test('of a file that the dataset does not have names it', async () => {
    const hub = await startWith();
    const snapshot = await openSnapshot({ settings: hub.settings(), source: SOURCE });
    expect((await failure(fetchFiles(snapshot, ['data/none']))).message).toContain('not in the dataset (data/none)');
  });

  test.each([
    ['a path that leaves the cache', { path: '../../x' }],
    ['an absolute path', { path: '/tmp/x' }],
    ['a blob name that is a path', { oid: '../../x', lfs: undefined }],
    ['a negative size', { size: -1, lfs: undefined }],
    ['an entry of an unknown kind', { type: 'link' }],
  ])('of a list with %s keeps the disk clean', async (_, change) => {
    const hub = await startWith({
      entry: (entry) => (entry['path'] === 'data/small.txt' ? { ...entry, ...change } : entry),
    });
    const error = await failure(fetchAll(hub.settings()));
    expect(error.kind).toBe('bad_response');
    expect(error.message).toContain('Check HF_ENDPOINT');
  });

  test('when the storage refuses what the Hub grants blames the storage', async () => {
    const hub = await startWith({ fault: (path) => (path.includes('large') ? { kind: 'status', status: 403 } : null) });
    const error = await failure(fetchAll(hub.settings()));
    expect(error.kind).toBe('storage');
    expect(error.message).toContain('the storage that the Hub leads to refuses a file, which the Hub itself grants');
    expect(hub.requests.filter(({ line }) => line.startsWith('CDN'))).toHaveLength(3);
  });

  test('waits for no pause of an hour', async () => {
    const pause = { kind: 'status', status: 429, headers: { 'retry-after': '3600' } } as const;
    const hub = await startWith({ fault: (path) => (path.includes('large') ? pause : null) });
    const error = await failure(fetchAll(hub.settings()));
    expect(error.message).toMatch(/the Hub asks for a pause \(HTTP 429.*, a pause of 3600 s\)/);
  });

  test('when the storage fails for good says that what arrived is kept', async () => {
    const hub = await startWith({ fault: () => ({ kind: 'status', status: 500 }) });
    expect((await failure(fetchAll(hub.settings()))).message).toMatch(
      /the Hub is failing \(HTTP 500.*\)\. Run again later: what has arrived is kept\./,
    );
  });

  test.skipIf(!existsSync('/dev/full'))('when the disk is full names the folder and the way out', async () => {
    const hub = await startWith();
    const settings = hub.settings();
    const { files } = await openSnapshot({ settings, source: SOURCE });
    const blobs = join(settings.cacheDir, 'datasets--own--questions/blobs');
    mkdirSync(blobs, { recursive: true });
    // What the process seems to have begun is a device on which every write finds the disk full.
    symlinkSync('/dev/full', join(blobs, `${files?.get('data/large one.bin')?.hash}.${process.pid}.incomplete`));
    const error = await failure(fetchAll(settings));
    expect(error.message).toMatch(/the disk is full \(ENOSPC, .+blobs\)\. Free some space or set HF_HOME/);
  });

  test('when the cache cannot be written names it', async () => {
    const hub = await startWith();
    const cacheDir = join(makeFolder({ file: '' }), 'file');
    const error = await failure(fetchAll(hub.settings({ cacheDir })));
    expect(error.message).toMatch(/the cache cannot be written \(ENOTDIR, .+\)\. Make it writable, or set HF_HOME/);
  });
});

describe('without the Hub', () => {
  test('a warm cache is enough, and that is said', async () => {
    const hub = await startWith();
    const settings = hub.settings({ retryDelaysMs: [] });
    await fetchAll(settings);
    await hub.close();
    const { commit, notes } = await fetchAll(settings);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(new RegExp(`^Read from the cache at commit ${commit}: .+ cannot be reached`));
  });

  test('a warm cache is enough while the Hub is failing', async () => {
    const hub = await startWith();
    const settings = hub.settings();
    const { commit } = await fetchAll(settings);
    const failing = await startFailing();
    expect((await fetchAll({ ...settings, url: failing.url })).commit).toBe(commit);
  });

  test('HF_HUB_OFFLINE asks nothing of it', async () => {
    const hub = await startWith();
    const settings = hub.settings();
    await fetchAll(settings);
    const before = hub.requests.length;
    await fetchAll({ ...settings, offline: true });
    expect(hub.requests).toHaveLength(before);
  });

  test.each([true, false])('a cold cache is refused (offline: %j)', async (offline) => {
    const hub = await startWith();
    await hub.close();
    const error = await failure(fetchAll(hub.settings({ offline, retryDelaysMs: [] })));
    expect(error.kind).toBe(offline ? 'not_cached' : 'network');
    expect(error.message).toMatch(offline ? /Run once with the Hub in reach/ : /Check the connection and run again/);
  });

  test('a file that is not in the cache is named', async () => {
    const hub = await startWith();
    const settings = hub.settings();
    await fetchFiles(await openSnapshot({ settings, source: SOURCE }), ['data/small.txt']);
    const error = await failure(fetchAll({ ...settings, offline: true }));
    expect(error.message).toMatch(/does not hold what is needed \(data\/large one\.bin, in .+\)\. Run once/);
  });

  test('a blob that was damaged on the disk is not taken', async () => {
    const hub = await startWith();
    const settings = hub.settings();
    const { files } = await fetchAll(settings);
    writeFileSync(
      join(settings.cacheDir, 'datasets--own--questions/blobs', String(files?.get('data/small.txt')?.hash)),
      'cut',
    );
    expect((await failure(fetchAll({ ...settings, offline: true }))).kind).toBe('not_cached');
  });
});
