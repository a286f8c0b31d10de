import { realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { readConfig } from '../settings.ts';
import { findRun, resolveReplays } from './find-run.ts';

const [FIRST, SECOND, DRY] = [
  '20260101T000000Z-a',
  '20260101T120000Z-b',
  '20260102T000000Z-dry',
] as const;

/** An EVAL_DIR with two runs and a dry run, which has no results. */
function makeDir(): string {
  const rows = Object.fromEntries(
    [FIRST, SECOND].map((run) => [`runs/${run}/samples.jsonl`, '{}\n']),
  );
  return realpathSync(makeFolder({ ...rows, [`runs/${DRY}/samples.jsonl`]: '' }));
}

test.each([
  ['the newest run with results for latest', () => 'latest', SECOND],
  ['a path', (dir: string) => join(dir, 'runs', FIRST), FIRST],
  ['the target of a link, since "latest" will change', (dir: string) => join(dir, 'latest'), FIRST],
  ['a name', () => SECOND, SECOND],
  ['the name of a run without results, which its reader then refuses', () => DRY, DRY],
  ['the beginning of one name', () => '20260101T12', SECOND],
  ['a name that is cut in the middle, as a table shows it', () => '2026…T12…-b', SECOND],
  ['the end of one name', () => '…0Z-a', FIRST],
])('takes %s', (_rule, toText, expected) => {
  const dir = makeDir();
  symlinkSync(join('runs', FIRST), join(dir, 'latest'));
  expect(findRun(toText(dir), dir, 'A')).toBe(join(dir, 'runs', expected));
});

test.each([
  [
    'several begin with it',
    '20260101T',
    'A must name one run, but 2 runs begin with "20260101T". Write more of the name',
  ],
  [
    'a wrong path',
    'run/20260101T000000Z-a',
    `got "run/20260101T000000Z-a". Did you mean ${FIRST}?`,
  ],
  ['a name of no run', 'nope', `got "nope". The newest is ${SECOND}.`],
  [
    'a wrong name',
    '20260101T120000Z-bb',
    `A must be an earlier run (its folder or name), or latest, got`,
  ],
])('refuses what names no single run (%s)', (_rule, text, message) => {
  expect(() => findRun(text, makeDir(), 'A')).toThrow(message);
});

test('says where runs are expected if there is none', () => {
  const none = makeFolder();
  expect(() => findRun('latest', none, 'A')).toThrow(
    `got "latest". No run in ${none}/runs has results yet.`,
  );
});

test('EVAL_AGENT=replay:latest replays the newest run, under the name that was given', () => {
  const dir = makeDir();
  const { agents } = resolveReplays(readConfig({ EVAL_DIR: dir, EVAL_AGENT: 'replay:latest' }));
  const target = join(dir, 'runs', SECOND);
  expect(agents).toEqual([{ kind: 'replay', target, text: 'replay:latest' }]);
});
