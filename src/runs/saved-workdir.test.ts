import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { toResult } from '../metrics/result.fixture.ts';
import { saveWorkdir, toWorkspacePath } from './saved-workdir.ts';

const LIMITS = { bytes: 100, entries: 100, depth: 3 };
const LARGE = { 'large.bin': 'x'.repeat(101) };

test.each<[string, Readonly<Record<string, string>>, 'text' | null, Readonly<Record<string, string>>]>([
  [
    'as answer.agent.txt',
    { 'answer.txt': 'its own' },
    'text',
    { 'answer.txt': 'FINAL ANSWER: text\n', 'answer.agent.txt': 'its own' },
  ],
  [
    'as answer.agent.txt also where no answer was found, as it would be taken for that one',
    { 'answer.txt': 'its own' },
    null,
    { 'answer.agent.txt': 'its own' },
  ],
  [
    'under the first name that is free',
    { 'answer.txt': '1', 'answer.agent.txt': '2', 'answer.agent-2.txt': '3' },
    'text',
    {
      'answer.txt': 'FINAL ANSWER: text\n',
      'answer.agent.txt': '2',
      'answer.agent-2.txt': '3',
      'answer.agent-3.txt': '1',
    },
  ],
  [
    'as left-out.agent.txt',
    { 'left-out.txt': 'its own', ...LARGE },
    null,
    {
      'left-out.txt': expect.stringContaining('large.bin: 101 bytes are more than the limit leaves'),
      'left-out.agent.txt': 'its own',
    },
  ],
  [
    'as left-out.agent.txt also where nothing was left out',
    { 'left-out.txt': 'its own' },
    null,
    { 'left-out.agent.txt': 'its own' },
  ],
])('keeps what an agent left under a name of viva %s', async (_, files, answer, kept) => {
  const folder = await save(makeFolder(files), answer);
  const names = readdirSync(folder);
  expect(Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))).toEqual(kept);
});

test('keeps a folder of that name as what it is, and writes through no link', async () => {
  const outside = makeFolder({ 'far.txt': 'far' });
  const workdir = makeFolder({ 'left-out.txt/inner.txt': 'inner' });
  symlinkSync(join(outside, 'far.txt'), join(workdir, 'answer.txt'));
  const folder = await save(workdir, 'text');
  expect(readFileSync(join(folder, 'answer.txt'), 'utf8')).toBe('FINAL ANSWER: text\n');
  expect(readFileSync(join(folder, 'left-out.agent.txt/inner.txt'), 'utf8')).toBe('inner');
  expect(readFileSync(join(folder, 'left-out.txt'), 'utf8')).toContain('\nanswer.txt: a link\n');
  expect(readFileSync(join(outside, 'far.txt'), 'utf8')).toBe('far');
});

test('says of a folder that was not looked through that it was not', async () => {
  const workdir = makeFolder();
  for (let number = 0; number < 120; number += 1) writeFileSync(join(workdir, `${number}`), '');
  const said = readFileSync(join(await save(workdir, 'text'), 'left-out.txt'), 'utf8');
  expect(said).toContain('\n.: the rest of it was not looked at, after 100 files and folders\n');
});

/** Keeps a work folder and gives the path of the copy. */
async function save(workdir: string, answer: 'text' | null): Promise<string> {
  const runFolder = makeFolder();
  const result = toResult(answer === null ? 'no_answer' : 'correct');
  await saveWorkdir(runFolder, workdir, result, [], LIMITS);
  return join(runFolder, toWorkspacePath(result));
}
