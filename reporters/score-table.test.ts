import { describe, expect, test } from 'vitest';
import { checkGates } from '../src/figures/gates.ts';
import { calibrate } from '../src/figures/judge-calibration.ts';
import { JUDGE, toResult } from '../src/figures/result.fixture.ts';
import { summarize } from '../src/figures/summarize.ts';
import { renderMarkdown, renderText } from './render.ts';
import { toScoreTable } from './score-table.ts';
import { toOverview } from './tables.ts';

const rows = Array.from({ length: 20 }, (_, index) =>
  toResult('correct', {
    id: `q${index}`,
    group: index < 10 ? 'short' : 'long',
    first_token_ms: 100 + index,
    groups: { size: index < 10 ? 'short' : 'long', topic: index < 5 ? 'law' : 'art' },
    scores: { 'total*': index > 3, closeness: index / 20 },
  }),
);

test('shows named scores below the table of their suite, with their means by group', () => {
  expect(renderText(summarize(rows), [])).toContain(
    [
      '',
      '  score       n    mean  95 % interval  size long  size short  topic art  topic law',
      '  total*     20  80.0 %  58.4 - 91.9 %    100.0 %      60.0 %    100.0 %     20.0 %',
      '  closeness  20   0.475  0.335 - 0.620      0.725       0.225      0.600      0.100',
      '',
    ].join('\n'),
  );
  expect(renderMarkdown(summarize(rows), [])).toContain('| total\\* | 20 | 80.0 % |');
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
  const decided = rows.map((row) => ({ ...row, scores: { kind: true, closeness: 0.5 } }));
  const text = renderText(summarize([...decided, open, { ...open, id: 'other' }]), []);
  expect(text).toMatch(/\n {2}kind +20 +in 90.9 - 100.0 % +- .*\n {2}closeness +20 +0.500 /);
});

test('a grouping without room is left out, the others are shown', () => {
  const sliced = rows.map((row, index) => ({
    ...row,
    groups: { ...row.groups, decade: `${index % 3}0s` },
  }));
  const text = renderText(summarize(sliced), []);
  expect(text).toMatch(/score .* topic law\n/);
});

test('each further grouping has a table, but not the one that the groups are', () => {
  const text = renderText(summarize(rows), []);
  expect(text).toMatch(/by topic:\n\n {2}topic +n .*\n {2}art +15 .*\n {2}law +5 /);
  expect(text).toMatch(/\n {2}size +n /);
  expect(text).not.toContain('by size');
});

test('the time to the first token has columns, its p95 from 20 results on', () => {
  expect(renderText(summarize(rows), [])).toMatch(
    /p95 +first token +first token p95 .*\n {2}long .* 115 ms +- .*\n.*\n {2}all .* 110 ms +118 ms /,
  );
});

test('shows scores of several agents side by side', () => {
  const both = [...rows, ...rows.map((row) => ({ ...row, agent: 'other', scores: { b: null } }))];
  expect(renderText(summarize(both), [])).toMatch(/score: total\* +80.0 % +-\n/);
});

describe('the overview', () => {
  const other = (suite: string) =>
    summarize([...rows, toResult('not_run', { suite, dataset: 'd', agent: 'a' })]);
  const judge = (suite: string, min_accuracy: number, advisory = false) =>
    checkGates(
      [{ suite, dataset: 'made-up', group: 'all', min_accuracy, advisory }],
      { ...summarize(rows), complete: true },
      () => null,
      rows,
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
    expect(renderText(summarize(rows), [])).not.toContain('Overview');
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
