import { expect, test } from 'vitest';
import { listFlips, listPairs, toPairLines } from '../../reporters/comparison.ts';
import { makeRun } from '../../test/make-run.ts';
import { comparePairs, readComparedRun } from './compare-runs.ts';
import { toRun, toTrials } from './result.fixture.ts';

/** The comparisons of agents, each given by the trials of its questions: "+ -+". */
function comparisonsOf(agents: Readonly<Record<string, string>>) {
  const rows = Object.entries(agents).flatMap(([agent, questions]) =>
    toRun(questions.split(' '), { agent }),
  );
  return comparePairs(readComparedRun(makeRun(rows)).variants);
}

const SUITE = { suite: 'gaia', dataset: 'made-up' };

// By hand: N = 6, mean 1/6, half 1.96 sqrt((5/6 - (1/6)^2) / 6) = 0.718.
test.each([
  [
    '- - + -',
    '+ + - -',
    '+25.0 pp (95 % -55.1 to +88.5), p = 1; 2 fixed, 1 broken; with 4 questions p cannot be below 0.05',
  ],
  [
    '-+ ++',
    '++ +-',
    '0.0 pp (95 % -77.5 to +77.5), p = 1; 0 fixed, 0 broken; 1 better and 1 worse in some trials; with 2 questions p cannot be below 0.05',
  ],
  [
    '+ .',
    '+ +',
    '0.0 pp (95 % -92.4 to +92.4), p = 1; 0 fixed, 0 broken; 1 question not finished in both; with 1 question p cannot be below 0.05',
  ],
  ['.', '+', 'none is finished in both'],
])('two agents that answer %s and %s are compared: %s', (small, large, expected) => {
  const [line = ''] = toPairLines(comparisonsOf({ small, large }), SUITE, true);
  expect(line).toMatch(/^large against small, on \d questions?: /);
  expect(line.replace(/^.*?: /, '')).toBe(expected);
});

const AGENTS = { a: '- +', b: '+ -', c: '+ +', d: '- -' };
const [A, B, C] = [{ a: AGENTS.a }, { a: AGENTS.a, b: AGENTS.b }, { a: '- +', b: '+ -', c: '+ +' }];
const OTHERS =
  '3 more pairs: a is compared with each; viva compare RUN:NAME RUN:NAME compares any two.';
const IDS = ['  broken 1: q2', '  fixed 1: q1'];

test.each<[string, Readonly<Record<string, string>>, boolean, readonly string[]]>([
  ['nothing of one agent', A, true, []],
  ['the ids of one pair, also in brief', B, true, ['b against a', ...IDS]],
  [
    'three agents in all pairs, in brief without ids',
    C,
    true,
    ['b against a', 'c against a', 'c against b'],
  ],
  [
    'three agents with ids',
    C,
    false,
    ['b against a', ...IDS, 'c against a', '  fixed 1: q1', 'c against b', '  fixed 1: q2'],
  ],
  [
    'four agents against the first, and what is left out',
    AGENTS,
    true,
    ['b against a', 'c against a', 'd against a', OTHERS],
  ],
])('lines show %s', (_rule, agents, isBrief, expected) => {
  const lines = toPairLines(comparisonsOf(agents), SUITE, isBrief);
  expect(lines.map((line) => line.replace(/, on 2 questions: .*/, ''))).toEqual(expected);
});

test('a page shows all pairs of four agents', () => {
  const { pairs, notes } = listPairs(comparisonsOf(AGENTS), SUITE);
  expect(pairs).toHaveLength(6);
  expect(notes).toEqual([]);
});

test('prompts of one agent have the names of their columns, and hidden answers stay hidden', () => {
  const rows = ['a.md', 'b.md'].flatMap((name, index) => {
    const prompt_hash = `0000000${index}`;
    const mark = index === 0 ? '-' : '+';
    return toTrials('q1', mark, { agent: 'm', prompt: `${name}@${prompt_hash}`, prompt_hash });
  });
  const folder = makeRun(rows);
  const linesOf = (ci: boolean) =>
    listPairs(comparePairs(readComparedRun(folder, { ci }).variants), SUITE).pairs.map(
      ({ line, comparison }) => [line, ...listFlips(comparison).map(({ text }) => text)],
    );
  const line = expect.stringMatching(/^b\.md@00000001 against a\.md@00000000, on 1 question: /);
  expect(linesOf(false)).toEqual([[line, 'fixed 1:', '  q1: text -> text (expected truth)']]);
  expect(linesOf(true)).toEqual([[line, 'fixed 1: q1']]);
});

test('p of several pairs is shown with that of Holm for all of the suite, also where fewer are shown', () => {
  const agents = { a: '- - - - - - -', b: '+ + + + + + +', c: '- - - - - - +' };
  const lines = toPairLines(comparisonsOf(agents), SUITE, true);
  expect(lines.map((line) => /p [=<].*\)/.exec(line.replace(/\(95.*?\)/, ''))?.[0])).toEqual([
    // By hand: 2 / 2^7, 1, 2 / 2^6; times 3, 2 and 1 in the order of their sizes.
    'p = 0.016 (0.047 for 3 pairs)',
    'p = 1 (1 for 3 pairs)',
    'p = 0.031 (0.063 for 3 pairs)',
  ]);
  const four = listPairs(comparisonsOf({ ...agents, d: '- - - - - - -' }), SUITE, 3);
  expect(four.pairs.map(({ comparison }) => comparison.among_pairs?.pairs)).toEqual([6, 6, 6]);
  expect(comparisonsOf({ a: agents.a, b: agents.b })[0]?.among_pairs).toBeUndefined();
});
