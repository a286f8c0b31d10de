import { expect, test } from 'vitest';
import { CONDITIONS } from '../../test/make-run.ts';
import { makeShard, type ShardFacts } from '../../test/make-shards.ts';
import { messageOf } from '../../test/message-of.ts';
import { readVersion } from '../package.ts';
import { checkAlike } from './compare-shards.ts';
import type { AgentConditions } from './manifest.ts';
import { pickShards } from './shards.ts';

/** What three shards are refused with, the second of which has these facts; '' if they are merged. */
function check(second: ShardFacts, all: ShardFacts = {}, own?: string): string {
  const folders = [1, 2, 3].map((index) =>
    makeShard(index, 3, { ...all, ...(index === 2 ? second : {}) }),
  );
  const { runs } = pickShards(folders);
  return messageOf(() => {
    checkAlike(runs, own);
    throw new Error('');
  });
}

const RUN_ALL =
  'Run all shards with the same settings, files and version of viva, and merge again.';

const JUDGE = { judge: 'openai:j', fingerprint: 'f', prompt_hash: 'p' };
const of = (facts: Partial<AgentConditions>) => ({
  suite: { conditions: [{ ...CONDITIONS, ...facts }] },
});
const PROMPTS = ['a.md', 'b.md'].map((name, index) => ({ hash: `f${index}`, file: '', name }));
const narrowed = (by: object) => ({
  end: { narrowed_by: { name: null, tags: null, last_failed: false, ...by } },
});
const shuffled = (seed: number) => ({
  presented: { seed, order: ['B', 'A'], target: [2], answer: [2] },
});
const viva = (version: string) => ({ manifest: { versions: { viva: version } } });

test.each<[what: string, second: ShardFacts, first: ShardFacts, differing: string]>([
  ['nothing', {}, {}, ''],
  ['its trials', { suite: { trials: 2 } }, {}, 'EVAL_TRIALS of mcq: 1 in OTHERS; 2 in IT'],
  [
    'its judges of pairs',
    { suite: { prefer: { judges: [JUDGE], criterion_hash: 'c', pairs: 3 } } },
    {
      suite: {
        prefer: { judges: [{ ...JUDGE, judge: 'openai:k' }], criterion_hash: 'c', pairs: 3 },
      },
    },
    'the judges of "prefer" of mcq: [["openai:k","f","p"]] in OTHERS; [["openai:j","f","p"]] in IT',
  ],
  [
    'a setting of the run',
    { manifest: { config: { limit: 5 } } },
    {},
    'EVAL_LIMIT: not set in OTHERS; 5 in IT',
  ],
  [
    'its judges',
    { manifest: { config: { judges: [{ text: 'openai:b' }] } } },
    { manifest: { config: { judges: [{ text: 'openai:a' }] } } },
    'EVAL_JUDGE: openai:a in OTHERS; openai:b in IT',
  ],
  ['its names', narrowed({ name: 'b' }), narrowed({ name: 'a' }), '-t: a in OTHERS; b in IT'],
  ['its tags', narrowed({ tags: ['b'] }), {}, '--tags-filter: not set in OTHERS; b in IT'],
  [
    '--last-failed',
    narrowed({ last_failed: true }),
    {},
    '--last-failed: not set in OTHERS; true in IT',
  ],
  [
    'the version of viva',
    viva('0.0.2'),
    viva('0.0.1'),
    'the version of viva: 0.0.1 in OTHERS; 0.0.2 in IT',
  ],
  [
    'that of the grader',
    { suite: { grader: 1 } },
    { suite: { grader: 2 } },
    'the version of the grader of mcq: 2 in OTHERS; 1 in IT',
  ],
  [
    'its dataset',
    { suite: { dataset_hash: 'other' } },
    {},
    'the hash of the dataset of mcq: data in OTHERS; other in IT',
  ],
  [
    'its prompt',
    { suite: { prompt_hash: 'q' } },
    {},
    'the hash of the prompt of mcq: p in OTHERS; q in IT',
  ],
  [
    'its prompts',
    { suite: { prompts: PROMPTS } },
    {},
    'EVAL_PROMPT of mcq: not set in OTHERS; a.md@f0, b.md@f1 in IT',
  ],
  ['its one prompt by name alone', { suite: { prompts: PROMPTS.slice(0, 1) } }, {}, ''],
  [
    'its agents',
    { suite: { agents: ['a', 'b'] } },
    {},
    'the agents of mcq: a in OTHERS; a, b in IT',
  ],
  [
    'a deadline',
    of({ deadlines: [['all', 5]] }),
    of({}),
    'the deadlines of a of mcq: not set in OTHERS; [["all",5]] in IT',
  ],
  [
    'the code of its agent',
    of({ fingerprint: 'y' }),
    of({ fingerprint: 'x' }),
    'the code, model, parameters or tools of a of mcq: x in OTHERS; y in IT',
  ],
  [
    'a replayed run of another seed',
    shuffled(8),
    shuffled(7),
    'the seed of the order of options of mcq: 7 in OTHERS; 8 in IT',
  ],
  ['no row whose options were shuffled', { marks: '' }, shuffled(7), ''],
  [
    'a judge',
    { suite: { judges: [{ ...JUDGE, fingerprint: 'g' }] } },
    { suite: { judges: [JUDGE] } },
    'the judge openai:j of mcq: f, p in OTHERS; g, p in IT',
  ],
  ['a judge that it did not need', {}, { suite: { judges: [JUDGE] } }, ''],
  [
    'other suites',
    { suite: { suite: 'gaia' } },
    {},
    'the list of suites: mcq in OTHERS; gaia in IT',
  ],
  ['the suites that it came to, if it was killed', { suite: { suite: 'gaia' }, end: null }, {}, ''],
  [
    'anything, if it planned nothing',
    { suite: { trials: 2 }, isPlanned: false, end: null },
    {},
    '',
  ],
])('shards of which one has %s', (_, second, all, differing) => {
  const named = differing.replace('OTHERS', 'shards 1 and 3 of 3').replace(/IT$/, 'shard 2 of 3');
  const expected = differing === '' ? '' : `These shards differ in ${named}.\n${RUN_ALL}`;
  expect(check(second, all, all.manifest?.versions?.['viva'])).toBe(expected);
});

test('several differences are named in one line more, settings first', () => {
  const second = { suite: { trials: 2, prompt_hash: 'q', dataset: 'd', grader: 1, agents: ['b'] } };
  expect(check(second).split('\n')).toEqual([
    'These shards differ in EVAL_TRIALS of mcq: 1 in shards 1 and 3 of 3; 2 in shard 2 of 3.',
    expect.stringMatching(/^They also differ in the agents of mcq, .+ the grader of mcq\.$/),
    RUN_ALL,
  ]);
});

test('questions that are as many, but others, are told apart by a hash', () => {
  const questions = ['b', 'c', 'd', 'e', 'f', 'g'].map((id) => ({ id, group: 'all', hash: '' }));
  expect(check({ suite: { questions } })).toMatch(
    /^These shards differ in the selection of mcq: 6 questions \(hash \w{8}\) in shards 1 and 3 of 3; 6 questions \(hash \w{8}\) in shard 2 of 3\.\n/,
  );
});

test('shards that another version ran are not merged by this one', () => {
  expect(check({}, {}, '9.9.9')).toBe(
    `viva ${readVersion()} ran these shards, and this is viva 9.9.9.\nMerge them with the version that ran them, or run them again.`,
  );
});

test('shards that planned nothing leave nothing to merge', () => {
  const none = { isPlanned: false, end: null };
  expect(check(none, none)).toMatch(
    /^There is nothing to merge: every shard was refused or killed before/,
  );
});

test('a hostile value stays on its line', () => {
  const hostile = `\u001b[2J::error::x\n${'y'.repeat(500)}`;
  const said = check({ suite: { agents: [hostile] } });
  expect(said.split('\n')).toHaveLength(2);
  expect(said).toContain('\\u001b[2J::error::x\\n');
  expect(said.length).toBeLessThan(400);
});
