import { expect, it } from 'vitest';
import { nameDataset, nameGroups } from './describe-dataset.ts';

it.each([
  ['/x/GAIA/2023/validation/metadata.jsonl', 'GAIA/validation'],
  ['/x/set/data/test.jsonl', 'set/test'],
  ['/x/common_questions.json', 'common_questions'],
  ['/validation/metadata.jsonl', 'validation'],
  [`/h/datasets--o--GAIA/snapshots/${'0a'.repeat(20)}/2023/test/metadata.jsonl`, 'GAIA/test'],
])('calls %s "%s"', (file, name) => {
  expect(nameDataset(file)).toBe(name);
});

it.each([
  ['/x/sample.csv', 'x/sample'],
  ['/sample.csv', 'file/sample'],
])('never calls %s "sample", which is the name of the committed samples', (file, name) => {
  expect(nameDataset(file)).toBe(name);
});

it.each<[readonly (string | null)[], readonly string[]]>([
  [
    [null, null],
    ['all', 'all'],
  ],
  [
    ['all', 'All', null],
    ['all', 'all', 'all'],
  ],
  [
    ['x', 'all'],
    ['x', 'group all'],
  ],
  [
    ['x', 'all', null],
    ['x', 'group all', 'no group'],
  ],
])('groups records that say %j', (names, groups) => {
  expect(nameGroups(names, 'group')).toEqual(groups);
});
