import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { MANIFEST, PLANNED } from '../../test/make-run.ts';
import {
  listPlannedTrials,
  readManifest,
  recordJudge,
  recordSuite,
  type SuiteManifest,
  writeManifest,
} from './manifest.ts';

function suite(name: string, ids: readonly string[]): SuiteManifest {
  return { ...PLANNED, suite: name, ids, groups: ids.map(() => 'all') };
}

describe('a manifest', () => {
  test('takes a suite after the other, and the latest of each', () => {
    const folder = makeFolder();
    writeManifest(folder, MANIFEST);
    for (const each of [suite('gaia', ['a']), suite('mcq', ['b']), suite('gaia', ['a', 'c'])])
      recordSuite(folder, each);
    expect(readManifest(folder).suites.map(({ suite, ids }) => [suite, ids])).toEqual([
      ['mcq', ['b']],
      ['gaia', ['a', 'c']],
    ]);
  });

  test('has the latest of each judge: in watch mode its code may have changed', () => {
    const folder = makeFolder();
    writeManifest(folder, { ...MANIFEST, suites: [suite('gaia', ['a'])] });
    for (const fingerprint of ['old', 'new'])
      recordJudge(folder, 'gaia', { judge: 'j', fingerprint, prompt_hash: 'p' });
    expect(readManifest(folder).suites[0]?.judges).toEqual([
      { judge: 'j', fingerprint: 'new', prompt_hash: 'p' },
    ]);
  });

  test('of another version is refused', () => {
    const folder = makeFolder({ 'manifest.json': '{"version": 2, "suites": []}' });
    expect(() => readManifest(folder)).toThrow(/is not of version 1\./);
  });

  test('is not waited for when it is a pipe', () => {
    const folder = makeFolder();
    execFileSync('mkfifo', [join(folder, 'manifest.json')]);
    expect(() => readManifest(folder)).toThrow(
      'manifest.json must be a file, got a device or pipe.',
    );
  });
});

test.each([
  ['one prompt, as older manifests have', undefined, [[undefined, 'p']]],
  ['one prompt', [['0123456789abcdef', 'a.md']], [[undefined, 'p']]],
  [
    'several prompts',
    [
      ['0123456789abcdef', 'a.md'],
      ['fedcba9876543210', 'b.md'],
    ],
    [
      ['a.md@01234567', '0123456789abcdef'],
      ['b.md@fedcba98', 'fedcba9876543210'],
    ],
  ],
])('the trials of a suite with %s', (_, given, expected) => {
  const prompts = given?.map(([hash = '', name = '']) => ({ hash, name, file: '' }));
  const entry = { ...suite('gaia', ['a']), ...(prompts === undefined ? {} : { prompts }) };
  expect(
    listPlannedTrials({ ...MANIFEST, suites: [entry] }).map(({ prompt, prompt_hash }) => [
      prompt,
      prompt_hash,
    ]),
  ).toEqual(expected);
});
