import { describe, expect, test } from 'vitest';
import { toResult } from '../src/metrics/result.fixture.ts';
import { summarize } from '../src/metrics/summarize.ts';
import type { SampleResult } from '../src/types.ts';
import { renderMarkdown } from './markdown.ts';
import { renderTables } from './terminal.ts';

const presented = { seed: 7, target: [2], answer: [2] };
const head = { suite: 'mcq', options: 4, multiple: false, partial: { jaccard: 1, option_f1: 1 } };
const rows = [
  toResult('correct', { ...head, id: 'a', confidence: 'high' }),
  toResult('incorrect', { ...head, id: 'b', confidence: 'low', partial: { jaccard: 0, option_f1: 0.5 } }),
];

describe('a multiple-choice suite', () => {
  test('shows chance and confidence in the terminal, a line each', () => {
    expect(linesOf(rows)).toEqual([
      '  chance level: 25.0 %',
      '  accuracy by stated confidence: low 0.0 % of 1, high 100.0 % of 1',
    ]);
  });

  test('shows them and partial credit in Markdown', () => {
    const text = renderMarkdown(summarize(rows), []);
    expect(text).toContain('\nChance level: 25.0 %\n');
    expect(text).toContain('Mean partial credit \\(no part of accuracy\\): jaccard 50.0 %, option\\_f1 75.0 %\n');
    expect(text).toContain(
      '| confidence | n | correct | accuracy |\n| --- | --: | --: | --: |\n| low | 1 | 0 | 0.0 % |\n',
    );
    expect(text).not.toContain('position');
  });

  test('shows positions only where options were put into another order', () => {
    const shuffled = rows.map((row) => ({ ...row, presented }));
    expect(linesOf(shuffled).slice(2)).toEqual([
      '  by position of the right option, as presented:',
      '',
      '  position  n  correct  accuracy  chosen',
      '         1  0        0         -       0',
      '         2  2        1    50.0 %       2',
      '         3  0        0         -       0',
      '         4  0        0         -       0',
    ]);
    expect(renderMarkdown(summarize(shuffled), [])).toContain('| 2 | 2 | 1 | 50.0 % | 2 |\n');
  });
});

test('a suite of free answers shows nothing of the kind', () => {
  expect(linesOf([toResult('correct')])).toEqual([]);
  expect(renderMarkdown(summarize([toResult('correct')]), [])).not.toMatch(/chance|confidence|partial|position/i);
});

/** What stands below the table of groups. */
function linesOf(results: readonly SampleResult[]): string[] {
  const [, below = ''] = renderTables(summarize(results)).split(/^ {2}all .*\n\n?/m);
  return below
    .trimEnd()
    .split('\n')
    .filter((line, index) => line !== '' || index > 0);
}
