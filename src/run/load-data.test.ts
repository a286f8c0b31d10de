import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { readHubSettings } from '../data/hub/hub-source.ts';
import { readConfig } from '../settings.ts';
import type { SuiteDefinition } from './definition.ts';
import { loadData } from './load-data.ts';

const never = () => new Promise<never>(() => {});

const RECORD = { id: 'a', input: '?', target: 'b' };
const DATASET = { name: 'own', samples: [{ ...RECORD, suite: 'own', group: 'all' }] };

function load(
  data: unknown,
  patience = { sayMs: 20_000, mostMs: 80, say: (_: string) => {} },
  dir = '.evals',
) {
  const file = join(makeFolder(), 'own.eval.ts');
  const definition = { data } as SuiteDefinition;
  const run = { config: readConfig({ EVAL_DIR: dir }), hub: readHubSettings({}), secrets: [] };
  return loadData({ name: 'own', file, definition }, run, patience);
}

test.each<[string, () => Promise<unknown>, RegExp]>([
  ['data', () => load(never), /own\.eval\.ts: "data" of suite own has not ended after 0\.08 s\. /],
  [
    'fetch of its dataset',
    async () => (await load(() => ({ ...DATASET, fetch: never }))).fetch?.([]),
    /own\.eval\.ts: "fetch" of suite own has not ended after 0\.08 s\. /,
  ],
])('a function %s that never ends is given up', async (_, wait, message) => {
  await expect(wait()).rejects.toThrow(message);
});

test('data may take its time while a download goes on, and says that it still loads', async () => {
  const written: string[] = [];
  const say = (line: string) => void written.push(line);
  const data: SuiteDefinition['data'] = async ({ onProgress }) => {
    for (let done = 0; done < 12; done++) {
      onProgress({ done, total: 100 });
      await sleep(50);
    }
    return [RECORD];
  };
  const { samples } = await load(data, { sayMs: 100, mostMs: 300, say });
  expect(samples).toHaveLength(1);
  expect(written).toEqual([
    expect.stringMatching(/^own: "data" in .*own\.eval\.ts still loads after 0\.1 s\n$/),
  ]);
});

test.each<[string, object, RegExp]>([
  ['input', { input: { at: [new Map()] } }, /record 1: "input" must be .* \("at\[0\]" is a Map\)/],
  ['target', { target: Number.NaN }, /record 1: "target" must be .* \(it is NaN\)/],
])(
  'a dataset of a function with an %s that JSON does not have is refused',
  async (_, field, message) => {
    const [sample] = DATASET.samples;
    const data = () => ({ ...DATASET, samples: [{ ...sample, ...field }] });
    await expect(load(data)).rejects.toThrow(message);
  },
);

test.each<[string, (records: readonly object[]) => unknown]>([
  ['typed', (records) => records],
  ['returned', (records) => () => records],
])('a picture in %s records is a file when its sample is to run', async (_, toData) => {
  const image = 'data:image/png;base64,iVBORw0KGgo=';
  const dir = makeFolder();
  const { samples, fetch } = await load(toData([{ ...RECORD, image }]), undefined, dir);
  const path = samples[0]?.attachments[0]?.path ?? '';
  expect(path.startsWith(join(dir, 'cache', 'pictures'))).toBe(true);
  await fetch?.(samples);
  expect(readFileSync(path).toString('base64')).toBe('iVBORw0KGgo=');
});
