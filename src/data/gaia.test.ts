import { expect, test } from 'vitest';
import { chooseGaia, findSplitOfSize, isGaiaItself } from './gaia.ts';

const ALL = ['metadata.jsonl', 'metadata.level1.parquet', 'metadata.parquet'];
const LEVELS = [1, 2, 3].map((level) => `v/validation/metadata.level${level}.parquet`);

test.each<[string, readonly string[], object | null]>([
  ['all levels in JSON lines before others', ALL, { files: ['metadata.jsonl'], notes: [] }],
  [
    'the levels together',
    LEVELS,
    {
      files: LEVELS,
      notes: [
        {
          kind: 'source',
          text: 'Read together: "metadata.level1.parquet", "metadata.level2.parquet", "metadata.level3.parquet".',
        },
      ],
      isWhole: true,
    },
  ],
  [
    'the levels that are there',
    LEVELS.toSpliced(1, 1),
    {
      notes: [
        {
          kind: 'left out',
          text: 'Read together: "metadata.level1.parquet", "metadata.level3.parquet". The split is incomplete.',
        },
      ],
      isWhole: false,
    },
  ],
  ['the split alone', ['2023/test/metadata.jsonl', ...LEVELS], { files: LEVELS }],
  ['nothing of another dataset', ['validation/a.csv', 'metadata.csv'], null],
])('a split is read from %s', (_, files, chosen) => {
  const found = chooseGaia(files, 'validation', 'x');
  if (chosen === null) expect(found).toBeNull();
  else expect(found).toMatchObject(chosen);
});

test('a dataset with the other split only is refused', () => {
  expect(() => chooseGaia(['test/metadata.jsonl'], 'validation', 'x')).toThrow(
    'x: the dataset has no validation split. Set EVAL_SPLIT=test, which it has.',
  );
});

function groups(...sizes: readonly number[]): string[] {
  return sizes.flatMap((size, index) => Array.from({ length: size }, () => `level ${index + 1}`));
}

test.each([
  ['validation', groups(53, 86, 26), 'validation'],
  ['test without the placeholder', groups(93, 159, 48), 'test'],
  ['one question less', groups(53, 86, 25), null],
  ['a question without a level beside', [...groups(53, 86, 26), 'all'], null],
])('%s is recognised by its size', (_, asked, split) => {
  expect(findSplitOfSize(asked)).toBe(split);
});

test.each([
  ['GAIA/validation', null, true],
  ['gaia-copy/test', null, true],
  ['x', { uri: 'hf:gaia-benchmark/GAIA' }, true],
  ['x', { uri: 'hf:gaia-benchmark/GAIA-2' }, false],
  ['x', { uri: 'my-hf:gaia-benchmark/GAIA' }, false],
  ['sample', null, false],
  ['my-gaia-like-questions', null, false],
  ['x', { uri: 'hf:own/gaia' }, false],
])('the dataset %s of %j is GAIA, whole or in part: %s', (dataset, source, is) => {
  expect(isGaiaItself({ dataset, source })).toBe(is);
});
