import { expect, test } from 'vitest';
import { toTrials } from '../figures/result.fixture.ts';
import type { Json } from '../words/sample.ts';
import { compareVariants } from './compare-runs.ts';
import { type Change, type ComparedVariant, findChanges } from './differences.ts';

const LIVE = {
  fingerprint: 'f',
  cache_key: null,
  deadlines: [['level 1', 180]] as const,
  max_steps: null,
};

const SIDE: ComparedVariant = {
  suite: 'gaia',
  dataset: 'made-up',
  agent: 'a',
  run: 'watch run 1',
  dataset_hash: 'd',
  prompt_hash: 'p',
  prompt_text: null,
  trials: 1,
  hidden: false,
  settings: {},
  conditions: LIVE,
  shard: null,
  results: toTrials('q1', '+'),
};

const replay = (mark: string) => ({
  conditions: { ...LIVE, fingerprint: null },
  results: toTrials('q1', mark),
});
const said = (output: Json) => ({
  ...replay('+'),
  results: toTrials('q1', '+').flatMap((row) =>
    row.state === 'correct' ? [{ ...row, output }] : [],
  ),
});

test.each<[string, Partial<ComparedVariant>, Partial<ComparedVariant>, readonly Change[]]>([
  ['nothing', {}, { results: toTrials('q1', '-') }, []],
  [
    'the prompt and the dataset',
    {},
    { prompt_hash: 'x', dataset_hash: 'x' },
    ['prompt', 'dataset'],
  ],
  ['a file of the agent', {}, { conditions: { ...LIVE, fingerprint: 'x' } }, ['agent']],
  ['the value of EVAL_CACHE_KEY', {}, { conditions: { ...LIVE, cache_key: 'x' } }, ['agent']],
  ['a deadline', {}, { conditions: { ...LIVE, deadlines: [['level 1', 60]] } }, ['limits']],
  ['the step limit', {}, { conditions: { ...LIVE, max_steps: 5 } }, ['limits']],
  ['what a recording says', said('17'), said('18'), ['predictions']],
  ['nothing of a recording that says the same', said({ sum: [17] }), said({ sum: [17] }), []],
  ['nothing that a manifest lacks', { conditions: null }, {}, []],
])('finds that %s changed', (_, a, b, changes) => {
  expect(findChanges({ ...SIDE, ...a }, { ...SIDE, ...b })).toEqual(changes);
});

test('warns of answers that both runs share through the cache or a replay', () => {
  const at = (answered_at: string, cached: boolean) =>
    ['q1', 'q2'].flatMap((id) => toTrials(id, '+').map((row) => ({ ...row, answered_at, cached })));
  const notesOf = (variant: Partial<ComparedVariant>) => {
    const a = { ...SIDE, results: at('2026-01-01', false) };
    return compareVariants(a, { ...SIDE, ...variant }).notes.join();
  };
  const shared = /^2 of 2 answers of B are the very answers of A, by the cache or a replay: p and/;
  expect(notesOf({ results: at('2026-01-01', true) })).toMatch(shared);
  const replay = { conditions: { ...LIVE, recorded_prompt: 'p' } };
  expect(notesOf({ results: at('2026-01-01', false), ...replay })).toMatch(shared);
  // An agent that answers at once may answer both in one millisecond.
  expect(notesOf({ results: at('2026-01-01', false) })).toBe('');
  expect(notesOf({ results: at('2026-01-02', false) })).toBe('');
});

test('compares questions whose expected answers are equal objects', () => {
  const withTarget = (sum: number) => ({
    ...SIDE,
    results: toTrials('q1', '+', { target: { sum } }),
  });
  expect(compareVariants(withTarget(17), withTarget(17)).figures.questions).toBe(1);
  expect(compareVariants(withTarget(17), withTarget(18)).figures.questions).toBe(0);
});
