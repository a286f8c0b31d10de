import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { toResult } from '../metrics/result.fixture.ts';
import {
  createRunFolder,
  pointLatest,
  removeRunFolder,
  renameRunFolder,
  saveWorkdir,
  toTracePath,
  toWorkspacePath,
  writeTrace,
} from './run-folder.ts';

const now = new Date('2026-11-21T00:24:05.123Z');

test('names the folder by time and agent, and points latest at it only when told', () => {
  const dir = makeFolder();
  const folder = createRunFolder(dir, ['replay'], now);
  expect(folder).toBe(join(dir, 'runs', '20261121T002405Z-replay'));
  expect(existsSync(join(dir, 'latest'))).toBe(false);
  pointLatest(folder);
  expect(readlinkSync(join(dir, 'latest'))).toBe('runs/20261121T002405Z-replay');
});

test('gives runs that start in the same second folders of their own', () => {
  const dir = makeFolder();
  const names = [1, 2, 3].map(() => basename(createRunFolder(dir, ['replay'], now)));
  expect(names).toEqual(['20261121T002405Z-replay', '20261121T002405Z-replay-2', '20261121T002405Z-replay-3']);
});

test.each([
  [['replay:../../etc/passwd'], 'replay-..-..-etc-passwd'],
  [['openai:gpt-5?temperature=0', 'replay'], 'openai-gpt-5-temperature-0-replay'],
  [['../..'], 'agent'],
  [['漢字'], 'agent'],
  [['x'.repeat(300)], 'x'.repeat(60)],
])('makes a safe folder name of %j', (agents, slug) => {
  expect(basename(createRunFolder(makeFolder(), agents, now))).toBe(`20261121T002405Z-${slug}`);
});

test('leaves a folder alone that stands where latest should be', () => {
  const dir = makeFolder();
  mkdirSync(join(dir, 'latest', 'mine'), { recursive: true });
  pointLatest(createRunFolder(dir, ['replay'], now));
  expect(readdirSync(join(dir, 'latest'))).toEqual(['mine']);
});

test('removes a folder, and runs/ with the last one', () => {
  const dir = makeFolder();
  const [first, second] = [1, 2].map(() => createRunFolder(dir, ['replay'], now));
  removeRunFolder(first ?? '');
  expect(readdirSync(join(dir, 'runs'))).toEqual([basename(second ?? '')]);
  removeRunFolder(second ?? '');
  expect(readdirSync(dir)).toEqual([]);
});

test('says which folder cannot be made', () => {
  const file = join(makeFolder(), 'file');
  writeFileSync(file, '');
  expect(() => createRunFolder(file, ['replay'], now)).toThrow(
    `The run folder cannot be made: ${join(file, 'runs')}. Make it writable or set EVAL_DIR to another folder.`,
  );
});

test('names a shard, so that shards of different machines can be brought together', () => {
  const names = [1, 2].map((index) => basename(createRunFolder(makeFolder(), ['replay'], now, { index, count: 2 })));
  expect(names).toEqual(['20261121T002405Z-replay-shard-1-of-2', '20261121T002405Z-replay-shard-2-of-2']);
});

test('renames a folder after its agents, beside one that has that name already', () => {
  const dir = makeFolder();
  createRunFolder(dir, ['module:a.ts'], now);
  const renamed = renameRunFolder(createRunFolder(dir, ['replay'], now), ['module:a.ts']);
  expect(renamed).toBe(join(dir, 'runs', '20261121T002405Z-module-a.ts-2'));
  expect(readlinkSync(join(dir, 'latest'))).toBe('runs/20261121T002405Z-module-a.ts-2');
});

const key = { suite: 'gaia', agent: 'openai:m?temperature=0', id: 'q 1', trial: 2 };

describe('a trace', () => {
  test('lies below its suite and agent', () => {
    expect(toTracePath(key)).toMatch(/^traces\/gaia\/openai-m-temperature-0\/q-1-[0-9a-f]{8}\.2\.json$/);
  });

  test.each([[{ id: 'q-1' }], [{ agent: 'openai:m?temperature-0' }], [{ trial: 3 }]])(
    'has a file of its own, apart from %j',
    (other) => {
      expect(toTracePath({ ...key, ...other })).not.toBe(toTracePath(key));
    },
  );

  test.each(['../../etc/passwd', '..', '/', '\u0000', 'a'.repeat(500)])('stays in its folder for the id %j', (id) => {
    expect(toTracePath({ ...key, id, suite: id, agent: id })).toMatch(
      /^traces\/[\w.-]{1,60}\/[\w.-]{1,60}\/[\w.-]{1,80}$/,
    );
    expect(toTracePath({ ...key, id, suite: id, agent: id })).not.toContain('..');
  });

  test('holds the steps and what came of them', () => {
    const folder = makeFolder();
    const steps = [{ text: 'x', reasoning: null, tool_calls: [], stop: 'stop', usage: null }];
    const result = toResult('correct', { id: 'q1' });
    writeTrace(folder, result, steps);
    const written: unknown = JSON.parse(readFileSync(join(folder, toTracePath(result)), 'utf8'));
    expect(written).toMatchObject({ version: 1, id: 'q1', state: result.state, output: result.output, steps });
    expect(written).not.toHaveProperty('target');
  });
});

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
