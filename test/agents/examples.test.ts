import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadGaia, loadMcq } from '../../src/datasets/load.ts';
import { gradeGaia } from '../../src/scoring/gaia/grade-gaia.ts';
import { gradeMcq } from '../../src/scoring/mcq/grade-mcq.ts';
import { toAsked, UNLIMITED } from '../../src/types.fixture.ts';
import type { Attachment, Question } from '../../src/types.ts';
import { makeFolder } from '../make-folder.ts';
import { makeAgent } from './ask-agent.ts';

const PYTHON = 'command:python3 examples/agents/word_problems.py';
const MODULE = 'module:./examples/agents/bookkeeper.ts';
const withoutPython = spawnSync('python3', ['--version']).status !== 0;

async function ask(spec: string, input: string, rest: Partial<Question> = {}) {
  const agent = await makeAgent(spec);
  const context = { ...UNLIMITED, workdir: makeFolder() };
  const { output } = await agent.answer(toAsked(input, rest), context);
  return typeof output === 'string' ? output.trim() : undefined;
}

test.skipIf(withoutPython)(
  'answer what their rules fit in questions of both samples, and nothing wrong',
  async () => {
    const gaia = await loadGaia({ path: 'evals/gaia/sample', sample: true });
    const mcq = await loadMcq({ path: 'evals/mcq/sample/questions.csv', sample: true });
    const samples = [gaia, mcq].flatMap((dataset) => dataset.samples.slice(0, 6));
    const countStates = async (spec: string) => {
      const states = samples.map(async (sample) => {
        const { target, metadata, suite, ...asked } = sample;
        const output = (await ask(spec, sample.input, asked)) ?? null;
        if (suite === 'mcq') return gradeMcq(output, target ?? '', sample).state;
        return gradeGaia(output, target ?? '').state;
      });
      return Map.groupBy(await Promise.all(states), (state) => state);
    };
    for (const [spec, correct] of [
      [PYTHON, 5],
      [MODULE, 1],
    ] as const) {
      const counts = [...(await countStates(spec))].map(([state, { length }]) => [state, length]);
      expect(Object.fromEntries(counts)).toEqual({ correct, no_answer: 12 - correct });
    }
  },
);

test('the module adds up what a table says that is attached', async () => {
  const path = join(makeFolder(), 'loans.csv');
  const rows = [
    'a,map,2031-01-01,2031-01-04',
    'b,map,2031-01-01,2031-03-01',
    'c,globe,2031-01-01,',
  ];
  writeFileSync(path, ['id,category,loaned,returned', ...rows].join('\n'));
  const attachments: readonly Attachment[] = [{ name: 'loans.csv', path }];
  const input =
    'A loan of category "map" is due 2 days after it was loaned, a loan of category "globe" after 9 days. ' +
    'Each further day costs 0.50, but one loan never costs more than 3.00. What do all loans cost?';
  expect(await ask(MODULE, input, { attachments })).toBe('FINAL ANSWER: 3.50');
});
