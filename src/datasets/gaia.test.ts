import { expect, test } from 'vitest';
import { findSplitOfSize, isGaiaItself } from './gaia.ts';

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
