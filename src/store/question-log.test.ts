import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import type { Sample } from '../types.ts';
import { readQuestions, toQuestionFile, writeQuestions } from './question-log.ts';

const sample: Sample = {
  id: 'a',
  suite: 'mcq',
  input: 'Which?',
  target: 'B',
  group: 'all',
  attachments: [],
  metadata: {},
};

test('keeps options under the labels of the dataset, in the order of their presentation', () => {
  const folder = makeFolder();
  const presentation = { seed: 1, ownLabels: { A: 'B', B: 'A' } };
  writeQuestions(folder, 'mcq', [{ ...sample, choices: { A: 'iron', B: 'gold' }, presentation }]);
  expect(readQuestions(folder, 'mcq').get('a')).toEqual({
    id: 'a',
    input: 'Which?',
    choices: [
      ['B', 'iron'],
      ['A', 'gold'],
    ],
  });
});

test('keeps names of files and accepted answers, and no other metadata', () => {
  const folder = makeFolder();
  const attachments = [{ name: 'x.csv', path: '/data/x.csv' }];
  const metadata = { Steps: 'the solution', aliases: ['NYC', 7, 'New York'] };
  writeQuestions(folder, 'gaia', [{ ...sample, attachments, metadata }]);
  expect(readQuestions(folder, 'gaia').get('a')).toEqual({
    id: 'a',
    input: 'Which?',
    attachments: ['x.csv'],
    accepted: ['NYC', 'New York'],
  });
});

test('a suite name cannot leave the folder', () => {
  expect(toQuestionFile('/run', '../../x')).toBe('/run/questions-x.json');
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
