import { execFileSync } from 'node:child_process';
import {
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { MANIFEST } from '../../test/make-run.ts';
import { toResult } from '../figures/result.fixture.ts';
import { STEP, toSample } from '../words/types.fixture.ts';
import { readQuestions, readRunName, toQuestionFile, toTracePath } from './run-folder.ts';
import { RunWriter } from './run-writer.ts';

const now = new Date('2026-11-21T00:24:05.123Z');

type Part = Parameters<typeof RunWriter.begin>[1]['part'];

/** Begins a run, and returns its folder. */
function begin(dir: string, agents: readonly string[], part: Part = null): string {
  return RunWriter.begin(dir, { agents, now, part }, () => MANIFEST).folder;
}

test('names the folder by time and agent, and points latest at it only when told', () => {
  const dir = makeFolder();
  const folder = begin(dir, ['replay']);
  expect(folder).toBe(join(dir, 'runs', '20261121T002405Z-replay'));
  expect(existsSync(join(dir, 'latest'))).toBe(false);
  new RunWriter(folder).makeLatest();
  expect(readlinkSync(join(dir, 'latest'))).toBe('runs/20261121T002405Z-replay');
  new RunWriter(begin(dir, ['other'])).makeLatest();
  expect(readlinkSync(join(dir, 'latest'))).toBe('runs/20261121T002405Z-other');
});

test.each([
  [['replay:../../etc/passwd'], 'replay-..-..-etc-passwd'],
  [['openai:gpt-5?temperature=0', 'replay'], 'openai-gpt-5-temperature-0-replay'],
  [['../..'], 'agent'],
  [['x'.repeat(300)], 'x'.repeat(60)],
  // Devices of Windows.
  [['nul'], 'nul-'],
  [['CON.txt'], 'CON-.txt'],
  [['console'], 'console'],
])('makes a safe folder name of %j', (agents, slug) => {
  expect(basename(begin(makeFolder(), agents))).toBe(`20261121T002405Z-${slug}`);
});

test('gives runs of the same second a folder each, and removes runs/ with the last one', () => {
  const dir = makeFolder();
  const folders = [1, 2].map(() => begin(dir, ['replay']));
  expect(readdirSync(join(dir, 'runs'))).toEqual([
    '20261121T002405Z-replay',
    '20261121T002405Z-replay-2',
  ]);
  for (const folder of folders) new RunWriter(folder).remove();
  expect(readdirSync(dir)).toEqual([]);
});

test.each([
  ['/proc/nope', 'its folder does not exist (ENOENT). Make that folder'],
  ['file', 'a file is where a folder is needed (ENOTDIR). Move that file away'],
  ['loop', 'symbolic links in its path form a loop (ELOOP). Correct them'],
  ['x'.repeat(300), 'the path is too long (ENAMETOOLONG). Use a shorter one'],
])('says why the run folder cannot be made in %s, and does not wait', (name, problem) => {
  const folder = makeFolder({ file: '' });
  symlinkSync('loop', join(folder, 'loop'));
  const dir = resolve(folder, name);
  const run = join(dir, 'runs/20261121T002405Z-replay');
  expect(() => begin(dir, ['replay'])).toThrow(
    `The run folder cannot be made: ${run}: ${problem}, or set EVAL_DIR to another folder.`,
  );
});

test('names a shard, so that shards of different machines can be brought together', () => {
  const names = [1, 2].map((index) =>
    basename(begin(makeFolder(), ['replay'], { index, count: 2 })),
  );
  expect(names).toEqual([
    '20261121T002405Z-replay-shard-1-of-2',
    '20261121T002405Z-replay-shard-2-of-2',
  ]);
});

test.each([
  [null, 'a-shard-1', null],
  [{ index: 3, count: 12 }, 'a-shard-1', { index: 3, count: 12 }],
  ['merged', 'a-shard-1-merged', null],
] as const)('a folder of %j is read as %s and %j, also beside another', (part, agents, shard) => {
  const dir = makeFolder();
  const names = [1, 2].map(() => basename(begin(dir, ['a shard 1'], part)));
  const [first = '', second = ''] = names;
  expect(readRunName(first)).toEqual({ agents, shard });
  expect(readRunName(second).shard).toEqual(shard);
});

const key = { suite: 'gaia', agent: 'openai:m?temperature=0', id: 'q 1', trial: 2 };

describe('a trace', () => {
  test.each(['../../etc/passwd', '..', '/', '\u0000', 'a'.repeat(500)])(
    'stays in its folder for the id %j',
    (id) => {
      expect(toTracePath({ ...key, id, suite: id, agent: id })).toMatch(
        /^traces\/[\w.-]{1,60}\/[\w.-]{1,60}\/[\w.-]{1,80}$/,
      );
      expect(toTracePath({ ...key, id, suite: id, agent: id })).not.toContain('..');
    },
  );

  test('contains the steps and the result', () => {
    const folder = makeFolder();
    const steps = [{ ...STEP, text: 'x' }];
    const result = toResult('correct', { id: 'q1' });
    new RunWriter(folder).trace(result, { steps });
    const written: unknown = JSON.parse(readFileSync(join(folder, toTracePath(result)), 'utf8'));
    expect(written).toMatchObject({
      version: 1,
      id: 'q1',
      state: result.state,
      output: result.output,
      steps,
    });
    expect(written).not.toHaveProperty('target');
  });
});

test('keeps what was shown of a question, and nothing of its metadata', () => {
  const folder = makeFolder();
  const presentation = { seed: 1, ownLabels: { A: 'B', B: 'A' } };
  const attachments = [{ name: 'x.csv', path: '/data/x.csv' }];
  const metadata = { Steps: 'the solution', aliases: ['NYC', 7, 'New York'] };
  const choices = { A: 'iron', B: 'gold' };
  new RunWriter(folder).questions('../../mcq', [
    toSample({ input: 'Which?', choices, presentation, attachments, metadata }),
  ]);
  expect(readQuestions(folder, '../../mcq').get('a')).toEqual({
    id: 'a',
    input: 'Which?',
    choices: [
      ['B', 'iron'],
      ['A', 'gold'],
    ],
    labels: ['A', 'B'],
    attachments: ['x.csv'],
  });
  expect(readdirSync(folder)).toEqual(['questions-mcq.json']);
});

test('a run without the file, with a torn one or a pipe, has no questions', () => {
  const folder = makeFolder();
  expect(readQuestions(folder, 'gaia').size).toBe(0);
  writeFileSync(join(folder, toQuestionFile('gaia')), '{"version": 1, "ques');
  expect(readQuestions(folder, 'gaia').size).toBe(0);
  writeFileSync(join(folder, toQuestionFile('gaia')), 'null');
  expect(readQuestions(folder, 'gaia').size).toBe(0);
  execFileSync('mkfifo', [join(folder, toQuestionFile('mcq'))]);
  expect(readQuestions(folder, 'mcq').size).toBe(0);
});
