import { mkdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toTrials } from '../../src/figures/result.fixture.ts';
import { readManifest } from '../../src/store/manifest.ts';
import { BEGUN } from '../../src/store/run-end.ts';
import { RunWriter } from '../../src/store/run-writer.ts';
import { makeFolder } from '../../test/make-folder.ts';
import { CONDITIONS, makeRun } from '../../test/make-run.ts';
import { isLiveRun, isRunName, listRunNames, readRunEntry } from './run-list.ts';

const ROWS = [...toTrials('q', '+'), ...toTrials('r', '-')];

/** A run that has not ended, whose files were last written so many seconds ago. */
function makeOpenRun(secondsAgo: number, deadline: number) {
  const conditions = [{ ...CONDITIONS, deadlines: [['all', deadline]] as const }];
  const folder = makeRun(ROWS, { suite: { conditions } });
  new RunWriter(folder).end(BEGUN);
  const time = Date.now() / 1000 - secondsAgo;
  for (const name of ['manifest.json', 'samples.jsonl', 'end.json'])
    utimesSync(join(folder, name), time, time);
  return folder;
}

describe('a run without an end', () => {
  test.each([
    [5, 60, true],
    [100, 60, true],
    [200, 60, false],
    // A question of GAIA's level 3 may take ten minutes.
    [500, 600, true],
    [700, 600, false],
  ])('that wrote %d s ago, with a deadline of %d s, goes on: %s', (ago, deadline, isLive) => {
    const folder = makeOpenRun(ago, deadline);
    expect(isLiveRun(folder, readManifest(folder))).toBe(isLive);
    expect(readRunEntry(folder).state).toBe(isLive ? 'running' : 'stopped');
  });

  test('that has ended does not', () => {
    const folder = makeRun(ROWS, { end: {} });
    expect(isLiveRun(folder, readManifest(folder))).toBe(false);
    expect(readRunEntry(folder)).toMatchObject({
      state: 'finished',
      variants: [{ suite: 'gaia', all: { n: 2, accuracy: 0.5 } }],
      gates: [0, 0],
    });
  });
});

test('runs are listed from the newest, without what is no run', () => {
  const dir = makeFolder({ 'file.txt': '' });
  for (const name of ['20260101T000000Z-a', '20260102T000000Z-a']) makeRun(ROWS, { dir, name });
  mkdirSync(join(dir, 'empty'));
  expect(listRunNames(dir)).toEqual(['20260102T000000Z-a', '20260101T000000Z-a']);
  expect(listRunNames(join(dir, 'nowhere'))).toEqual([]);
});

test.each([
  ['20260102T000000Z-a.b_c-2', true],
  ['..', false],
  ['.', false],
  ['', false],
  ['a/b', false],
  ['a\\b', false],
  ['a\u0000', false],
])('%j may be the name of a run: %s', (name, may) => {
  expect(isRunName(name)).toBe(may);
});
