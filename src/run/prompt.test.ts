import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { loadMcq } from '../data/load.ts';
import { shuffleChoices } from '../data/shuffle-choices.ts';
import { readConfig } from '../settings.ts';
import { toSample } from '../words/types.fixture.ts';
import { makeLane } from './lanes.fixture.ts';
import { checkPrompted } from './lanes.ts';
import {
  checkPrompt,
  choosePrompts,
  DEFAULT_PROMPT,
  fillPrompt,
  hashDataset,
  hashQuestion,
  readAskedPrompts,
  toQuestion,
} from './prompt.ts';
import { Workdir } from './workdir.ts';

const UNKNOWN = 'an unknown placeholder, ';
const NO_QUESTION =
  'no {{question}}, so every sample would be asked without its question. Write {{question}} where the question belongs.';

test.each([
  ['{{question}} {{target}}', `${UNKNOWN}"{{target}}". Use {{question}}, {{input}}, {{choices}}, `],
  ['{{question}} {{ toString }}', `${UNKNOWN}"{{ toString }}"`],
  ['Answer {question}', NO_QUESTION],
  ['Answer {{choices}}.', NO_QUESTION],
])('the prompt %j is refused', (prompt, problem) => {
  const check = () => checkPrompt(prompt, 'evals/a.eval.ts');
  expect(check).toThrow(`The prompt of evals/a.eval.ts has ${problem}`);
});

const sample = toSample({
  input: 'Pick {{choices}} or $& or $1',
  target: 'SECRET',
  choices: { A: 'one', B: 'two' },
  attachments: [{ name: 'a.txt', path: '/data/a.txt' }],
});

/** What an agent is asked, and what its answer is cached under, where a record has these fields. */
async function ask(fields: object) {
  const record = {
    id: 'q1',
    question: 'Which?',
    options: ['ant', 'bee', 'cow', 'All of the above'],
    ...fields,
  };
  const path = `${makeFolder({ 'q.json': JSON.stringify([record]) })}/q.json`;
  const dataset = await loadMcq({ path });
  const shuffled = dataset.samples.map((sample) => shuffleChoices(sample, 7)(1));
  const samples = [...dataset.samples, ...shuffled];
  const asked = samples.map((each) => [
    toQuestion(each, '{{question}} {{choices}}', new Workdir([])),
    hashQuestion(each),
  ]);
  return { targets: dataset.samples.map(({ target }) => target), text: JSON.stringify(asked) };
}

test.each([
  [{ answer: ['A', 'C'] }, 'A,C'],
  [{ answer: [1, 0, 1, 0] }, 'A,C'],
  [{ answer: 'NONE' }, 'NONE'],
])('a record with %j is asked as one with a single right option', async (fields, target) => {
  const [several, one] = [await ask(fields), await ask({ answer: 'B' })];
  expect(several.targets).toEqual([target]);
  expect(several.text).toBe(one.text);
  expect(several.text).not.toContain('multiple');
});

test('where the record says that several options may be right, the agent is told', async () => {
  const told = await ask({ answer: 'B', question_type: 'multiple answers' });
  expect(told.text).toContain('"multiple":true');
  expect(told.text).toBe((await ask({ answer: 'A,C', question_type: 'multiple answers' })).text);
});

describe('toQuestion', () => {
  test('fills each placeholder once and inserts its value unchanged', () => {
    const template = 'Q: {{question}}\n{{ choices }}\nFiles: {{attachments}} ({{group}})';
    const { prompt } = toQuestion(sample, template, new Workdir([]));
    expect(prompt).toBe(
      'Q: Pick {{choices}} or $& or $1\nA. one\nB. two\nFiles: attachment.txt (all)',
    );
  });

  test('a prompt may call the question by the name of its field', () => {
    expect(() => checkPrompt('{{input}}', 'a.eval.ts')).not.toThrow();
    expect(fillPrompt(sample, 'Q: {{ input }}')).toBe('Q: Pick {{choices}} or $& or $1');
  });

  test.each([
    ['the question and its options', sample, 'Pick {{choices}} or $& or $1\n\nA. one\nB. two'],
    ['the question alone', { ...sample, choices: {} }, 'Pick {{choices}} or $& or $1'],
  ])('without a prompt: %s', (_, asked, expected) => {
    expect(fillPrompt(asked, DEFAULT_PROMPT)).toBe(expected);
  });
});

test('the hash of a question depends on the question alone, that of a dataset on its targets too', () => {
  const other = { ...sample, target: 'other' };
  expect(hashQuestion(other)).toBe(hashQuestion(sample));
  expect(hashQuestion({ ...sample, input: 'other' })).not.toBe(hashQuestion(sample));
  expect(hashQuestion({ ...sample, choices: { A: 'two', B: 'one' } })).not.toBe(
    hashQuestion(sample),
  );
  expect(hashDataset([other])).not.toBe(hashDataset([sample]));
});

/** The prompt that a suite has without EVAL_PROMPT. */
const readSuitePrompt = () => ({
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

function readSetting(setting: string, suites: readonly string[]) {
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
  const { prompts, files } = choosePrompts(readSetting(setting, suites), suite, readSuitePrompt);
  expect(prompts.map(({ name, label }) => label ?? name)).toEqual(names);
  expect(files.length).toBe(names.filter((name) => name.includes('.md')).length);
});

test('own is the prompt of the suite, and ./own a file of that name', () => {
  const before = process.cwd();
  process.chdir(makeFolder({ own: 'File {{question}}' }));
  try {
    const ask = (path: string) => readAskedPrompts([{ suite: null, path }], ['gaia'], true);
    expect(choosePrompts(ask('own'), 'gaia', readSuitePrompt).prompts[0]?.text).toBe(
      'Own {{question}}',
    );
    expect(choosePrompts(ask('./own'), 'gaia', readSuitePrompt).prompts[0]?.text).toBe(
      'File {{question}}',
    );
  } finally {
    process.chdir(before);
  }
});

test('the paths tell prompts with the same file name apart', () => {
  const { prompts } = choosePrompts(readSetting('a.md,v2/a.md', ['gaia']), 'gaia', readSuitePrompt);
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
  expect(() => readSetting(setting, suites)).toThrow(message);
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
