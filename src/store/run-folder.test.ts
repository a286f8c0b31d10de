import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { toResult } from '../metrics/result.fixture.ts';
import { STEP, toSample } from '../types.fixture.ts';
import {
  createRunFolder,
  linkLatest,
  readQuestions,
  removeRunFolder,
  toQuestionFile,
  toTracePath,
  writeQuestions,
  writeTrace,
} from './run-folder.ts';

const now = new Date('2026-11-21T00:24:05.123Z');

test('names the folder by time and agent, and points latest at it only when told', () => {
  const dir = makeFolder();
  const folder = createRunFolder(dir, ['replay'], now);
  expect(folder).toBe(join(dir, 'runs', '20261121T002405Z-replay'));
  expect(existsSync(join(dir, 'latest'))).toBe(false);
  linkLatest(folder);
  expect(readlinkSync(join(dir, 'latest'))).toBe('runs/20261121T002405Z-replay');
  linkLatest(createRunFolder(dir, ['other'], now));
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
  expect(basename(createRunFolder(makeFolder(), agents, now))).toBe(`20261121T002405Z-${slug}`);
});

test('gives runs of the same second a folder each, and removes runs/ with the last one', () => {
  const dir = makeFolder();
  const folders = [1, 2].map(() => createRunFolder(dir, ['replay'], now));
  expect(readdirSync(join(dir, 'runs'))).toEqual([
    '20261121T002405Z-replay',
    '20261121T002405Z-replay-2',
  ]);
  for (const folder of folders) removeRunFolder(folder);
  expect(readdirSync(dir)).toEqual([]);
});

test('says which folder cannot be made, and does not wait below /proc', () => {
  expect(() => createRunFolder('/proc/nope', ['replay'], now)).toThrow(
    'The run folder cannot be made: /proc/nope/runs',
  );
  const file = join(makeFolder(), 'file');
  writeFileSync(file, '');
  expect(() => createRunFolder(file, ['replay'], now)).toThrow(
    `The run folder cannot be made: ${join(file, 'runs', '20261121T002405Z-replay')}. Make it writable or set EVAL_DIR`,
  );
});

test('names a shard, so that shards of different machines can be brought together', () => {
  const names = [1, 2].map((index) =>
    basename(createRunFolder(makeFolder(), ['replay'], now, { index, count: 2 })),
  );
  expect(names).toEqual([
    '20261121T002405Z-replay-shard-1-of-2',
    '20261121T002405Z-replay-shard-2-of-2',
  ]);
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
    writeTrace(folder, result, { steps });
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
  writeQuestions(folder, '../../mcq', [
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
  writeFileSync(toQuestionFile(folder, 'gaia'), '{"version": 1, "ques');
  expect(readQuestions(folder, 'gaia').size).toBe(0);
  writeFileSync(toQuestionFile(folder, 'gaia'), 'null');
  expect(readQuestions(folder, 'gaia').size).toBe(0);
  execFileSync('mkfifo', [toQuestionFile(folder, 'mcq')]);
  expect(readQuestions(folder, 'mcq').size).toBe(0);
});
