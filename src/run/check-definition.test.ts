import { expect, test } from 'vitest';
import { z } from 'zod';
import { ROOT } from '../../test/e2e/run-vitest.ts';
import { judge } from '../judge/judge.ts';
import { checkDefinition, refuseInnerOptions } from './check-definition.ts';

const data = [{ input: '?', target: 'a' }];

test.each<[string, unknown, unknown, string]>([
  ['no name', { data }, undefined, 'defineEval takes a name and a definition'],
  ['a name that leaves its folder', '..', { data }, 'the name of a suite must be a letter'],
  [
    'a misspelt option',
    'a',
    { data, scorer: () => true },
    'defineEval has no option "scorer". Did you mean score?',
  ],
  [
    'an option of a wrong type',
    'a',
    { data, score: 'yes' },
    '"score" must be a function or judge(...), got "yes".',
  ],
  [
    'a matcher of a trace',
    'a',
    { data, matcher: 'toHaveCalledTools' },
    '"matcher" must be one of toMatchGaiaAnswer, ',
  ],
  [
    'a matcher without a score',
    'a',
    { data, matcher: 'toMatchGaiaAnswer' },
    '"matcher" needs "score"',
  ],
  [
    'a score and scores',
    'a',
    { data, score: () => true, scores: { a: () => true } },
    '"scores" and "score" both decide what is right. Keep one of them.',
  ],
  ['no scores', 'a', { data, scores: {} }, '"scores" has no score. Add one'],
  [
    'a score of a wrong type',
    'a',
    { data, scores: { a: true } },
    'the score "a" must be a function',
  ],
  [
    'pass without scores',
    'a',
    { data, pass: () => true },
    '"pass" decides from what scores return. Add "score"',
  ],
  [
    'a pass that compares a grade as a row has it',
    'a',
    {
      data,
      scores: { depth: judge('Is deep.', { scale: 5 }), kind: () => true },
      pass: ({ depth, kind }: { depth: number; kind: boolean }) => kind && depth >= 4,
    },
    '"pass" is false for every grade. A grade is a number from 0 to 1 there: 4 of 5 is 0.75',
  ],
  ['an unknown format', 'a', { data, output: 'xml' }, '"output" must be \'json\', got "xml".'],
  [
    'a schema that is none',
    'a',
    { data, schema: { output: {} } },
    '"schema.output" must be a schema',
  ],
  [
    'a schema of something else',
    'a',
    { data, schema: { score: z.any() } },
    '"schema" has no "score"',
  ],
  [
    'a group and groups',
    'a',
    { data, group: () => 'a', groups: ['b'] },
    '"group" and "groups" both',
  ],
  ['groups that are not names', 'a', { data, groups: [1] }, '"groups" must be a list of names'],
  ['a group twice', 'a', { data, groups: ['a', 'a'] }, '"groups" must be a list of names'],
  ['half a trial', 'a', { data, trials: 1.5 }, '"trials" must be a whole number from 1 to 1000'],
  [
    'an agent and agents',
    'a',
    { data, agent: 'a', agents: { b: 'c' } },
    '"agent" and "agents" both',
  ],
  ['no agents', 'a', { data, agents: {} }, '"agents" has no agent. Name one, as in agents: {'],
  ['a list of agents', 'a', { data, agents: [() => 'x'] }, '"agents" has no agent'],
  [
    'a comma in the name of a score',
    'a',
    { data, scores: { 'a, b': () => true } },
    'the name of a',
  ],
  ['an agent of a wrong type', 'a', { data, agents: { a: 1 } }, 'the agent "a" must be a function'],
  [
    'several scores in the place of one',
    'a',
    { data, score: { a: () => true } },
    '"score" must be a function or judge(...), got {"a":"[function]"}. Write score: ({ output, target }) => ... for one, or scores: {',
  ],
  [
    'one score in the place of several',
    'a',
    { data, scores: () => true },
    '"scores" must be an object, got () => true. Write scores: { name: ... } for several, or score: (',
  ],
  [
    'a list of scores',
    'a',
    { data, scores: [() => true] },
    '"scores" must have a name for each score, as in scores: {',
  ],
  [
    'the function judge',
    'a',
    { data, score: judge },
    `the score "score" is the function judge. Call it, as in score: judge('Is polite.')`,
  ],
  [
    'a function as "prefer"',
    'own',
    { data, prefer: () => true },
    `"prefer" must be judge(...), got () => true. Write prefer: judge('It is kinder.').`,
  ],
  ['the function judge as "prefer"', 'own', { data, prefer: judge }, '"prefer" must be judge(...)'],
  [
    'an option that judges of pairs lack',
    'own',
    { data, prefer: { type: 'judge', criterion: 'It is kinder.', scale: 5 } },
    '"prefer" says which of two answers is better, and has no "scale". Its judge may have "reference" and "judges".',
  ],
  [
    'judges of pairs that are none',
    'own',
    { data, prefer: { type: 'judge', criterion: 'It is kinder.', judges: [] } },
    '"prefer": "judges" of judge must be a list of models',
  ],
  [
    'a judge with nobody to ask',
    'a',
    { data, scores: { tone: { type: 'judge', criterion: 'Is polite.', judges: [] } } },
    'the score "tone": "judges" of judge must be a list of models',
  ],
  [
    'a judge without a criterion',
    'a',
    { data, score: { type: 'judge', criterion: ' ' } },
    'the score "score": judge needs a criterion',
  ],
  [
    'a judge with a misspelt option',
    'a',
    { data, score: { type: 'judge', criterion: 'a', judge: [] } },
    'the score "score": judge has no option "judge". Did you mean judges?',
  ],
  [
    'a grade alone, which decides nothing',
    'a',
    { data, score: judge('a', { scale: 5 }) },
    '"score" gives a grade, from 0 for grade 1 to 1 for the highest, and nothing says which answers are right. Add "pass", as in pass: ({ score }) => score >= 0.75',
  ],
  [
    'grades alone',
    'a',
    { data, scores: { tone: judge('a', { scale: 5 }), 'to the point': judge('b', { scale: 3 }) } },
    '"tone", "to the point" give grades',
  ],
  [
    'a scale of many grades',
    'a',
    { data, score: { type: 'judge', criterion: 'a', scale: 100 } },
    'the score "score": "scale" of judge must be a whole number from 3 to 10, the highest grade, got 100.',
  ],
  [
    'a scale of two grades',
    'a',
    { data, score: { type: 'judge', criterion: 'a', scale: 2 } },
    'the score "score": "scale" of judge must be a whole number from 3 to 10, got 2. Leave it out for two grades',
  ],
  [
    'a scale that is a list',
    'a',
    { data, score: { type: 'judge', criterion: 'a', scale: ['A', 'E'] } },
    'the score "score": "scale" of judge must be a whole number from 3 to 10, the highest grade, got ["A","E"].',
  ],
  [
    'levels without a scale',
    'a',
    { data, score: { type: 'judge', criterion: 'a', levels: { 1: 'a' } } },
    'the score "score": "levels" of judge are those of a scale. Add the highest grade, as in scale: 5.',
  ],
  [
    'a level outside the scale',
    'a',
    { data, score: { type: 'judge', criterion: 'a', scale: 5, levels: { 0: 'a' } } },
    `the score "score": "levels" of judge has "0", and the grades are 1 to 5, as in levels: { 1: 'names no source', 5: 'names all' }.`,
  ],
  [
    'a list of levels',
    'a',
    { data, score: { type: 'judge', criterion: 'a', scale: 5, levels: ['a', 'b'] } },
    'the score "score": "levels" of judge must say what grades mean, as in levels: {',
  ],
  [
    'a level without a text',
    'a',
    { data, score: { type: 'judge', criterion: 'a', scale: 5, levels: { 1: '' } } },
    'the score "score": "levels" of judge must have a text for grade 1, got "".',
  ],
  [
    'one agent in the place of several',
    'a',
    { data, agents: './a.ts' },
    '"agents" must be an object, got "./a.ts". Write agents: { small: ..., large: ... } for several, or agent: ... for one.',
  ],
  [
    'several agents in the place of one',
    'a',
    { data, agent: { a: './a.ts' } },
    '"agent" must be a function, a path, a model or an object with "answer", got {"a":"./a.ts"}. Several agents are named',
  ],
  [
    'a limit in the place of a function',
    'a',
    { data, scores: { a: () => 1 }, pass: { a: 0.5 } },
    '"pass" must be a function, got {"a":0.5}. Write a function of all scores',
  ],
  [
    'one schema in the place of three',
    'a',
    { data, schema: z.string() },
    '"schema" is one schema. Say of what it is',
  ],
  [
    'an option of another tool',
    'a',
    { data, task: () => 'x' },
    'defineEval has no option "task". Who is asked is "agent".',
  ],
  [
    'a time limit under another name',
    'a',
    { data, timeoutMs: 5000 },
    'defineEval has no option "timeoutMs". How long a question may take is "timeoutSeconds".',
  ],
  ['a list as definition', 'a', [data], 'defineEval takes a name and a definition, got ['],
  ['an agent without a name', 'a', { data, agents: { '': 'x' } }, 'the name of an agent must have'],
])('refuses %s with the file', (_, name, definition, message) => {
  expect(() => checkDefinition(name, definition, 'evals/a.eval.ts')).toThrow(
    `evals/a.eval.ts: ${message}`,
  );
});

test('a pass may want one grade low, read what scores return, or throw', () => {
  const scores = { bad: judge('Is bad.', { scale: 5 }), deep: judge('Is deep.', { scale: 3 }) };
  for (const pass of [
    ({ bad, deep }: Record<string, number>) => Number(bad) <= 0.25 && Number(deep) >= 0.75,
    ({ bad }: Record<string, number>) => bad === 0.5,
    () => {
      throw new Error('later');
    },
  ])
    expect(() => checkDefinition('a', { data, scores, pass }, 'a.eval.ts')).not.toThrow();
});

test.each<[object, string | null]>([
  [{ levels: true }, '"levels". Fields that group the samples are "groups".'],
  [{ agent: 'm', predictions: './a.jsonl' }, '"predictions". Recorded answers are an agent: '],
  [{ exports: ['x'] }, '"exports".'],
  [{ matcher: 'toMatchGaiaAnswer', score: () => true }, '"matcher". What judges answers is'],
  [{ predictions: `${ROOT}/evals/gaia/sample/predictions.jsonl`, levels: true }, null],
  [{ score: () => true }, null],
])('options of GAIA are for the suites of viva alone: %j', (definition, message) => {
  const check = () => refuseInnerOptions({ data, ...definition }, 'evals/a.eval.ts');
  if (message === null) expect(check).not.toThrow();
  else expect(check).toThrow(`evals/a.eval.ts: defineEval has no option ${message}`);
});
