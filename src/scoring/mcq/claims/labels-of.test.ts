import { expect, it } from 'vitest';
import type { ClaimValue } from './claim.ts';
import { labelsOf } from './labels-of.ts';

it.each<readonly [ClaimValue, readonly string[]]>([
  [{ kind: 'labels', labels: ['A', 'C'] }, ['A', 'C']],
  [{ kind: 'hedge', labels: ['A', 'B'] }, ['A', 'B']],
  [{ kind: 'mismatch', labels: ['D'] }, ['D']],
  [{ kind: 'none' }, []],
])('names the labels that a claim is about: %j', (value, labels) => {
  expect(labelsOf({ value, start: 0, end: 1, by: 'label' })).toEqual(labels);
});
