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
  ['- - + -', '+ + - -', '+25.0 pp (95 % -55.1 to +88.5), p = 1; 2 fixed, 1 broken'],
  [
    '-+ ++',
    '++ +-',
    '0.0 pp (95 % -77.5 to +77.5), p = 1; 0 fixed, 0 broken; 1 better and 1 worse in some trials',
  ],
  [
    '+ .',
    '+ +',
    '0.0 pp (95 % -92.4 to +92.4), p = 1; 0 fixed, 0 broken; 1 question not finished in both',
  ],
  ['.', '+', 'none is finished in both'],
])('two agents that answer %s and %s are compared: %s', (small, large, expected) => {
  const [line = ''] = toPairLines(comparisonsOf({ small, large }), SUITE, true);
  expect(line).toMatch(/^large against small, on \d questions?: /);
  expect(line.replace(/^.*?: /, '')).toBe(expected);
});

const AGENTS = { a: '- +', b: '+ -', c: '+ +', d: '- -' };
const [A, B, C] = [{ a: AGENTS.a }, { a: AGENTS.a, b: AGENTS.b }, { a: '- +', b: '+ -', c: '+ +' }];
const CHANCE =
  ' comparisons: each p is of one pair alone, and the more pairs there are, the likelier luck brings one below 0.05.';
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
    ['b against a', 'c against a', 'c against b', `3${CHANCE}`],
  ],
  [
    'three agents with ids',
    C,
    false,
    [
      'b against a',
      ...IDS,
      'c against a',
      '  fixed 1: q1',
      'c against b',
      '  fixed 1: q2',
      `3${CHANCE}`,
    ],
  ],
  [
    'four agents against the first, and what is left out',
    AGENTS,
    true,
    ['b against a', 'c against a', 'd against a', `3${CHANCE}`, OTHERS],
  ],
])('lines show %s', (_rule, agents, isBrief, expected) => {
  const lines = toPairLines(comparisonsOf(agents), SUITE, isBrief);
  expect(lines.map((line) => line.replace(/, on 2 questions: .*/, ''))).toEqual(expected);
});

test('a page shows all pairs of four agents', () => {
  const { pairs, notes } = listPairs(comparisonsOf(AGENTS), SUITE);
  expect(pairs).toHaveLength(6);
  expect(notes).toEqual([`6${CHANCE}`]);
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
