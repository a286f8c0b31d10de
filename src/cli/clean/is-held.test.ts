import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../test/make-folder.ts';
import { whyHeldIn } from './is-held.ts';

const HOUR_MS = 3_600_000;

/** An EVAL_DIR with three runs, of which `latest` may point to the second. */
function makeRuns(latest: boolean) {
  const dir = makeFolder();
  for (const name of ['one', 'two', 'three']) mkdirSync(join(dir, 'runs', name), { recursive: true });
  if (latest) symlinkSync(join('runs', 'two'), join(dir, 'latest'));
  return dir;
}

/** The runs that are held when all were written so long ago. */
function heldRuns(dir: string, baseline: string | undefined, agoMs: number): string[] {
  const whyHeld = whyHeldIn(dir, baseline);
  const writtenMs = Date.now() - agoMs;
  return ['one', 'two', 'three'].filter(
    (name) => whyHeld({ path: join(dir, 'runs', name), bytes: 1, writtenMs }) !== null,
  );
}

test('holds what latest points to', () => {
  expect(heldRuns(makeRuns(true), undefined, HOUR_MS)).toEqual(['two']);
});

test('holds whatever was written since that run began', () => {
  expect(heldRuns(makeRuns(true), undefined, -HOUR_MS)).toEqual(['one', 'two', 'three']);
});

test('holds nothing in a folder without latest', () => {
  expect(heldRuns(makeRuns(false), undefined, -HOUR_MS)).toEqual([]);
});

test('holds the baseline, also where a link names it', () => {
  const dir = makeRuns(false);
  symlinkSync(join(dir, 'runs', 'three'), join(dir, 'link'));
  expect(heldRuns(dir, join(dir, 'runs', 'one'), HOUR_MS)).toEqual(['one']);
  expect(heldRuns(dir, join(dir, 'link'), HOUR_MS)).toEqual(['three']);
});

test('holds nothing for a baseline that is not there', () => {
  expect(heldRuns(makeRuns(false), 'nowhere', HOUR_MS)).toEqual([]);
});

test('says why', () => {
  const dir = makeRuns(true);
  const whyHeld = whyHeldIn(dir, join(dir, 'runs', 'one'));
  const why = (name: string, writtenMs: number) => whyHeld({ path: join(dir, 'runs', name), bytes: 1, writtenMs });
  expect([why('two', 0), why('one', 0), why('three', Date.now() + HOUR_MS), why('three', 0)]).toEqual([
    'the latest run',
    'the baseline',
    'written since the latest run began',
    null,
  ]);
});
