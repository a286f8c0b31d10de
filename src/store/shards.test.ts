import { describe, expect, test } from 'vitest';
import type { AgentConditions, SuiteManifest } from './manifest.ts';
import { findDifferences, findSplitProblems } from './shards.ts';

const shard = (index: number, count: number) => ({ index, count });

describe('the shards of a merge', () => {
  test.each([
    ['all of a split', [shard(2, 2), shard(1, 2)], []],
    ['a whole run', [null], []],
    ['none', [], []],
    ['without the second', [shard(1, 3), shard(3, 3)], [/^shard 2 of 3 is missing\. Add/]],
    [
      'without two',
      [shard(2, 3)],
      [/^shards 1 and 3 of 3 are missing\. Add their reports and their run folders, or run them again\.$/],
    ],
    ['with one twice', [shard(1, 2), shard(1, 2), shard(2, 2)], [/^shard 1 of 2 is there twice\. Merge/]],
    ['of two splits', [shard(1, 3), shard(2, 4)], [/^shard 2 of 4 beside shard 1 of 3: shards of different splits\./]],
    ['beside a whole run', [shard(1, 2), null], [/^a whole run beside shard 1 of 2: shards of different splits\./]],
    ['two whole runs', [null, null], [/^a whole run is there twice\./]],
  ])('%s', (_, shards, problems) => {
    expect(findSplitProblems(shards)).toEqual(problems.map((problem) => expect.stringMatching(problem)));
  });
});

const CONDITIONS: AgentConditions = {
  agent: 'module:a.ts',
  fingerprint: 'f1',
  recording: null,
  cache_key: null,
  deadlines: [['all', 60]],
  max_steps: null,
};

function suite(index: number, conditions: Partial<AgentConditions>, facts: Partial<SuiteManifest> = {}): SuiteManifest {
  return {
    suite: 'mcq',
    dataset: 'sample',
    source: null,
    placeholders: [],
    dataset_hash: 'd',
    prompt_hash: 'p',
    agents: ['module:a.ts'],
    conditions: [{ ...CONDITIONS, ...conditions }],
    trials: 1,
    notes: [],
    ids: ['a'],
    groups: ['all'],
    shard: shard(index, 2),
    unmatched_ids: [],
    plans: [],
    tools: [],
    ...facts,
  };
}

describe('shards of one split', () => {
  test.each([
    [{}, {}, []],
    [{ fingerprint: 'f2' }, {}, ['the fingerprint (code, model, parameters, tools) of module:a.ts ("f2", not "f1")']],
    [{ recording: 'r' }, {}, ['the predictions of module:a.ts ("r", not none)']],
    [{ cache_key: 'k' }, {}, ['EVAL_CACHE_KEY of module:a.ts ("k", not none)']],
    [
      { deadlines: [['all', 5]] as const },
      {},
      ['the deadlines in seconds of module:a.ts ([["all",5]], not [["all",60]])'],
    ],
    [{ max_steps: 3 }, {}, ['the step limit of module:a.ts (3, not none)']],
    [{}, { prompt_hash: 'q', trials: 2 }, ['prompt_hash', 'trials']],
    [{}, { ids: ['b'] }, ['ids']],
  ])('that differ in %j %j are told apart by field', (conditions, facts, fields) => {
    expect(findDifferences(suite(1, {}), suite(2, conditions, facts))).toEqual(
      fields.map(
        (field) =>
          `mcq: shard 2 of 2 differs from shard 1 of 2 in ${field}. Run all shards with the same settings and files.`,
      ),
    );
  });

  test('of which one is older than what is compared are refused', () => {
    const { conditions: _none, ...older } = suite(2, {});
    expect(findDifferences(suite(1, {}), older)[0]).toContain('in the version of viva.');
    expect(findDifferences(older, older)).toEqual([]);
  });
});
