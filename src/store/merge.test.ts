import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { CONDITIONS, MANIFEST, PLANNED, planned } from '../../test/make-run.ts';
import {
  type AgentConditions,
  type Manifest,
  type SuiteManifest,
  writeManifest,
} from './manifest.ts';
import { checkBlobs, findSplitProblems, mergeRuns, readShardRuns } from './merge.ts';
import { BEGUN, readEnd, type StoredEnd, writeEnd } from './run-end.ts';

const JUDGE = { judge: 'openai:j', fingerprint: 'f', prompt_hash: 'p' };

const SUITE: SuiteManifest = {
  ...PLANNED,
  questions: planned(['a', 'b', 'c', 'd']),
  judges: [JUDGE],
};

const SHARES = [
  ['a', 'c'],
  ['b', 'd'],
];

const ALL = { name: null, tags: null, last_failed: false };

type Facts = Pick<Manifest, 'suites'> &
  Partial<Pick<StoredEnd, 'absent' | 'not_started' | 'narrowed_by'>>;

/** The folder of all runs with these in it. */
function makeRuns(shards: Readonly<Record<string, Facts>>): string {
  const runs = makeFolder();
  for (const [name, { suites, ...end }] of Object.entries(shards)) {
    mkdirSync(join(runs, name));
    writeEnd(join(runs, name), { ...BEGUN, ...end });
    writeManifest(join(runs, name), { ...MANIFEST, run: name, suites });
  }
  return runs;
}

function shard(index: 1 | 2, facts: Partial<SuiteManifest> = {}): SuiteManifest {
  const questions = SUITE.questions.map((question) => {
    const isOwn = SHARES[index - 1]?.includes(question.id) === true;
    return { ...question, ...(isOwn ? {} : { elsewhere: true as const }) };
  });
  return { ...SUITE, shard: { index, count: 2 }, questions, ...facts };
}

const NAMES = ['1-shard-1-of-2', '1-shard-2-of-2'];

/** What is known of the merge of what a folder has, where reports name only these. */
function merge(runs: string, names: readonly string[] = NAMES) {
  const target = join(runs, 'merged');
  mkdirSync(target);
  writeManifest(target, { ...MANIFEST, config: { dir: 'own' } });
  mergeRuns(readShardRuns(runs, names), target);
  return readEnd(target);
}

/** What is known of the merge of two shards. */
const mergeTwo = (first: Facts, second: Facts) =>
  merge(makeRuns({ '1-shard-1-of-2': first, '1-shard-2-of-2': second }));

const toDifferences = (fields: readonly string[]) =>
  fields.map(
    (what) =>
      `shard 2 of 2 differs from shard 1 of 2 in ${what}. Run all shards with the same settings and files.`,
  );

test('a shard without a report is missing, even if its run folder exists', () => {
  const first = { suites: [shard(1)], narrowed_by: ALL };
  const runs = makeRuns({ '1-shard-1-of-2': first, '1-shard-2-of-2': { suites: [shard(2)] } });
  expect(merge(runs, NAMES.slice(0, 1)).errors).toEqual([
    'shard 2 of 2 is missing. Add its report and its run folder, or run it again.',
  ]);
});

const level = { ...ALL, name: 'level 1' };

test.each([
  ['alike', level, level, []],
  ['by names', level, { ...ALL, name: 'level 2' }, ['-t ("level 2", not "level 1")']],
  ['by tags', ALL, { ...ALL, tags: ['level2'] }, ['--tags-filter (["level2"], not none)']],
])('shards that were narrowed %s', (_, first, second, differences) => {
  const merged = mergeTwo(
    { suites: [shard(1), shard(1, { suite: 'gaia' })], narrowed_by: first },
    { suites: [shard(2), shard(2, { suite: 'gaia' })], narrowed_by: second },
  );
  expect(merged.errors).toEqual(toDifferences(differences));
});

describe('trials without a row', () => {
  const trial = { suite: 'mcq', dataset: 'sample', agent: 'replay', trial: 1 };

  test('have the reason from their shard', () => {
    const absent = [
      { ...trial, id: 'a', reason: 'bail' },
      { ...trial, id: 'c', reason: null },
    ];
    const merged = mergeTwo({ suites: [shard(1)], absent }, { suites: [shard(2)] });
    expect(merged.absent.map(({ id, reason }) => [id, reason])).toEqual([
      ['a', 'bail'],
      ['c', null],
    ]);
  });

  test('include those of eval files that no shard started', () => {
    const [gaia, mcq] = ['evals/gaia/gaia.eval.ts', 'evals/mcq/mcq.eval.ts'];
    const first = { suites: [shard(1)], not_started: [gaia, mcq] };
    expect(mergeTwo(first, { suites: [shard(2)], not_started: [mcq] }).not_started).toEqual([mcq]);
  });
});

const of = (index: number, count: number) => ({ index, count });

test.each([
  ['all of a split', [of(2, 2), of(1, 2)], []],
  ['without the second', [of(1, 3), of(3, 3)], [/^shard 2 of 3 is missing\. Add/]],
  [
    'with one twice',
    [of(1, 2), of(1, 2), of(2, 2)],
    [/^there are two runs of shard 1 of 2\. Merge/],
  ],
  [
    'of two splits',
    [of(1, 3), of(2, 4)],
    [/^shard 2 of 4 beside shard 1 of 3: these are shards of different splits\./],
  ],
  [
    'beside a complete run',
    [of(1, 2), null],
    [/^a complete run beside shard 1 of 2: these are shards of different splits\./],
  ],
])('the shards of a merge %s', (_, shards, problems) => {
  expect(findSplitProblems(shards)).toEqual(
    problems.map((problem) => expect.stringMatching(problem)),
  );
});

test.each(['gone', 'empty'])(
  'a folder of reports that is %s is refused with what to do',
  (name) => {
    const folder = join(makeFolder(), name);
    if (name === 'empty') mkdirSync(folder);
    expect(() => checkBlobs(folder)).toThrow(
      /has no report \(blob\) of a shard.+every shard was killed.+\n.+run each shard again/,
    );
  },
);

test.each(['', '[{"a":', 'x'])('a report that contains %j is refused by its name', (text) => {
  const folder = makeFolder({ 'whole.json': '[[]]\n', 'bad.json': text });
  expect(() => checkBlobs(folder)).toThrow(
    `${join(folder, 'bad.json')} is not a report (blob) of a shard`,
  );
});

function suite(
  index: 1 | 2,
  conditions: Partial<AgentConditions>,
  facts: Partial<SuiteManifest> = {},
): SuiteManifest {
  return shard(index, {
    agents: ['module:a.ts'],
    conditions: [{ ...CONDITIONS, agent: 'module:a.ts', deadlines: [['all', 60]], ...conditions }],
    ...facts,
  });
}

const PROMPTS = ['a.md', 'b.md'].map((name, index) => ({ hash: `f${index}`, file: '', name }));

test.each([
  [{}, {}, []],
  [
    { deadlines: [['all', 5]] as const },
    {},
    ['mcq deadlines of module:a.ts ([["all",5]], not [["all",60]])'],
  ],
  [
    {},
    { prompt_hash: 'q', trials: 2 },
    ['mcq prompt_hash ("q", not "p")', 'mcq trials (2, not 1)'],
  ],
  [{}, { prompts: PROMPTS }, ['mcq prompts (["a.md@f0","b.md@f1"], not [])']],
  [{}, { prompts: PROMPTS.slice(0, 1) }, []],
  [
    {},
    { judges: [{ ...JUDGE, fingerprint: 'other' }] },
    ['mcq judge openai:j (["other","p"], not ["f","p"])'],
  ],
])('names the fields in which shards of one split differ: %j %j', (conditions, facts, fields) => {
  const merged = mergeTwo(
    { suites: [suite(1, {})], narrowed_by: ALL },
    { suites: [suite(2, conditions, facts)], narrowed_by: ALL },
  );
  expect(merged.errors).toEqual(toDifferences(fields));
});
