import { expect, test } from 'vitest';
import { toResult } from '../src/metrics/result.fixture.ts';
import { summarize } from '../src/metrics/summarize.ts';
import { toComparisons } from './agent-table.ts';
import { renderMarkdown } from './markdown.ts';
import { renderTables } from './terminal.ts';

const one = { agent: 'one', latency_ms: 1000, cost_usd: 0.5, cost_estimated: true as const };
const two = { agent: 'two', latency_ms: 3000 };
const rows = [
  toResult('correct', { ...one, id: 'a' }),
  toResult('incorrect', { ...one, id: 'b', group: 'level 2' }),
  toResult('correct', { ...two, id: 'a' }),
  toResult('not_run', { ...two, id: 'b', group: 'level 2' }),
];

test('several agents stand side by side, a column each', () => {
  expect(renderTables(summarize(rows)).split('gaia · made-up · 2 agents\n\n')[1]).toBe(
    [
      '                                 one                two',
      '  accuracy                    50.0 %  in 50.0 - 100.0 %',
      '  95 % interval         9.5 - 90.5 %                  -',
      '  accuracy, level 1          100.0 %            100.0 %',
      '  accuracy, level 2            0.0 %   in 0.0 - 100.0 %',
      '  median latency               1.0 s              3.0 s',
      '  no answer                        0                  0',
      '  errors and time-outs             0                  0',
      '  NOT RUN                          0                  1',
      '  cost (estimated)             $1.00                  -',
      '',
    ].join('\n'),
  );
});

test('Markdown has the same columns', () => {
  const text = renderMarkdown(summarize(rows), ['one <agent> stopped']);
  expect(text).toContain('## gaia · made-up · 2 agents\n\n|  | one | two |\n| --- | --: | --: |\n');
  expect(text).toContain('| cost \\(estimated\\) | $1.00 | \\- |\n\n- one &lt;agent&gt; stopped');
});

test('each suite is compared alone, and one agent with nobody', () => {
  const mcq = toResult('correct', { suite: 'mcq', agent: 'one' });
  expect(toComparisons(summarize([...rows, mcq])).map(({ title }) => title)).toEqual(['gaia · made-up · 2 agents']);
  expect(toComparisons(summarize([mcq]))).toEqual([]);
});

test('what stands in a name reaches no terminal', () => {
  const named = rows.map((row) => ({ ...row, agent: `${row.agent}\u001b[2J` }));
  expect(renderTables(summarize(named))).not.toContain('\u001b');
});
