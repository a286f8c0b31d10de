import { expect, test } from 'vitest';
import { checkDefinition } from './check-definition.ts';

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
    '"score" must be a function, got "yes".',
  ],
  [
    'a matcher of a trace',
    'a',
    { data, matcher: 'toStayWithin' },
    '"matcher" must be one of toMatchGaiaAnswer, ',
  ],
  [
    'an unknown matcher',
    'a',
    { data, matcher: 'toBeNice' },
    '"matcher" must be one of toMatchGaiaAnswer, ',
  ],
  [
    'a matcher without a score',
    'a',
    { data, matcher: 'toMatchGaiaAnswer' },
    '"matcher" needs "score"',
  ],
])('refuses %s with the file', (_, name, definition, message) => {
  expect(() => checkDefinition(name, definition, 'evals/a.eval.ts')).toThrow(
    `evals/a.eval.ts: ${message}`,
  );
});
