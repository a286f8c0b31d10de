import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { MANIFEST, PLANNED, planned } from '../../test/make-run.ts';
import { readManifest, type SuiteManifest } from './manifest.ts';
import { listPlannedTrials } from './run-reader.ts';
import { RunWriter } from './run-writer.ts';

function suite(name: string, ids: readonly string[]): SuiteManifest {
  return { ...PLANNED, suite: name, questions: planned(ids) };
}

test('a manifest records one suite after another, and the latest version of each', () => {
  const folder = makeFolder();
  new RunWriter(folder).manifest(MANIFEST);
  for (const each of [suite('gaia', ['a']), suite('mcq', ['b']), suite('gaia', ['a', 'c'])])
    new RunWriter(folder).plan(each, []);
  const { suites } = readManifest(folder);
  expect(suites.map(({ suite, questions }) => [suite, questions.map(({ id }) => id)])).toEqual([
    ['mcq', ['b']],
    ['gaia', ['a', 'c']],
  ]);
});

test.each([
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
])('lists the planned trials of a suite with %s', (_, given, expected) => {
  const prompts = given.map(([hash = '', name = '']) => ({ hash, name, file: '' }));
  const entry = { ...suite('gaia', ['a']), prompts };
  expect(
    listPlannedTrials({ ...MANIFEST, suites: [entry] }).map(({ prompt, prompt_hash }) => [
      prompt,
      prompt_hash,
    ]),
  ).toEqual(expected);
});
