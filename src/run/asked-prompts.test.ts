import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { readConfig } from '../settings.ts';
import { makeLane } from './lanes.fixture.ts';
import { checkPrompted } from './lanes.ts';
import { choosePrompts, readAskedPrompts } from './prompt.ts';

/** The prompt that a suite has without EVAL_PROMPT. */
const readOwn = () => ({
  prompts: [{ text: 'Own {{question}}', hash: 'own', name: 'inline' }],
  files: [],
});

const folder = () =>
  makeFolder({
    'a.md': 'A {{question}}',
    'b.md': 'B {{question}}',
    'v2/a.md': 'C {{question}}',
    'none.md': 'D',
  });

function read(setting: string, suites: readonly string[]) {
  const dir = folder();
  const paths = readConfig({ EVAL_PROMPT: setting }).prompts ?? [];
  const here = paths.map(({ suite, path }) => ({
    suite,
    path: path === 'own' ? path : join(dir, path),
  }));
  return readAskedPrompts(here, suites, suites.length === 1);
}

test.each<[string, readonly string[], string, readonly string[]]>([
  ['a.md', ['gaia'], 'gaia', ['a.md']],
  ['a.md,b.md', ['gaia'], 'gaia', ['a.md@128838b7', 'b.md@e097e1b1']],
  ['gaia=a.md,gaia=b.md,mcq=a.md', ['gaia', 'mcq'], 'gaia', ['a.md@128838b7', 'b.md@e097e1b1']],
  ['gaia=a.md', ['gaia', 'mcq'], 'mcq', ['inline']],
  ['own', ['gaia'], 'gaia', ['own']],
  ['gaia=own,gaia=b.md', ['gaia', 'mcq'], 'gaia', ['own@1558237b', 'b.md@e097e1b1']],
])('EVAL_PROMPT=%s where %j run gives %s its prompts', (setting, suites, suite, names) => {
  const { prompts, files } = choosePrompts(read(setting, suites), suite, readOwn);
  expect(prompts.map(({ name, label }) => label ?? name)).toEqual(names);
  expect(files.length).toBe(names.filter((name) => name.includes('.md')).length);
});

test('own is the prompt of the suite, and ./own a file of that name', () => {
  const before = process.cwd();
  process.chdir(makeFolder({ own: 'File {{question}}' }));
  try {
    const ask = (path: string) => readAskedPrompts([{ suite: null, path }], ['gaia'], true);
    expect(choosePrompts(ask('own'), 'gaia', readOwn).prompts[0]?.text).toBe('Own {{question}}');
    expect(choosePrompts(ask('./own'), 'gaia', readOwn).prompts[0]?.text).toBe('File {{question}}');
  } finally {
    process.chdir(before);
  }
});

test('the paths tell prompts with the same file name apart', () => {
  const { prompts } = choosePrompts(read('a.md,v2/a.md', ['gaia']), 'gaia', readOwn);
  expect(prompts.map(({ name }) => name)).toEqual([
    expect.stringMatching(/\/a\.md$/),
    expect.stringMatching(/\/v2\/a\.md$/),
  ]);
});

test.each<[string, readonly string[], RegExp]>([
  [
    'gone.md',
    ['gaia'],
    /^EVAL_PROMPT: ".+gone\.md" is not a file\. Write its path relative to the working directory, or "own" for the suite's own prompt\.$/,
  ],
  ['none.md', ['gaia'], /^The prompt of \S+none\.md has no \{\{question\}\}/],
  [
    'gaja=a.md',
    ['gaia', 'mcq'],
    /^EVAL_PROMPT: no suite named "gaja" runs\. The suites are gaia, mcq\. Write the name of a suite before the path, as in EVAL_PROMPT=gaia=.+a\.md\.$/,
  ],
  [
    'a.md',
    ['gaia', 'mcq'],
    /^EVAL_PROMPT: several suites run, and ".+a\.md" names none\. The suites are gaia, mcq\. .+EVAL_PROMPT=gaia=.+a\.md\.$/,
  ],
])('EVAL_PROMPT=%s is refused where %j run', (setting, suites, message) => {
  expect(() => read(setting, suites)).toThrow(message);
});

test('recorded answers take no other prompt', () => {
  const lanes = [
    makeLane({ agent: { name: 'asked', fingerprint: 'f' } }),
    makeLane({ agent: { name: 'replay' } }),
  ];
  expect(() => checkPrompted(lanes, true)).toThrow(
    'EVAL_PROMPT: replay repeats recorded answers and is not asked.',
  );
  expect(() => checkPrompted(lanes, false)).not.toThrow();
  expect(() => checkPrompted(lanes.slice(0, 1), true)).not.toThrow();
});
