import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAgents } from '../../src/agents/index.ts';
import { parseAgentSpecs } from '../../src/agents/kinds.ts';
import type { Attachment, Question } from '../../src/types.ts';
import { readRows, runFolderOf, runVitest } from '../e2e/run-vitest.ts';
import { makeFolder } from '../make-folder.ts';

const PYTHON = 'command:python3 examples/agents/word_problems.py';
const MODULE = 'module:./examples/agents/bookkeeper.ts';
const withoutPython = spawnSync('python3', ['--version']).status !== 0;

async function ask(spec: string, input: string, rest: Partial<Question> = {}) {
  const [parsed] = parseAgentSpecs(spec) ?? [];
  if (parsed === undefined) throw new Error(`${spec} names no agent.`);
  const [agent] = await createAgents(parsed, { suite: 'gaia', ids: [], predictions: '' });
  const question = { id: 'q', suite: 'gaia', input, prompt: input, group: 'all', attachments: [], ...rest };
  const signal = new AbortController().signal;
  const answer = await agent?.answer(question, { signal, workdir: makeFolder(), maxSteps: null, trial: 1 });
  return answer?.text?.trim();
}

test.skipIf(withoutPython)(
  'answer what their rules fit in the first questions of both samples, and nothing wrong',
  {
    timeout: 120_000,
  },
  async () => {
    const run = await runVitest(['run', 'evals'], { EVAL_AGENT: `${PYTHON},${MODULE}`, EVAL_LIMIT: '15' });
    const rows = readRows(runFolderOf(run.dir));
    const countOf = (agent: string, state: string) =>
      rows.filter((row) => row.agent === agent && row.state === state).length;
    expect([PYTHON, 'bookkeeper'].map((agent) => [countOf(agent, 'correct'), countOf(agent, 'no_answer')])).toEqual([
      [5, 25],
      [2, 28],
    ]);
  },
);

test('the module adds up what a table says that is attached', async () => {
  const path = join(makeFolder(), 'loans.csv');
  const rows = ['a,map,2031-01-01,2031-01-04', 'b,map,2031-01-01,2031-03-01', 'c,globe,2031-01-01,'];
  writeFileSync(path, ['id,category,loaned,returned', ...rows].join('\n'));
  const attachments: readonly Attachment[] = [{ name: 'loans.csv', path }];
  const input =
    'A loan of category "map" is due 2 days after it was loaned, a loan of category "globe" after 9 days. ' +
    'Each further day costs 0.50, but one loan never costs more than 3.00. What do all loans cost?';
  expect(await ask(MODULE, input, { attachments })).toBe('FINAL ANSWER: 3.50');
});
