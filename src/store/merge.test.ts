import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { PLANNED } from '../../test/make-run.ts';
import { makeShard, makeShards, type ShardFacts } from '../../test/make-shards.ts';
import type { AgentPlan } from './manifest.ts';
import { describeGates, mergeShards } from './merge.ts';
import { readRun, toKeyedTrials, toRun } from './run-reader.ts';
import { pickShards } from './shards.ts';

const NOW = new Date('2026-02-03T04:05:06Z');

function merge(folders: readonly string[], own = {}, dir = makeFolder()) {
  return mergeShards(pickShards(folders).runs, dir, own, NOW);
}

/** The merge of two shards with these facts. */
const mergeTwo = (first: ShardFacts, second: ShardFacts, own = {}) =>
  merge([makeShard(1, 2, first), makeShard(2, 2, second)], own);

describe('a merged run', () => {
  test('has the name of its agents, the time when it began, and the names of its shards', () => {
    const [early, late] = ['01', '02'].map((day) => ({
      manifest: { created_at: `2026-01-${day}T00:00:00Z`, git_commit: 'c' },
    }));
    const name = '20260102T000000Z-openai-m-shard-1-of-2-2';
    const { folder, manifest } = mergeTwo({ name, ...late }, { ...early });
    expect(manifest).toMatchObject({
      run: '20260203T040506Z-openai-m-merged',
      created_at: '2026-01-01T00:00:00Z',
      git_commit: 'c',
      merged_from: [name, '20260101T000000Z-a-shard-2-of-2'],
    });
    expect(basename(folder)).toBe(manifest.run);
  });

  test('has no commit if its shards have different ones', () => {
    const [one, other] = ['c', 'd'].map((git_commit) => ({ manifest: { git_commit } }));
    expect(mergeTwo({ ...one }, { ...other }).manifest.git_commit).toBeNull();
  });

  test('has the settings of its shards, but for those of the merge', () => {
    const manifest = { config: { limit: 6, minAccuracy: 0.5, dir: 'x', ci: true } };
    const { config } = mergeTwo({ manifest }, { manifest }, { dir: 'y', ci: false }).manifest;
    expect(config).toEqual({ limit: 6, minAccuracy: 0.5, dir: 'y', ci: false });
  });

  test('has the whole selection, all judges, and notes once, or with their shard', () => {
    const judges = ['openai:j', 'openai:k'].map((judge) => ({
      judge,
      fingerprint: 'f',
      prompt_hash: 'p',
    }));
    const slow = { agent: 'a', kind: 'unknown fields', text: 'it was slow' } as const;
    const read = { kind: 'layout', text: 'read as CSV' } as const;
    const noWeb = { agent: 'a', kind: 'tools', text: 'no web' } as const;
    const both = { notes: [read], agent_notes: [noWeb] };
    const prefer = { judges, criterion_hash: 'c', pairs: 3, known: 2 };
    const first = { ...both, prefer, judges: judges.slice(0, 1) };
    const second = { ...both, prefer, judges, agent_notes: [...both.agent_notes, slow] };
    const [entry] = mergeTwo({ suite: first }, { suite: second }).manifest.suites;
    expect(entry).toMatchObject({
      shard: null,
      judges,
      prefer: { judges, pairs: 6, known: 4 },
      notes: [read],
      agent_notes: [noWeb, { ...slow, text: 'in shard 2 of 2, it was slow' }],
    });
    expect(entry?.questions).toHaveLength(6);
    expect(JSON.stringify(entry)).not.toContain('elsewhere');
  });

  test.each<[Partial<AgentPlan>, Partial<AgentPlan>, Partial<AgentPlan>]>([
    [
      { trials: 3, cached: 1, to_ask: 2, expected_cost_usd: 2, oldest: '1', newest: '3' },
      { trials: 2, cached: 2, to_ask: 0, oldest: '2', newest: '4' },
      { trials: 5, cached: 3, to_ask: 2, expected_cost_usd: 2, oldest: '1', newest: '4' },
    ],
    [
      { to_ask: 2, expected_cost_usd: 2, missed_because: '2: prompt changed' },
      { to_ask: 1, missed_because: '1: prompt changed' },
      {
        to_ask: 3,
        expected_cost_usd: null,
        missed_because: '2: prompt changed; 1: prompt changed',
      },
    ],
  ])('has the plans of its shards as one: %j and %j', (first, second, plan) => {
    const [one, other] = [first, second].map((own) => ({
      suite: { plans: [{ ...PLAN, ...own }] },
    }));
    const [entry] = mergeTwo({ ...one }, { ...other }).manifest.suites;
    expect(entry?.plans).toEqual([{ ...PLAN, ...plan }]);
  });
});

const PLAN: AgentPlan = {
  agent: 'a',
  kept: true,
  trials: 0,
  cached: 0,
  oldest: null,
  newest: null,
  to_ask: 0,
  expected_cost_usd: null,
  missed_because: null,
};

const trial = { suite: 'mcq', dataset: 'sample', agent: 'a', trial: 1 };

/** Why the trials of a merge have no row. */
const listReasons = (files: ReturnType<typeof merge>) =>
  toRun(files, toKeyedTrials(files)).results.flatMap(({ id, reason }) =>
    reason === null ? [] : `${id} ${reason}`,
  );

describe('the trials of a merge without a row', () => {
  test('have the reason from their shard, and are left out where -t left them out', () => {
    const absent = [
      { ...trial, id: 'a', reason: 'bail' },
      { ...trial, id: 'c', reason: null },
    ];
    const merged = mergeTwo({ marks: '', end: { absent } }, {});
    expect(listReasons(merged)).toEqual(['a bail', 'e crash']);
    expect(toRun(merged, toKeyedTrials(merged)).leftOut).toBe(1);
  });

  test.each([
    [
      'of a shard that was killed',
      () => mergeTwo({}, { marks: '+', end: null }),
      ['d crash', 'f crash'],
    ],
    ['of a missing shard', () => merge(makeShards(3).slice(1)), ['a no_shard', 'd no_shard']],
    [
      'of a shard that was killed before it planned anything',
      () => mergeTwo({}, { isPlanned: false, end: null }),
      ['b crash', 'd crash', 'f crash'],
    ],
  ])('%s are not run', (_, make, reasons) => {
    const merged = make();
    expect(listReasons(merged)).toEqual(reasons);
    expect(merged.end.errors).toEqual([expect.stringMatching(/^shard \d of \d .+ merge again$/)]);
    // A later reader of the folder finds the same.
    expect(listReasons(readRun(merged.folder))).toEqual(reasons);
  });
});

describe('the end of a merge', () => {
  test('has each error once, and each refused file, whose reason may be in the output', () => {
    const refused = [
      { file: 'a.eval.ts', why: 'see the error above' },
      { file: 'b.eval.ts', why: 'no key' },
    ];
    const end = { errors: ['boom'], refused };
    expect(mergeTwo({ end }, { end }).end).toMatchObject({
      ended_at: NOW.toISOString(),
      errors: ['boom'],
      refused: [
        { file: 'a.eval.ts', why: 'see the output of its shards' },
        { file: 'b.eval.ts', why: 'no key' },
      ],
    });
  });

  test('names the eval files that no shard has begun', () => {
    const [other, own] = ['evals/other.eval.ts', PLANNED.eval_file];
    const first = { end: { not_started: [own, other] } };
    expect(mergeTwo(first, { end: null }).end.not_started).toEqual([other]);
  });

  test('has the gates of the newest shard that ended, and says so if they differ', () => {
    const gate = { suite: 'mcq', dataset: 'sample', group: 'all' };
    const [old, fresh] = [0.5, 0.6].map((min_accuracy) => [{ ...gate, min_accuracy }]);
    const late = { manifest: { created_at: '2026-01-02T00:00:00Z' } };
    const latest = { manifest: { created_at: '2026-01-03T00:00:00Z' }, end: null };
    const folders = [
      makeShard(1, 3, { ...late, end: { gates: fresh ?? [], stray_gates: ['stray'] } }),
      makeShard(2, 3, { end: { gates: old ?? [] } }),
      makeShard(3, 3, latest),
    ];
    expect(merge(folders).end).toMatchObject({ gates: fresh, stray_gates: ['stray'] });
    expect(describeGates(pickShards(folders).runs)).toEqual([
      'the shards had different gates: those of the newest, shard 1 of 3, count',
    ]);
    expect(describeGates(pickShards(makeShards(2)).runs)).toEqual([]);
  });
});

describe('the files of a merge', () => {
  test('are questions, prompts, traces and work folders of all shards, and no figures of theirs', () => {
    const folders = makeShards(2);
    for (const [index, folder] of folders.entries()) {
      const files = ['questions-mcq.json', 'prompts/mcq-1.md', `traces/mcq/a/${index}.json`];
      for (const file of [...files, `workspace/mcq/a/${index}/b/c`, 'report.html', 'note.txt']) {
        mkdirSync(join(folder, file, '..'), { recursive: true });
        writeFileSync(join(folder, file), file);
      }
    }
    const { folder } = merge(folders);
    const isFile = (path: string) => /\.\w+$|\/c$/.test(path);
    expect(readdirSync(folder, { recursive: true }).map(String).filter(isFile).sort()).toEqual([
      'end.json',
      'manifest.json',
      'prompts/mcq-1.md',
      'questions-mcq.json',
      'samples.jsonl',
      'traces/mcq/a/0.json',
      'traces/mcq/a/1.json',
      'workspace/mcq/a/0/b/c',
      'workspace/mcq/a/1/b/c',
    ]);
  });

  test('have the rows as they were written, and a line that a crash cut off', () => {
    const folders = [makeShard(1, 2, { end: null }), makeShard(2, 2)];
    const [first = '', second = ''] = folders.map((folder) => join(folder, 'samples.jsonl'));
    const whole = readFileSync(first, 'utf8');
    writeFileSync(first, whole.slice(0, -40));
    const merged = merge(folders);
    const log = readFileSync(join(merged.folder, 'samples.jsonl'), 'utf8');
    expect(log).toBe(`${whole.slice(0, -40)}\n${readFileSync(second, 'utf8')}`);
    expect([merged.unreadable, readRun(merged.folder).unreadable]).toEqual([1, 1]);
    expect(listReasons(merged)).toEqual(['e crash']);
  });

  test('are removed if they cannot be completed', () => {
    const folders = makeShards(2);
    const [first = '', second = ''] = folders.map((folder) => join(folder, 'traces'));
    mkdirSync(join(first, 'x'), { recursive: true });
    writeFileSync(second, '');
    const dir = makeFolder();
    expect(() => merge(folders, {}, dir)).toThrow(/traces/);
    expect(existsSync(join(dir, 'runs'))).toBe(false);
  });
});
