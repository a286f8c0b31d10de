import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { MANIFEST, toManifest } from '../../test/make-run.ts';
import { toResult } from '../figures/result.fixture.ts';
import { toTraceOutput } from '../words/conversation.ts';
import type { SampleResult } from '../words/row.ts';
import { toLiteralPattern } from '../words/show.ts';
import { STEP, toSample } from '../words/types.fixture.ts';
import { readQuestions, readRunName, toTracePath, toWorkspacePath } from './run-folder.ts';
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
  [[`${'x'.repeat(59)}-y`], 'x'.repeat(59)],
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
  ['/proc/nope', 'ENOENT'],
  ['file', 'ENOTDIR'],
  ['loop', 'ELOOP'],
  ['x'.repeat(300), 'ENAMETOOLONG'],
])('says why the run folder cannot be made in %s, and does not wait', (name, code) => {
  const folder = makeFolder({ file: '' });
  symlinkSync('loop', join(folder, 'loop'));
  const dir = resolve(folder, name);
  const run = toLiteralPattern(join(dir, 'runs/20261121T002405Z-replay'));
  expect(() => begin(dir, ['replay'])).toThrow(
    new RegExp(`^The run folder cannot be made: ${run}: .+${code}.+, or set EVAL_DIR to another`),
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

test('a trace contains the steps and the result', () => {
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

test('keeps what was shown of a question, and nothing of its metadata', () => {
  const folder = makeFolder();
  const attachments = [{ name: 'x.csv', path: '/data/x.csv' }];
  const metadata = { Steps: 'the solution', aliases: ['NYC', 7, 'New York'] };
  const choices = { A: 'iron', B: 'gold' };
  new RunWriter(folder).questions('../../mcq', [
    toSample({ input: 'Which?', choices, attachments, metadata }),
  ]);
  expect(readQuestions(folder, '../../mcq').get('a')).toEqual({
    id: 'a',
    input: 'Which?',
    choices: [
      ['A', 'iron'],
      ['B', 'gold'],
    ],
    attachments: ['x.csv'],
    files: [relative(folder, '/data/x.csv')],
  });
  expect(readdirSync(folder)).toEqual(['questions-mcq.json']);
});

test('has no string of all questions, nor an output twice, where texts are long', () => {
  const folder = makeFolder();
  const long = 'x'.repeat(300_000);
  const samples = ['a', 'b'].map((id) => toSample({ id, input: `${id}\n${long}` }));
  new RunWriter(folder).questions('own', samples);
  const text = readFileSync(join(folder, 'questions-own.json'), 'utf8');
  expect(JSON.parse(text)).toMatchObject({ version: 1, suite: 'own', questions: [{}, {}] });
  expect(text.split('\n').filter((line) => line.length > 300_000)).toHaveLength(2);
  expect([...readQuestions(folder, 'own').values()]).toEqual([
    { id: 'a', input: `a\n${long}` },
    { id: 'b', input: `b\n${long}` },
  ]);
  const row: SampleResult = Object.assign(toResult('incorrect'), {
    output: long,
    answer: long,
  });
  const file = new RunWriter(folder).trace(row, { steps: [STEP] });
  expect(statSync(file).size).toBeLessThan(5_000);
  expect(JSON.parse(readFileSync(file, 'utf8')).output).toBe(toTraceOutput(long));
});

test('a kept work folder has files with their modes and folders, without links, pipes and keys', async () => {
  const from = makeFolder({
    'a/b/c.txt': 'x',
    'run.sh': 'echo',
    large: `${'x'.repeat(2 ** 20 - 4)}my-key-1`,
  });
  chmodSync(join(from, 'run.sh'), 0o755);
  writeFileSync(join(from, 'my-key-1.txt'), '');
  symlinkSync('/', join(from, 'root'));
  execFileSync('mkfifo', [join(from, 'pipe')]);
  const folder = makeFolder();
  const row = toResult('correct');
  await new RunWriter(folder).workdir(row, from, ['my-key-1']);
  const copy = join(folder, toWorkspacePath(row));
  const names = readdirSync(copy, { recursive: true }).map(String).toSorted();
  expect(names).toEqual(['a', 'a/b', 'a/b/c.txt', 'run.sh']);
  expect(lstatSync(join(copy, 'run.sh')).mode & 0o111).toBe(0o111);
  await new RunWriter(folder).workdir(row, join(from, 'none'), []);
});

test.each([
  [{ public: undefined, dataset: 'own' }, [0o700, 0o600]],
  [{ public: true as const, dataset: 'own' }, [0o755, 0o644]],
  [{ public: undefined, dataset: 'sample' }, [0o755, 0o644]],
])('is for the user alone from the plan of a private suite on: %j', (facts, modes) => {
  const before = process.umask(0o022);
  onTestFinished(() => void process.umask(before));
  const folder = begin(makeFolder(), ['replay']);
  const entry = { ...toManifest([toResult('correct')]), ...facts };
  new RunWriter(folder).plan(entry, []);
  const paths = [folder, join(folder, 'samples.jsonl')];
  expect(paths.map((path) => statSync(path).mode & 0o777)).toEqual(modes);
});

test('long rows wait for no others, which together would be longer than a string can be', () => {
  const folder = makeFolder();
  const writer = new RunWriter(folder);
  const output = 'x'.repeat(6_000_000);
  const rowOf = (answer: string) => ({ ...toResult('correct'), output, answer }) as SampleResult;
  writer.rowSoon(rowOf('y'.repeat(6_000_000)));
  expect(statSync(join(folder, 'samples.jsonl')).size).toBeGreaterThan(2 * output.length);
  writer.close();
});
