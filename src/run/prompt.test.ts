import { describe, expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { makeRun } from '../../test/make-run.ts';
import { DEFAULT_AGENT } from '../agents/kinds.ts';
import { loadMcq } from '../data/load.ts';
import { shuffleDataset } from '../data/shuffle-choices.ts';
import { toResult } from '../figures/result.fixture.ts';
import { readConfig } from '../settings.ts';
import type { Sample } from '../words/sample.ts';
import { toSample } from '../words/types.fixture.ts';
import {
  checkPrompt,
  DEFAULT_PROMPT,
  fillPrompt,
  hashDataset,
  hashQuestion,
  toQuestion,
} from './prompt.ts';
import { findPresentationSeed, orderChoices } from './samples.ts';
import { Workdir } from './workdir.ts';

const UNKNOWN = 'an unknown placeholder, ';
const NO_QUESTION =
  'no {{question}}, so every sample would be asked without its question. Write {{question}} where the question belongs.';

test.each([
  ['{{question}} {{target}}', `${UNKNOWN}"{{target}}". Use {{question}}, {{choices}}, `],
  ['{{question}} {{ toString }}', `${UNKNOWN}"{{ toString }}"`],
  ['Answer {question}', NO_QUESTION],
  ['Answer {{choices}}.', NO_QUESTION],
])('the prompt %j is refused', (prompt, problem) => {
  const check = () => checkPrompt(prompt, 'evals/a.eval.ts');
  expect(check).toThrow(`The prompt of evals/a.eval.ts has ${problem}`);
});

const sample = toSample({
  input: 'Pick {{choices}} or $& or $1',
  target: 'SECRET',
  choices: { A: 'one', B: 'two' },
  attachments: [{ name: 'a.txt', path: '/data/a.txt' }],
});

/** What an agent is asked, and what its answer is cached under, where a record has these fields. */
async function ask(fields: object) {
  const record = {
    id: 'q1',
    question: 'Which?',
    options: ['ant', 'bee', 'cow', 'All of the above'],
    ...fields,
  };
  const path = `${makeFolder({ 'q.json': JSON.stringify([record]) })}/q.json`;
  const dataset = await loadMcq({ path });
  const samples = [...dataset.samples, ...shuffleDataset(dataset, 7).samples];
  const asked = samples.map((each) => [
    toQuestion(each, '{{question}} {{choices}}', new Workdir([])),
    hashQuestion(each),
  ]);
  return { targets: dataset.samples.map(({ target }) => target), text: JSON.stringify(asked) };
}

test.each([
  [{ answer: ['A', 'C'] }, 'A,C'],
  [{ answer: [1, 0, 1, 0] }, 'A,C'],
  [{ answer: 'NONE' }, 'NONE'],
])('a record with %j is asked as one with a single right option', async (fields, target) => {
  const [several, one] = [await ask(fields), await ask({ answer: 'B' })];
  expect(several.targets).toEqual([target]);
  expect(several.text).toBe(one.text);
  expect(several.text).not.toContain('multiple');
});

test('where the record says that several options may be right, the agent is told', async () => {
  const told = await ask({ answer: 'B', question_type: 'multiple answers' });
  expect(told.text).toContain('"multiple":true');
  expect(told.text).toBe((await ask({ answer: 'A,C', question_type: 'multiple answers' })).text);
});

describe('toQuestion', () => {
  test('is a copy that an agent may change', () => {
    const before = structuredClone(sample);
    const workdir = new Workdir([{ name: 'a.txt', path: import.meta.filename }]);
    onTestFinished(() => workdir.remove());
    const question = toQuestion(sample, '{{question}}', workdir);
    Object.assign(question.choices ?? {}, { A: 'changed' });
    Object.assign(question.attachments[0] ?? {}, { path: '/etc/passwd' });
    expect(sample).toEqual(before);
    expect(question.attachments[0]?.path).toMatch(/attachment\.txt$/);
  });

  test('fills each placeholder once and inserts its value unchanged', () => {
    const template = 'Q: {{question}}\n{{ choices }}\nFiles: {{attachments}} ({{group}})';
    const { prompt } = toQuestion(sample, template, new Workdir([]));
    expect(prompt).toBe(
      'Q: Pick {{choices}} or $& or $1\nA. one\nB. two\nFiles: attachment.txt (all)',
    );
  });

  test.each([
    ['the question and its options', sample, 'Pick {{choices}} or $& or $1\n\nA. one\nB. two'],
    ['the question alone', { ...sample, choices: {} }, 'Pick {{choices}} or $& or $1'],
  ])('without a prompt: %s', (_, asked, expected) => {
    expect(fillPrompt(asked, DEFAULT_PROMPT)).toBe(expected);
  });
});

test('the hash of a question depends on the question alone, that of a dataset on its targets too', () => {
  const other = { ...sample, target: 'other' };
  expect(hashQuestion(other)).toBe(hashQuestion(sample));
  expect(hashQuestion({ ...sample, input: 'other' })).not.toBe(hashQuestion(sample));
  expect(hashQuestion({ ...sample, choices: { A: 'two', B: 'one' } })).not.toBe(
    hashQuestion(sample),
  );
  expect(hashDataset([other])).not.toBe(hashDataset([sample]));
});

const PRESENTED = { seed: 9, target: [1], answer: [1] };

function findSeed(agents: string, set: number | null): number | null {
  const shuffled = makeRun([{ ...toResult('correct', { suite: 'mcq' }), presented: PRESENTED }]);
  const named = agents.replace('SHUFFLED', shuffled);
  const env = set === null ? {} : { EVAL_SHUFFLE_CHOICES: String(set) };
  const config = readConfig({ EVAL_AGENT: named, ...env });
  return findPresentationSeed(config.agents ?? [], config, 'mcq');
}

test.each([
  ['module:./agent.ts', 7, 7],
  ['replay:predictions.jsonl', 7, null],
  ['replay:SHUFFLED', null, 9],
  ['replay:SHUFFLED,module:./agent.ts', 9, 9],
])('the seed for %s with %j set is %j', (agents, set, seed) => {
  expect(findSeed(agents, set)).toBe(seed);
});

test('agents that see different orders are refused', () => {
  expect(() => findSeed('replay,module:./agent.ts', 7)).toThrow(
    'EVAL_AGENT names agents that see options in different orders: replay (as in the file) and module:./agent.ts (shuffled with 7). Run them one by one.',
  );
});

test('another order of options is refused for replayed answers, which name those of then', () => {
  const order = (asked: Sample) =>
    orderChoices(
      { name: 'd', samples: [asked], notes: [] },
      [DEFAULT_AGENT],
      readConfig({ EVAL_SHUFFLE_CHOICES: '3' }),
      'mcq',
    );
  expect(() => order(sample)).toThrow(
    /^EVAL_SHUFFLE_CHOICES=3 cannot shuffle the options of suite mcq: .+ Unset it, or name/,
  );
  const { choices, ...open } = sample;
  expect(order(open).samples).toEqual([open]);
});
