import { join, relative } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { messageOf } from '../../test/message-of.ts';
import { readConfig } from '../config.ts';
import type { Sample } from '../types.ts';
import { checkPrompt, findPresentationSeed, hashDataset, hashQuestion, toQuestion } from './prompt.ts';
import { Workdir } from './workdir.ts';

/** What is said of a prompt that lies beside its suite. */
function problemOf(prompt: string): string {
  const folder = makeFolder({ 'own.eval.ts': '', 'notes.md': 'notes', 'my-prompt.md': prompt });
  const message = messageOf(() => checkPrompt(prompt, join(folder, 'own.eval.ts')));
  const file = relative(process.cwd(), join(folder, 'my-prompt.md'));
  return message.startsWith(`${file}: `) ? message.slice(file.length + 2) : message;
}

describe('checkPrompt', () => {
  test('accepts the known placeholders', () => {
    expect(() => checkPrompt('{{ question }} {{choices}} {{attachments}} {{group}}', '')).not.toThrow();
  });

  test.each(['{{target}}', '{{ toString }}', '{{__proto__}}', '{{Question}}'])('refuses %s', (placeholder) => {
    const problem = `the prompt has an unknown placeholder, "${placeholder}". Use {{question}}, {{choices}}, `;
    expect(problemOf(`{{question}} ${placeholder}`)).toContain(problem);
  });

  test.each([
    ['{question}', 'Answer {"a": "B"} {x}\n{question}'],
    ['%question%', 'Answer %question%'],
    ['{{ question.text }}', '{{ question.text }}'],
    ['<question>', 'Answer <question>'],
    ['{input}', 'Answer [YOUR ANSWER] {input}'],
  ])('refuses %s for {{question}}', (found, prompt) => {
    expect(problemOf(prompt)).toBe(
      `the prompt has no {{question}}, so every sample would be asked without its question. It has "${found}". Write {{question}} where the question belongs.`,
    );
  });

  test('refuses a prompt without anything like it, and names its suite where it lies in no file beside it', () => {
    const folder = makeFolder({ 'own.eval.ts': '' });
    const file = join(folder, 'own.eval.ts');
    expect(messageOf(() => checkPrompt('Answer {{choices}}.', file))).toBe(
      `${relative(process.cwd(), file)}: the prompt has no {{question}}, so every sample would be asked without its question. Write {{question}} where the question belongs.`,
    );
  });
});

const sample: Sample = {
  id: 'q1',
  suite: 'mcq',
  input: 'Pick {{choices}} or $& or $1',
  target: 'SECRET',
  group: 'all',
  choices: { A: 'one', B: 'two' },
  attachments: [{ name: 'a.txt', path: '/data/a.txt' }],
  metadata: { solution: 'SECRET' },
};

describe('toQuestion', () => {
  test('leaves target and metadata out of the value, not only of its type', () => {
    const question = toQuestion(sample, '{{question}}', new Workdir([]));
    expect('target' in question).toBe(false);
    expect('metadata' in question).toBe(false);
    expect(JSON.stringify(question)).not.toContain('SECRET');
  });

  test('fills each placeholder once and inserts what it says as it is', () => {
    const { prompt } = toQuestion(
      sample,
      'Q: {{question}}\n{{ choices }}\nFiles: {{attachments}} ({{group}})',
      new Workdir([]),
    );
    expect(prompt).toBe('Q: Pick {{choices}} or $& or $1\nA. one\nB. two\nFiles: attachment.txt (all)');
  });
});

describe('hashes', () => {
  test('change with the question, not with its target', () => {
    expect(hashQuestion({ ...sample, target: 'other' })).toBe(hashQuestion(sample));
    expect(hashQuestion({ ...sample, input: 'other' })).not.toBe(hashQuestion(sample));
    expect(hashQuestion({ ...sample, choices: { A: 'two', B: 'one' } })).not.toBe(hashQuestion(sample));
  });

  test('of a dataset change with a target', () => {
    expect(hashDataset([{ ...sample, target: 'other' }])).not.toBe(hashDataset([sample]));
  });
});

const PRESENTED =
  '{"version":1,"suite":"mcq","id":"a","state":"correct","presented":{"seed":9,"target":[1],"answer":[1]}}\n';
const PLAIN = '{"version":1,"suite":"mcq","id":"a","state":"correct"}\n';

it.each([
  ['module:./agent.ts', 7, 7],
  ['replay', 7, null],
  ['replay:predictions.jsonl', 7, null],
  ['replay:SHUFFLED', null, 9],
  ['replay:SHUFFLED', 7, 9],
  ['replay:PLAIN', 7, null],
  ['replay:SHUFFLED,module:./agent.ts', 9, 9],
])('of %s with the seed %j set is %j', (agents, set, seed) => {
  expect(findSeed(agents, set)).toBe(seed);
});

it('refuses agents that see different orders', () => {
  expect(() => findSeed('replay,module:./agent.ts', 7)).toThrow(
    'EVAL_AGENT names agents that see options in different orders: replay (as in the file) and module:./agent.ts (shuffled with 7). Run them one by one.',
  );
});

function findSeed(agents: string, set: number | null): number | null {
  const shuffled = makeFolder({ 'samples.jsonl': PRESENTED });
  const plain = makeFolder({ 'samples.jsonl': PLAIN });
  const named = agents.replace('SHUFFLED', shuffled).replace('PLAIN', plain);
  const env = set === null ? {} : { EVAL_SHUFFLE_CHOICES: String(set) };
  return findPresentationSeed(readConfig({ EVAL_AGENT: named, ...env }), 'mcq');
}
