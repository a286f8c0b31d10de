import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type FakeHub, type FakeHubOptions, startFakeHub } from '../../test/hub/fake-hub.ts';
import { makeRecords, toContent, toSplitFiles } from '../../test/hub/gaia-dataset.ts';
import type { HubSettings } from './hub/hub-source.ts';
import { loadGaia } from './load.ts';

const RECORDS = makeRecords({ 1: [4, 3], 2: [2, 0], 3: [1, 0] });
const FILES = { ...toSplitFiles('validation', RECORDS), 'README.md': 'about' };

async function start(options: Partial<FakeHubOptions> = {}): Promise<FakeHub> {
  return startFakeHub({ name: 'gaia-benchmark/GAIA', files: FILES, token: 'hf_right', ...options });
}

const load = (hub: HubSettings, revision = '') =>
  loadGaia({ path: `hf:gaia-benchmark/GAIA${revision}`, hub });

function downloads({ requests }: FakeHub): string[] {
  const lines = requests.map(({ line }) => line).filter((line) => line.includes('/resolve/'));
  return lines.map((line) => line.split('/').at(-1) ?? '').toSorted();
}

describe('a split of the Hub', () => {
  test('downloads no attachment before samples are selected, and then only theirs', async () => {
    const hub = await start();
    const dataset = await load(hub.settings());
    expect(downloads(hub)).toEqual(['metadata.parquet']);
    const [chosen] = dataset.samples.filter(({ attachments }) => attachments.length > 0);
    const [{ name, path } = { name: '', path: '' }] = chosen?.attachments ?? [];
    await dataset.fetch?.(chosen ? [chosen] : []);
    expect(downloads(hub)).toEqual([name, 'metadata.parquet'].toSorted());
    expect(readFileSync(path)).toEqual(toContent(name));
  });

  test('without the Hub, files by level must all be in the cache', async () => {
    const names = [1, 2, 3].map((level) => `2023/validation/metadata.level${level}.jsonl`);
    const files = Object.fromEntries(
      names.map((name) => [name, JSON.stringify({ ...RECORDS[0], task_id: name, file_name: '' })]),
    );
    const broken = await start({
      files,
      fault: (path) => (path.includes('level2') ? { kind: 'status', status: 500 } : null),
    });
    const settings = broken.settings();
    await expect(load(settings)).rejects.toThrow('HTTP 500');
    await expect(load({ ...settings, offline: true }, `@${broken.commit}`)).rejects.toThrow(
      /The split is incomplete.+Run once online/,
    );
  });
});

test.each([
  ['../../secret', /must not leave the folder/],
  ['none.txt', /the dataset does not have, got "none\.txt"/],
  ['metadata.jsonl', /must not be the file/],
])('a record that names the file %s is refused', async (file_name, message) => {
  const record = JSON.stringify({ ...RECORDS[0], file_name });
  const hub = await start({ files: { '2023/validation/metadata.jsonl': record } });
  const fetched = load(hub.settings()).then(({ fetch, samples }) => fetch?.(samples));
  await expect(fetched).rejects.toThrow(message);
});
