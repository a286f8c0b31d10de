import { describe, expect, test } from 'vitest';
import type { Sample } from '../types.ts';
import { hashDataset, hashQuestion, toQuestion } from './question.ts';
import { Workdir } from './workdir.ts';

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
