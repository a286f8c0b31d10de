import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Sample } from '../words/sample.ts';
import { toSample } from '../words/types.fixture.ts';
import { matchesGlob, type Selection, selectSamples, shardSamples } from './selection.ts';

const samples = [
  sample('b1f0-11', 'level 1'),
  sample('a2c9-07', 'level 2'),
  sample('c3d8-42', 'level 1'),
  sample('d4e7-42', 'level 3'),
  sample('e5a6-99', 'level 2'),
];

describe('selectSamples', () => {
  it.each<[Selection, string]>([
    [{}, 'b1f0-11 a2c9-07 c3d8-42 d4e7-42 e5a6-99'],
    [{ levels: ['1'] }, 'b1f0-11 c3d8-42'],
    [{ levels: ['level 2', ' 3 '] }, 'a2c9-07 d4e7-42 e5a6-99'],
    [{ ids: ['*42'] }, 'c3d8-42 d4e7-42'],
    [{ levels: ['1'], ids: ['*-42'] }, 'c3d8-42'],
    [{ ids: ['*', '!a2c9-07', '!*42'] }, 'b1f0-11 e5a6-99'],
    [{ ids: ['!b1f0-11'], limit: 2 }, 'a2c9-07 c3d8-42'],
    [{ ids: ['!gone'], known: [...samples, sample('gone', 'level 1')], limit: 1 }, 'b1f0-11'],
    [{ limit: 2 }, 'b1f0-11 a2c9-07'],
    [{ levels: ['2', '3'], limit: 1 }, 'a2c9-07'],
  ])('%j selects %s', (selection, ids) => {
    expect(idsOf(selectSamples(samples, selection))).toBe(ids);
  });

  it('returns the same order for a seed in every version', () => {
    expect([7, 8].map((seed) => idsOf(selectSamples(samples, { seed })))).toEqual([
      'b1f0-11 a2c9-07 e5a6-99 c3d8-42 d4e7-42',
      'c3d8-42 b1f0-11 e5a6-99 a2c9-07 d4e7-42',
    ]);
  });

  it.each<[string, Selection, string]>([
    [
      'a level that no sample has',
      { levels: ['4'] },
      'The level filter "4" selects none of 5 samples. Choose from the levels present: "level 1", "level 2", "level 3".',
    ],
    [
      'an id that is nearly right',
      { ids: ['b1f0-12'] },
      'EVAL_IDS: "b1f0-12" matches none of 5 samples of own. The nearest id is "b1f0-11".',
    ],
    [
      'an id to leave out that none has',
      { ids: ['*', '!b1f0-12'] },
      'EVAL_IDS: "b1f0-12" matches none of 5 samples of own. The nearest id is "b1f0-11".',
    ],
    [
      'to leave out all',
      { ids: ['b*', '!*'] },
      'EVAL_IDS=b*,!* leaves out all of 5 samples. Name fewer after "!".',
    ],
    [
      'an id of another level',
      { levels: ['2'], ids: ['d4*'] },
      'EVAL_IDS: "d4*" matches none of 2 samples of own (after the level filter). The first ids: a2c9-07, e5a6-99.',
    ],
  ])('refuses %s', (_, selection, message) => {
    expect(() => selectSamples(samples, selection)).toThrow(new Error(message));
  });

  it('shuffles the same way whatever the order of the file', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(samples, { minLength: 5 }), fc.nat(), (shuffled, seed) => {
        expect(selectSamples(shuffled, { seed })).toEqual(selectSamples(samples, { seed }));
      }),
    );
  });
});

function sample(id: string, group: string): Sample {
  return toSample({ id, group });
}

function idsOf(selected: readonly Sample[]): string {
  return selected.map(({ id }) => id).join(' ');
}

it.each([
  [true, 'abc abc', ' ', '* ', 'a* abc', '*c abc', 'a*c* abcbd', 'a?c abc', '*b*b abab', '** x'],
  [false, 'abc abcd', '? ', 'a?c ac', 'a.c abc', '[ab] a', 'ABC abc', '*ab*b ab'],
])('a glob and a text match (%s): %j', (expected, ...pairs) => {
  const split = pairs.map((pair) => String(pair).split(' '));
  expect(split.map(([pattern = '', text = '']) => matchesGlob(pattern, text))).toEqual(
    pairs.map(() => expected),
  );
});

it('stays fast when many stars almost match', () => {
  expect(matchesGlob(`${'*a'.repeat(50)}b`, 'a'.repeat(10_000))).toBe(false);
});

const ids = fc.uniqueArray(
  fc.tuple(fc.string(), fc.constantFrom('level 1', 'level 2', 'level 3')),
  {
    selector: ([id]) => id,
  },
);
const counts = fc.integer({ min: 1, max: 12 });

describe('shardSamples', () => {
  it('puts every sample into exactly one shard, and splits the dataset and every group evenly', () => {
    fc.assert(
      fc.property(ids, counts, (pairs, count) => {
        const samples = pairs.map(([id, group]) => sample(id, group));
        const parts = shards(samples, count);
        expect(parts.flat()).toHaveLength(samples.length);
        expect(new Set(parts.flat())).toEqual(new Set(samples));
        expect(spread(parts.map((part) => part.length))).toBeLessThanOrEqual(1);
        for (const group of ['level 1', 'level 2', 'level 3']) {
          const sizes = parts.map((part) => part.filter((sample) => sample.group === group).length);
          expect(spread(sizes)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('sends a sample to the same shard whatever the order of the file, and keeps that order inside', () => {
    fc.assert(
      fc.property(ids, counts, (pairs, count) => {
        const samples = pairs.map(([id, group]) => sample(id, group));
        const reversed = samples.toReversed();
        expect(shards(reversed, count)).toEqual(
          shards(samples, count).map((part) => part.toReversed()),
        );
      }),
    );
  });
});

function shards(samples: readonly Sample[], count: number): (readonly Sample[])[] {
  return Array.from({ length: count }, (_, position) =>
    shardSamples(samples, { index: position + 1, count }),
  );
}

function spread(sizes: readonly number[]): number {
  return Math.max(...sizes) - Math.min(...sizes);
}
