import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { ONLY_POSIX } from '../../test/only-posix.ts';
import { readQuestions, toQuestionFile, toTracePath } from './run-folder.ts';

const key = { suite: 'gaia', agent: 'openai:m?temperature=0', id: 'q 1', trial: 2 };

test.each(['../../etc/passwd', '..', '/', '\u0000', 'a'.repeat(500)])(
  'a trace stays in its folder for the id %j',
  (id) => {
    expect(toTracePath({ ...key, id, suite: id, agent: id })).toMatch(
      /^traces\/[\w.-]{1,60}\/[\w.-]{1,60}\/[\w.-]{1,80}$/,
    );
    expect(toTracePath({ ...key, id, suite: id, agent: id })).not.toContain('..');
  },
);

test('a run without the file, with a torn one or a pipe, has no questions', ONLY_POSIX, () => {
  const folder = makeFolder();
  expect(readQuestions(folder, 'gaia').size).toBe(0);
  writeFileSync(join(folder, toQuestionFile('gaia')), '{"version": 1, "ques');
  expect(readQuestions(folder, 'gaia').size).toBe(0);
  writeFileSync(join(folder, toQuestionFile('gaia')), 'null');
  expect(readQuestions(folder, 'gaia').size).toBe(0);
  execFileSync('mkfifo', [join(folder, toQuestionFile('mcq'))]);
  expect(readQuestions(folder, 'mcq').size).toBe(0);
});
