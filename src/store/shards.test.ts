import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { makeShard, makeShards } from '../../test/make-shards.ts';
import { RunWriter } from './run-writer.ts';
import { findGaps, nameShards, pickShards } from './shards.ts';

/** The names of the runs that are picked of these folders, and what is said of the others. */
function pick(folders: readonly string[]) {
  const { runs, notes } = pickShards(folders);
  return { names: runs.map(({ manifest }) => manifest.run), notes };
}

describe('the shards of a merge', () => {
  test('come in any order, and a folder that is named twice counts once', () => {
    const [first = '', second = ''] = makeShards(2);
    const { names, notes } = pick([second, first, second]);
    expect([names, notes]).toEqual([
      ['20260101T000000Z-a-shard-1-of-2', '20260101T000000Z-a-shard-2-of-2'],
      [],
    ]);
  });

  test('are the newest run of each, whatever its name, and the others are named', () => {
    const [first = '', second = ''] = makeShards(2);
    const name = '0-a-shard-2-of-2';
    const again = makeShard(2, 2, { name, manifest: { created_at: '2026-01-02T00:00:00Z' } });
    expect(pick([again, first, second])).toEqual({
      names: ['20260101T000000Z-a-shard-1-of-2', name],
      notes: [`shard 2 of 2: ${name} counts; left out 20260101T000000Z-a-shard-2-of-2`],
    });
  });

  test('of copies of one run are named by their paths', () => {
    const [one = '', other = ''] = [1, 2].map(() => makeShards(1)[0]);
    const { notes } = pick([one, other]);
    for (const folder of [one, other]) expect(notes.join()).toContain(folder);
  });

  test('are left alone by runs that are no shard, which are named', () => {
    const dir = makeFolder();
    const shards = makeShards(2, dir);
    const make = (name: string, manifest: object, suite = {}) =>
      makeShard(1, 2, { dir, name, manifest, suite });
    const whole = { shard: null };
    const others = [
      make('1-merged', { merged_from: ['20260101T000000Z-a-shard-1-of-2'] }, whole),
      make('1-whole', {}, whole),
      make('2-a-shard-1-of-2', { config: { dryRun: true } }),
    ];
    expect(pick([...others, ...shards])).toEqual({
      names: ['20260101T000000Z-a-shard-1-of-2', '20260101T000000Z-a-shard-2-of-2'],
      notes: [
        'left out: 1-merged (merged already), 1-whole (a whole run), 2-a-shard-1-of-2 (a dry run)',
      ],
    });
  });

  test('are known by their names if they were killed before they planned anything', () => {
    const [first = ''] = makeShards(2);
    const name = '20260101T000000Z-b-shard-2-of-2-3';
    const killed = makeShard(2, 2, { name, isPlanned: false });
    expect(pick([killed, first]).names).toEqual(['20260101T000000Z-a-shard-1-of-2', name]);
  });

  test('are not replaced by newer runs that were killed before they planned anything', () => {
    const shards = makeShards(2);
    const name = '20260102T000000Z-a-shard-2-of-2';
    const manifest = { created_at: '2026-01-02T00:00:00Z' };
    const killed = makeShard(2, 2, { name, manifest, isPlanned: false });
    expect(pick([killed, ...shards]).names).toEqual([
      '20260101T000000Z-a-shard-1-of-2',
      '20260101T000000Z-a-shard-2-of-2',
    ]);
  });
});

test.each([
  [
    'a folder without a manifest',
    () => [makeFolder()],
    /viva-\w+ is not a run: it has no manifest\.json\. Name the run folders of the shards, as in \.evals\/runs\/\*\.$/,
  ],
  [
    'a run of another format',
    () => {
      const [folder = ''] = makeShards(1);
      new RunWriter(folder).manifest({ version: 2 } as never);
      return [folder];
    },
    /manifest\.json: version must be 1, got 2\. .+read it with the version of viva that wrote it\.$/,
  ],
  [
    'whole runs alone',
    () => [makeShard(1, 1, { name: '1-whole', suite: { shard: null } })],
    'There is no shard to merge. Left out: 1-whole (a whole run).\nRun the evals with --shard=1/2',
  ],
  [
    'shards of two splits',
    () => [...makeShards(2), ...makeShards(4).slice(2)],
    /^These are shards of different splits: of 2 \(20260101T000000Z-a-shard-1-of-2, 20260101T000000Z-a-shard-2-of-2\) and of 4 \(20260101T000000Z-a-shard-3-of-4, 20260101T000000Z-a-shard-4-of-4\)\.\nName the shards of one split\.$/,
  ],
  [
    'shards of two agents',
    () => {
      const dir = makeFolder();
      const suite = { agents: ['b'] };
      const manifest = { created_at: '2026-01-02T00:00:00Z' };
      const other = makeShard(1, 2, { dir, name: '1-b-shard-1-of-2', suite, manifest });
      return [...makeShards(2, dir).slice(0, 1), other];
    },
    'These are shards of several runs: 20260101T000000Z-a-shard-1-of-2 has mcq by a, and 1-b-shard-1-of-2, which is newer, has not.\nName the shards of one run.',
  ],
])('refused: %s', (_, make, message) => {
  expect(() => pickShards(make())).toThrow(message);
});

const KILLED = { end: null };
const STOPPED = { end: { stop: 'interrupted' as const } };

test.each([
  ['none of a whole split', 3, {}, [1, 2, 3], []],
  ['one that is missing', 3, {}, [1, 3], ['shard 2 of 3 is missing: run it and merge again']],
  ['several', 4, {}, [2], ['shards 1, 3 and 4 of 4 are missing: run them and merge again']],
  [
    'one that was killed',
    2,
    { 2: KILLED },
    [1, 2],
    ['shard 2 of 2 did not end (refused, killed or still running): run it again and merge again'],
  ],
  [
    'one that was interrupted',
    2,
    { 1: STOPPED },
    [1, 2],
    ['shard 1 of 2 was interrupted: run it again and merge again'],
  ],
  ['none where no question is left for a shard', 9, {}, [1, 2, 3, 4, 5, 6], []],
])('the gaps of a merge: %s', (_, count, facts, given, gaps) => {
  const own: Readonly<Record<number, object>> = facts;
  const folders = given.map((index) => makeShard(index, count, own[index]));
  expect(findGaps(pickShards(folders).runs)).toEqual(gaps);
});

test('many shards are not all named', () => {
  const shards = Array.from({ length: 30 }, (_, place) => place + 1);
  expect(nameShards(shards, 40)).toBe('shards 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 20 more of 40');
});
