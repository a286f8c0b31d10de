import { expect, it } from 'vitest';
import { toTrials } from './result.fixture.ts';
import { summarize } from './summarize.ts';

/** The macro accuracy of groups given as name and marks, one question a mark. */
function computeMacro(groups: readonly (readonly [string, string])[]) {
  const results = groups.flatMap(([group, marks]) =>
    [...marks].flatMap((mark, index) => toTrials(`${group}-${index}`, mark, { group })),
  );
  return summarize(results).suites[0]?.macro_accuracy;
}

it.each<[string, [string, string][], number | null]>([
  [
    'the mean of the levels, whatever their size',
    [
      ['level 1', '+'],
      ['level 2', '+---'],
      ['level 3', '+-'],
    ],
    1.75 / 3,
  ],
  [
    'null when a level is absent',
    [
      ['level 1', '+'],
      ['level 3', '+-'],
    ],
    null,
  ],
  [
    'null when a level is incomplete',
    [
      ['level 1', '+'],
      ['level 2', '+.'],
      ['level 3', '+-'],
    ],
    null,
  ],
  [
    'null when a level is ungraded',
    [
      ['level 1', '+'],
      ['level 2', 'u'],
      ['level 3', '+-'],
    ],
    null,
  ],
  [
    'the mean of two subjects',
    [
      ['law', '+'],
      ['art', '-+'],
    ],
    0.75,
  ],
  ['null with one subject', [['law', '+']], null],
  ['null without subjects', [['all', '+-']], null],
  [
    'null for other levels than 1 to 3',
    [
      ['level 10', '+'],
      ['level 11', '+-'],
    ],
    null,
  ],
  [
    'the mean of names that hold a level',
    [
      ['level 1b', '+'],
      ['level 2b', '-'],
    ],
    0.5,
  ],
  [
    'the mean of names that end with a level',
    [
      ['my level 1', '+'],
      ['my level 2', '-'],
    ],
    0.5,
  ],
  [
    'the mean of any names that are not all levels',
    [
      ['level 1', '+'],
      ['art', '-'],
    ],
    0.5,
  ],
])('is %s', (_rule, groups, macro) => {
  expect(computeMacro(groups)).toEqual(macro === null ? null : expect.closeTo(macro, 12));
});
