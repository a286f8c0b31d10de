import { describe, expect, test } from 'vitest';
import { checkGates } from '../src/figures/gates.ts';
import { calibrate } from '../src/figures/judge-calibration.ts';
import { JUDGE, toJudged, toResult } from '../src/figures/result.fixture.ts';
import { summarize } from '../src/figures/summarize.ts';
import { formatDollars } from '../src/words/amounts.js';
import type { SampleResult } from '../src/words/row.ts';
import { formatInterval, formatTime } from './format-figures.ts';
import { renderMarkdown, renderText } from './render.ts';
import { toOverview, toScoreTable, toSuiteTable } from './tables.ts';

const one = { agent: 'one', latency_ms: 1000, cost_usd: 0.5, cost_estimated: true as const };
const two = { agent: 'two', latency_ms: 3000 };
const rows = [
  toResult('correct', { ...one, id: 'a' }),
  toResult('incorrect', { ...one, id: 'b', group: 'level 2' }),
  toResult('correct', { ...two, id: 'a' }),
  toResult('not_run', { ...two, id: 'b', group: 'level 2' }),
];

test('shows several agents side by side, a column each', () => {
  expect(renderText(summarize(rows), []).split('gaia · made-up · 2 agents\n\n')[1]?.trimEnd()).toBe(
    [
      '                              one                two',
      '  n                             2                  2',
      '  correct                       1                  1',
      '  accuracy                 50.0 %  in 50.0 - 100.0 %',
      '  95 % interval      9.5 - 90.5 %                  -',
      '  median                    1.0 s              3.0 s',
      '  p95                           -                  -',
      '  no answer                     0                  0',
      '  errors                        0                  0',
      '  NOT RUN                       0                  1',
      '  cost (estimated)          $1.00                  -',
      '  accuracy, level 1       100.0 %            100.0 %',
      '  accuracy, level 2         0.0 %   in 0.0 - 100.0 %',
    ].join('\n'),
  );
});

test.each([
  [['m'], '  a.md@1          b.md@2\n'],
  [
    [`m${'x'.repeat(80)}`, 'm'],
    `a.md@1  m${'x'.repeat(80)}, b.md@2       m, a.md@1       m, b.md@2`,
  ],
])('shows several prompts of the agents %j side by side, a column each', (agents, head) => {
  const variants = agents.flatMap((agent) =>
    ['a.md@1', 'b.md@2'].map((prompt) => toResult('correct', { agent, prompt })),
  );
  expect(
    renderText(summarize(variants), []).split(
      /gaia · made-up · (?:m · )?2 prompts(?: x 2 agents)?\n\n/,
    )[1],
  ).toContain(head);
});

/** The cells of "all" in the columns whose heads match, by their heads. */
function findCells(
  results: readonly SampleResult[],
  heads: RegExp,
): Readonly<Record<string, string | undefined>> {
  const [suite] = summarize(results).suites;
  if (suite === undefined) throw new Error('no suite');
  const { rows } = toSuiteTable(suite);
  const [head = [], all = []] = [rows[0], rows.at(-1)];
  return Object.fromEntries(
    head.map((name, index) => [name, all[index]]).filter(([name]) => heads.test(name ?? '')),
  );
}

const paid = (fields: object) => toResult('correct', { cost_usd: 0.5, ...fields });
const estimated = { cost_estimated: true as const };
const hidden = { id: 'hidden', target: null };
const COST = /cost|new/;
const COUNTS = /^n$|graded|correct|accuracy|errors/;

test.each<[string, RegExp, readonly SampleResult[], Readonly<Record<string, string>>]>([
  [
    'an estimate as one',
    COST,
    [paid({}), paid({ id: 'b', ...estimated })],
    { 'cost (estimated)': '$1.00' },
  ],
  [
    'what is new apart from what was kept',
    COST,
    [paid(estimated), paid({ id: 'b', cached: true, ...estimated })],
    { 'cost (estimated)': '$1.00', 'new cost (estimated)': '$0.50' },
  ],
  [
    'the least it can be where one has no cost',
    COST,
    [paid({}), toResult('correct', { id: 'b' })],
    { cost: 'at least $0.50' },
  ],
  ['that nothing is new', COST, [paid({ cached: true })], { cost: '$0.50', 'new cost': '$0.00' }],
  [
    'how many are graded, and failures among them alone',
    COUNTS,
    [toResult('correct'), toResult('errored', hidden)],
    { n: '2', graded: '1', correct: '1', accuracy: '100.0 %', errors: '0', ungraded: '1' },
  ],
  [
    'no correct ones where nothing is graded',
    COUNTS,
    [toResult('errored', hidden)],
    { n: '1', graded: '0', correct: '-', accuracy: '-', errors: '1' },
  ],
])('shows %s', (_, heads, results, cells) => {
  expect(findCells(results, heads)).toEqual(cells);
});

const presented = { seed: 7, order: ['B', 'A', 'C', 'D'], target: [2], answer: [2] };
const head = { suite: 'mcq', options: 4, multiple: false };
const choiceRows = [
  toResult('correct', { ...head, id: 'a', confidence: 'high' }),
  toResult('incorrect', { ...head, id: 'b', confidence: 'low' }),
];

describe('a multiple-choice suite', () => {
  test('has fewer lines below its table in the terminal than in Markdown', () => {
    expect(linesOf(choiceRows)).toHaveLength(1);
    expect(renderMarkdown(summarize(choiceRows), []).match(/^- /gm)).toHaveLength(2);
  });

  test('shows positions only where options were put into another order', () => {
    const shuffled = choiceRows.map((row) => ({ ...row, presented }));
    expect(linesOf(shuffled).slice(2)).toEqual([
      '  by position of the right option, as presented:',
      '',
      '  position  n  correct  accuracy  chosen',
      '  1         0        0         -       0',
      '  2         2        1    50.0 %       2',
      '  3         0        0         -       0',
      '  4         0        0         -       0',
    ]);
    expect(renderMarkdown(summarize(shuffled), [])).toContain('| 2 | 2 | 1 | 50.0 % | 2 |\n');
  });
});

test('a suite whose expected answers are labels has a row for each, with intervals of ten results or more', () => {
  const targets = Array.from({ length: 21 }, (_, index) => (index % 7 < 4 ? 'spam' : 'ham'));
  const rows = targets.map((target, index) =>
    index === 3
      ? toResult('timed_out', { id: 'q3', target })
      : {
          ...toResult(index % 5 === 0 ? 'incorrect' : 'correct', { id: `q${index}`, target }),
          answer: index % 5 > 0 ? target : index === 5 ? 'news' : target === 'ham' ? 'spam' : 'ham',
        },
  ) as readonly SampleResult[];
  expect(linesOf(rows)).toEqual([
    '  by label:',
    '',
    '  label    expected  given  right               precision                  recall                      F1',
    '  ham             9     10      7                  70.0 %                  77.8 %                  73.7 %',
    '  spam           12      9      8  88.9 % (56.5 - 98.0 %)  66.7 % (39.1 - 86.2 %)  76.2 % (52.4 - 90.3 %)',
    '  (other)                1',
    '  (none)                 1',
    '  macro                                                                            74.9 % (50.4 - 89.8 %)',
  ]);
});

/** The lines below the table of groups. */
function linesOf(results: readonly SampleResult[]): string[] {
  const [, below = ''] = renderText(summarize(results), []).split(/^ {2}all .*\n\n?/m);
  return below
    .trimEnd()
    .split('\n')
    .filter((line, index) => line !== '' || index > 0);
}

test.each([
  [null, false, '-'],
  [2.25, false, '2.3 ms'],
  [850.4, false, '850 ms'],
  [180_000, true, '> 180 s'],
])('the time %j, censored %j, is %s', (ms, censored, text) =>
  expect(formatTime(ms, censored)).toBe(text),
);

test.each([
  [null, '-'],
  [0, '$0.00'],
  [0.00123, '$0.0012'],
  [12.3, '$12.30'],
])('the cost %j is %s', (usd, text) => expect(formatDollars(usd)).toBe(text));

test('an interval names its unit once', () => {
  expect(formatInterval([0.423, 0.754])).toBe('42.3 - 75.4 %');
  expect(formatInterval([0.0000053, 0.00017])).toBe('0.0005 - 0.02 %');
  expect(formatInterval(null)).toBe('-');
});

describe('where a judge decided', () => {
  const measured = calibrate({
    passed: { as_pass: 57, as_fail: 3 },
    failed: { as_pass: 4, as_fail: 36 },
  });
  const judged = ['one', 'two'].flatMap((agent) => toJudged(58, 42, { agent }));

  test('shows corrected accuracy beside the raw one', () => {
    const text = renderText(
      summarize(judged, () => measured),
      [],
    );
    expect(text).toMatch(/accuracy +95 % interval +corrected +corrected 95 % interval/);
    expect(text).toMatch(/all +100 +58 +58\.0 % +48\.2 - 67\.2 % +56\.5 % +42\.2 - 69\.1 %/);
    expect(text).toMatch(/corrected +56\.5 % +56\.5 %/);
  });

  test('shows none until people have labelled', () => {
    expect(renderMarkdown(summarize(judged), [])).not.toContain('corrected');
  });
});

const scored = Array.from({ length: 20 }, (_, index) =>
  toResult('correct', {
    id: `q${index}`,
    group: index < 10 ? 'short' : 'long',
    first_token_ms: 100 + index,
    groups: { size: index < 10 ? 'short' : 'long', topic: index < 5 ? 'law' : 'art' },
    scores: { 'total*': index > 3, closeness: index / 20 },
  }),
);

test('shows named scores below the table of their suite, with their means by group', () => {
  expect(renderText(summarize(scored), [])).toContain(
    [
      '',
      '  score       n    mean  95 % interval  size long  size short  topic art  topic law',
      '  total*     20  80.0 %  58.4 - 91.9 %    100.0 %      60.0 %    100.0 %     20.0 %',
      '  closeness  20   0.475  0.335 - 0.620      0.725       0.225      0.600      0.100',
      '',
    ].join('\n'),
  );
  expect(renderMarkdown(summarize(scored), [])).toContain('| total\\* | 20 | 80.0 % |');
});

test('shows many groups in the report alone, and corrects scores of judges', () => {
  const judge = { ...JUDGE, score: 'kind' };
  const judged = Array.from({ length: 10 }, (_, index) =>
    toResult('correct', { id: `q${index}`, group: `g${index}`, scores: { kind: true }, judge }),
  );
  const labels = { passed: { as_pass: 9, as_fail: 1 }, failed: { as_pass: 0, as_fail: 10 } };
  const text = renderText(
    summarize(judged, () => calibrate(labels)),
    [],
  );
  expect(text).toMatch(
    /score +n +mean +95 % interval +corrected +corrected 95 % interval\n +kind +10 +100.0 % +72.2 - 100.0 % +100.0 % +\d\d.\d - 100.0 %\n/,
  );
  const [suite] = summarize(judged).suites;
  if (suite === undefined) throw new Error('no suite');
  expect(toScoreTable(suite, 10)?.rows[0]?.slice(4)).toEqual(
    Array.from({ length: 10 }, (_, index) => `g${index}`),
  );
});

test('where a verdict is missing, the bounds of the mean are shown', () => {
  const judge = { ...JUDGE, verdicts: ['cannot_tell'], score: 'kind' } as const;
  const scores = { kind: null, closeness: null };
  const open = toResult('incorrect', { id: 'open', scores, judge });
  const decided = scored.map((row) => ({ ...row, scores: { kind: true, closeness: 0.5 } }));
  const text = renderText(summarize([...decided, open, { ...open, id: 'other' }]), []);
  expect(text).toMatch(/\n {2}kind +20 +in 90.9 - 100.0 % +- .*\n {2}closeness +20 +0.500 /);
});

test('a grouping without room is left out, the others are shown', () => {
  const sliced = scored.map((row, index) => ({
    ...row,
    groups: { ...row.groups, decade: `${index % 3}0s` },
  }));
  const text = renderText(summarize(sliced), []);
  expect(text).toMatch(/score .* topic law\n/);
});

test('each further grouping has a table, but not the one that the groups are', () => {
  const text = renderText(summarize(scored), []);
  expect(text).toMatch(/by topic:\n\n {2}topic +n .*\n {2}art +15 .*\n {2}law +5 /);
  expect(text).toMatch(/\n {2}size +n /);
  expect(text).not.toContain('by size');
});

test('the time to the first token has columns, its p95 from 20 results on', () => {
  expect(renderText(summarize(scored), [])).toMatch(
    /p95 +first token +first token p95 .*\n {2}long .* 115 ms +- .*\n.*\n {2}all .* 110 ms +118 ms /,
  );
});

test('shows scores of several agents side by side', () => {
  const both = [
    ...scored,
    ...scored.map((row) => ({ ...row, agent: 'other', scores: { b: null } })),
  ];
  expect(renderText(summarize(both), [])).toMatch(/score: total\* +80.0 % +-\n/);
});

describe('the overview', () => {
  const other = (suite: string) =>
    summarize([...scored, toResult('not_run', { suite, dataset: 'd', agent: 'a' })]);
  const judge = (suite: string, min_accuracy: number, advisory = false) =>
    checkGates(
      [{ suite, dataset: 'made-up', group: 'all', min_accuracy, advisory }],
      { ...summarize(scored), complete: true },
      () => null,
      scored,
    );

  test('begins a run of several suites, in the terminal and in summary.md', () => {
    const gates = [...judge('gaia', 0.9), ...judge('gaia', 0.5)];
    const text = renderText(other('mcq'), [], { gates });
    expect(text.startsWith('\nOverview\n\n  suite ')).toBe(true);
    const [, , , ...lines] = text.split('\n').map((line) => line.trim().split(/ {2,}/));
    expect(lines.slice(0, 3)).toEqual([
      ['suite', 'n', 'accuracy', '95 % interval', 'median', 'NOT RUN', 'gates'],
      ['gaia · made-up · replay', '20', '100.0 %', '83.9 - 100.0 %', '-', '0', 'hold'],
      ['mcq · d · a', '1', 'in 0.0 - 100.0 %', '-', '-', '1', '-'],
    ]);
    expect(renderMarkdown(other('mcq'), [])).toMatch(/^# Evaluation\n\n## Overview\n\n\| suite /);
    expect(renderText(other('gaia'), []).split('\nOverview\n')).toHaveLength(2);
    expect(renderText(summarize(scored), [])).not.toContain('Overview');
  });

  test.each([
    [judge('gaia', 1), 'hold'],
    [
      [...judge('gaia', 1), ...judge('gaia', 1).map((gate) => ({ ...gate, holds: false }))],
      'MISSED',
    ],
    [judge('gaia', 1).map((gate) => ({ ...gate, holds: null })), 'not judged'],
    [judge('gaia', 1, true), undefined],
  ])('has the worst verdict of the gates that decide (%#)', (gates, verdict) => {
    const [, row] = toOverview(other('mcq'), gates)?.rows ?? [];
    expect(row?.[6]).toBe(verdict);
  });
});
