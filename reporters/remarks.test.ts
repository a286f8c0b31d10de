import { expect, test } from 'vitest';
import { listSubjects, type Remark, toSentences } from './remarks.ts';

const subjects = ['a', 'b', 'c'].flatMap((agent) => [
  { suite: 'gaia', agent },
  { suite: 'mcq', agent },
]);

const say = (suite: string, agent: string | null, text: string): Remark => ({ suite, agent, text });

test.each<[string, readonly Remark[], readonly string[]]>([
  [
    'are in order of suites, and of agents in each',
    [
      say('mcq', 'a', '1'),
      say('gaia', 'b', '2'),
      say('gaia', 'a', '3'),
      say('gaia', null, '4'),
      say('gaia', 'a', '5'),
    ],
    ['gaia: 4', 'gaia, a: 3', 'gaia, a: 5', 'gaia, b: 2', 'mcq, a: 1'],
  ],
  [
    'that are the same of all agents are said once, before those of one',
    [say('gaia', 'a', 'x'), ...['a', 'b', 'c'].map((agent) => say('gaia', agent, 'same'))],
    ['gaia, each of the 3 agents: same', 'gaia, a: x'],
  ],
  [
    'that are the same of some agents name them',
    [say('gaia', 'b', 'same'), say('gaia', 'c', 'same'), say('mcq', 'c', 'same')],
    ['gaia, b and c each: same', 'mcq, c: same'],
  ],
  ['of a suite without figures are kept', [say('other', 'd', 'x')], ['other, d: x']],
])('remarks %s', (_, remarks, lines) => {
  expect(toSentences(remarks, subjects)).toEqual(lines);
});

test('remarks of several prompts name them', () => {
  const prompts = ['x.md', 'y.md'].map((name) => ({ name, hash: '0123456789abcdef', file: '' }));
  const variants = listSubjects([
    { suite: 'gaia', agents: ['a'], prompts, prompt_hash: '', conditions: [] },
  ]);
  const [first] = variants.map((variant) => ({ ...variant, text: 'one' }));
  const remarks = [
    ...variants.map((variant) => ({ ...variant, text: 'same' })),
    ...(first === undefined ? [] : [first]),
  ];
  expect(toSentences(remarks, variants)).toEqual([
    'gaia, each of the 2 prompts: same',
    'gaia, a, x.md@01234567: one',
  ]);
});
