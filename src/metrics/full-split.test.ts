import { expect, test } from 'vitest';
import { type AskedQuestions, recogniseFullSplit } from './full-split.ts';
import { REFERENCE_FIGURES, referencesFor } from './reference-figures.ts';

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
  ['a copy of unknown source', { dataset: 'GAIA/validation', source: null, groups: VALIDATION }, 'validation'],
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
  ['another dataset of the Hub', { dataset: 'x', source: { uri: 'hf:own/GAIA' }, groups: VALIDATION }, null],
  ['a name that begins alike', { dataset: 'x', source: { uri: 'hf:gaia-benchmark/GAIA-2' }, groups: VALIDATION }, null],
  ['a copy named after the other split', { dataset: 'GAIA/test', source: null, groups: VALIDATION }, null],
  ['the sample', { dataset: 'sample', source: { uri: 'evals/gaia/sample' }, groups: groups(10, 10, 10) }, null],
  ['nothing', { dataset: 'GAIA/validation', source: HUB, groups: [] }, null],
])('%s is recognised as it should be', (_, asked, split) => {
  expect(recogniseFullSplit(asked)).toBe(split);
});

test('every reference figure is a rate with a source and a month', () => {
  for (const { accuracy, source, date } of REFERENCE_FIGURES) {
    expect(accuracy).toBeGreaterThan(0);
    expect(accuracy).toBeLessThanOrEqual(1);
    expect(source).not.toBe('');
    expect(date).toMatch(/^20\d\d-(0[1-9]|1[0-2])$/);
  }
});

test('a split is not held against figures of the other', () => {
  expect(referencesFor('validation').filter(({ split }) => split === 'test')).toEqual([]);
  expect(referencesFor('test').filter(({ split }) => split === 'validation')).toEqual([]);
});
