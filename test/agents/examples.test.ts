import { expect, test } from 'vitest';
import { loadGaia, loadMcq } from '../../src/data/load.ts';
import { gradeGaia } from '../../src/scoring/gaia/grade-gaia.ts';
import { gradeMcq } from '../../src/scoring/mcq/grade-mcq.ts';
import type { Question } from '../../src/words/sample.ts';
import { toAsked, UNLIMITED } from '../../src/words/types.fixture.ts';
import { makeFile, makeFolder } from '../make-folder.ts';
import { needPython } from '../python.ts';
import { makeAgent } from './ask-agent.ts';

const PYTHON = 'command:python3 examples/agents/word_problems.py';
const MODULE = 'module:./examples/agents/bookkeeper.ts';

async function ask(spec: string, input: string, rest: Partial<Question> = {}) {
  const agent = await makeAgent(spec);
  const context = { ...UNLIMITED, workdir: makeFolder() };
  const { output } = await agent.answer(toAsked(input, rest), context);
  return typeof output === 'string' ? output.trim() : undefined;
}

test('answer the questions that their rules fit, and leave the others open', async (context) => {
  needPython(context);
  const gaia = await loadGaia({ path: 'evals/gaia/sample', sample: true });
  const mcq = await loadMcq({ path: 'evals/mcq/sample/questions.csv', sample: true });
  const samples = [gaia, mcq].flatMap((dataset) => dataset.samples.slice(0, 2));
  const listStates = async (spec: string) => {
    const states = samples.map(async (sample) => {
      const { target, metadata, suite, ...asked } = sample;
      const output = (await ask(spec, sample.input, asked)) ?? null;
      if (suite === 'mcq') return gradeMcq(output, target ?? '', sample).state;
      return gradeGaia(output, target ?? '').state;
    });
    return Promise.all(states);
  };
  const [right, open] = ['correct', 'no_answer'];
  expect(await listStates(PYTHON)).toEqual([right, open, right, right]);
  expect(await listStates(MODULE)).toEqual([open, right, open, open]);
});

test('the module adds up what a table says that is attached', async () => {
  const rows = [
    'id,category,loaned,returned',
    'a,map,2031-01-01,2031-01-04',
    'b,map,2031-01-01,2031-03-01',
    'c,globe,2031-01-01,',
  ];
  const attachments = [{ name: 'loans.csv', path: makeFile('loans.csv', rows.join('\n')) }];
  const input =
    'A loan of category "map" is due 2 days after it was loaned, a loan of category "globe" after 9 days. ' +
    'Each further day costs 0.50, but one loan never costs more than 3.00. What do all loans cost?';
  expect(await ask(MODULE, input, { attachments })).toBe('FINAL ANSWER: 3.50');
});
