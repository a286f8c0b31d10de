import { describe, expect, test } from 'vitest';
import { startFakeHub } from '../../test/hub/fake-hub.ts';
import { makeFolder } from '../../test/make-folder.ts';
import type { HubSettings } from './hub/hub-source.ts';
import { loadRecords } from './load.ts';

const ONE = '{"id": "one", "question": "1?", "answer": "1"}\n';
const TWO = '{"id": "two", "question": "2?", "answer": "2"}\n';

async function load(
  files: Readonly<Record<string, string>>,
  rest = '',
  settings: Partial<HubSettings> = {},
) {
  const hub = await startFakeHub({ files });
  return loadRecords({ path: `hf:own/questions${rest}`, hub: hub.settings(settings) });
}

const PARTS = { 'data/test-00000-of-00002.jsonl': ONE, 'data/test-00001-of-00002.jsonl': TWO };
const SUBJECTS = {
  'algebra/dev.jsonl': TWO,
  'algebra/test.jsonl': ONE,
  'anatomy/test.jsonl': TWO,
  'more/anatomy/dev.csv': 'id,question\none,1?\n',
};
const SPLITS = { 'train.jsonl': TWO, 'dev.jsonl': TWO, 'test.jsonl': ONE };

describe('records of a dataset on the Hub', () => {
  test.each<[string, Record<string, string>, string, readonly string[]]>([
    [
      'its only file',
      { 'README.md': '# about', 'dataset_infos.json': '{}', 'questions.jsonl': ONE },
      '',
      ['one'],
    ],
    ['the test split', SPLITS, '', ['one']],
    [
      'all parts of a split',
      { ...PARTS, 'data/train-00000-of-00001.jsonl': TWO },
      '',
      ['one', 'two'],
    ],
    ['the named file', SPLITS, ':train.jsonl', ['two']],
    ['the test split of each folder that a pattern names', SUBJECTS, ':a*/*', ['one', 'two']],
    [
      'all parts, and not what holds them all',
      { ...SUBJECTS, 'all/test.jsonl': ONE },
      ':*/*',
      ['one', 'two'],
    ],
    ['the configuration that is a folder', SUBJECTS, ':algebra', ['one']],
    [
      'the configuration that begins the names of files',
      { 'data/Law-test.jsonl': ONE, 'data/Art-test.jsonl': TWO, 'data/Law-dev.jsonl': TWO },
      ':Law',
      ['one'],
    ],
    [
      'a configuration with brackets in its name',
      { 'standard (10 options)/test.jsonl': ONE, 'vision/test.jsonl': TWO },
      ':standard (10 options)',
      ['one'],
    ],
    ['the split of a configuration', SUBJECTS, ':algebra/dev', ['two']],
    [
      'the named file in a folder at a revision',
      PARTS,
      '@v1:data/test-00001-of-00002.jsonl',
      ['two'],
    ],
  ])('are read from %s', async (_, files, rest, ids) => {
    const { samples, name, source } = await load(files, rest);
    expect([samples.map(({ id }) => id), name]).toEqual([ids, 'own/questions']);
    expect(source).toMatchObject({
      uri: `hf:own/questions${rest}`,
      revision: expect.stringMatching(/^c0ffee0+$/),
    });
  });

  test.each<[string, Record<string, string>, string, RegExp]>([
    [
      'several configurations',
      { 'algebra/test.jsonl': ONE, 'anatomy/test.jsonl': TWO },
      '',
      /It is unclear which file of own\/questions to read: its files are "algebra\/test\.jsonl", "anatomy\/test\.jsonl"\. Name a configuration, a file, a folder, or a pattern, as in hf:own\/questions:\*\/test\*\./,
    ],
    ['no records', { 'README.md': '# about' }, '', /to read: it has no file with records/],
    ['no files of a pattern', SPLITS, ':*/test*', /\*\/test\*/],
  ])('are refused where there are %s', async (_, files, rest, message) => {
    await expect(load(files, rest)).rejects.toThrow(message);
  });

  test('are read again offline, and refused offline where they were never downloaded', async () => {
    const cacheDir = makeFolder();
    await expect(load(PARTS, '', { cacheDir, offline: true })).rejects.toThrow(/HF_HUB_OFFLINE/);
    await load(PARTS, '', { cacheDir });
    for (const rest of ['', ':data', ':data/test-*']) {
      const { samples } = await load({}, rest, { cacheDir, offline: true });
      expect(samples.map(({ id }) => id)).toEqual(['one', 'two']);
    }
  });
});

test('a bad record in the second part of a split names that part', async () => {
  const files = { ...PARTS, 'data/test-00001-of-00002.jsonl': `${TWO}{"id": "three"}\n` };
  await expect(load(files)).rejects.toThrow(/test-00001-of-00002\.jsonl:2: the record has no/);
});
