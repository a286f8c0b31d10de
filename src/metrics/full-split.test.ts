import { expect, test } from 'vitest';
import { type AskedQuestions, isGaiaItself, recogniseFullSplit, referencesFor } from './full-split.ts';

function groups(...sizes: readonly number[]): string[] {
  return sizes.flatMap((size, index) => Array.from({ length: size }, () => `level ${index + 1}`));
}

const HUB = { uri: 'hf:gaia-benchmark/GAIA' };
const VALIDATION = groups(53, 86, 26);

test.each<[string, AskedQuestions, 'validation' | 'test' | null]>([
  ['validation from the Hub', { dataset: 'GAIA/validation', source: HUB, groups: VALIDATION }, 'validation'],
  [
    'a revision of it',
    { dataset: 'x', source: { uri: 'hf:gaia-benchmark/GAIA@v1' }, groups: VALIDATION },
    'validation',
  ],
  [
    'a copy in a folder GAIA',
    { dataset: 'GAIA/validation', source: { uri: './GAIA' }, groups: VALIDATION },
    'validation',
  ],
  [
    'a copy in a folder of another name',
    { dataset: 'gaia-copy/validation', source: null, groups: VALIDATION },
    'validation',
  ],
  ['a folder whose name holds the letters', { dataset: 'bagaia/validation', source: null, groups: VALIDATION }, null],
  ['test without the placeholder', { dataset: 'GAIA/test', source: HUB, groups: groups(93, 159, 48) }, 'test'],
  ['test with the placeholder', { dataset: 'GAIA/test', source: HUB, groups: groups(93, 159, 49) }, 'test'],
  ['one question less', { dataset: 'GAIA/validation', source: HUB, groups: groups(53, 86, 25) }, null],
  ['one level', { dataset: 'GAIA/validation', source: HUB, groups: groups(53) }, null],
  [
    'a question without a level beside',
    { dataset: 'GAIA/validation', source: HUB, groups: [...VALIDATION, 'all'] },
    null,
  ],
  ['another dataset of that size', { dataset: 'own/validation', source: { uri: './own' }, groups: VALIDATION }, null],
  ['the Hub, whatever its name', { dataset: 'x', source: HUB, groups: VALIDATION }, 'validation'],
  ['an address that ends alike', { dataset: 'x', source: { uri: `my-${HUB.uri}` }, groups: VALIDATION }, null],
  ['a name that begins alike', { dataset: 'x', source: { uri: 'hf:gaia-benchmark/GAIA-2' }, groups: VALIDATION }, null],
  ['a copy named after the other split', { dataset: 'GAIA/test', source: null, groups: VALIDATION }, null],
  ['the sample', { dataset: 'sample', source: { uri: 'evals/gaia/sample' }, groups: groups(10, 10, 10) }, null],
  ['nothing', { dataset: 'GAIA/validation', source: HUB, groups: [] }, null],
])('%s is recognised as it should be', (_, asked, split) => {
  expect(recogniseFullSplit(asked)).toBe(split);
});

test.each([
  ['GAIA/validation', null, true],
  ['gaia-copy/test', null, true],
  ['x', HUB, true],
  ['sample', null, false],
  ['questions/validation', null, false],
  ['my-gaia-like-questions', null, false],
  ['x', { uri: 'hf:own/gaia' }, false],
])('the dataset %s of %j is GAIA, whole or in part: %s', (dataset, source, is) => {
  expect(isGaiaItself({ dataset, source })).toBe(is);
});

test('a split is held against its own figures and those of both', () => {
  const splits = (split: 'validation' | 'test') => new Set(referencesFor(split).map((figure) => figure.split));
  expect(splits('validation')).toEqual(new Set(['both', 'validation']));
  expect(splits('test')).toEqual(new Set(['both', 'test']));
});
