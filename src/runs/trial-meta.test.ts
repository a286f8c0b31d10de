import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { toResult } from '../metrics/result.fixture.ts';
import type { SampleResult } from '../types.ts';
import { toResultMeta } from './trial-meta.ts';

const trial = {
  suite: 'gaia',
  dataset: 'd'.repeat(60),
  agent: 'a'.repeat(80),
  id: 'i'.repeat(40),
  trial: 1,
  group: 'level 1',
  prompt_hash: '0123456789abcdef',
  question_hash: '0123456789abcdef',
  run: 'r'.repeat(80),
};

/** A wrong result with a text as truth, another as answer, and a reason. */
function toWrong(target: string, answer: string, explanation: string): SampleResult {
  const row = toResult('incorrect', { target });
  return row.state === 'incorrect' ? { ...row, answer, explanation } : row;
}

test.each(['x', 'é', '語', '😀', '\u202E'])('stays below 2 kB however long the texts are: %s', (character) => {
  const long = character.repeat(5000);
  const result = toWrong(long, long, long);
  const meta = toResultMeta(trial, result, long);
  expect(Buffer.byteLength(JSON.stringify(meta))).toBeLessThan(2000);
  expect(JSON.stringify(meta)).not.toContain('\uFFFD');
});

test('holds the question and the reason of a case that is not right', () => {
  const wrong = toWrong('17', '18', '18 is not 17');
  expect(Object.entries(toResultMeta(trial, wrong, 'How many?')).slice(0, 4)).toEqual([
    ['question', 'How many?'],
    ['target', '17'],
    ['answer', '18'],
    ['explanation', '18 is not 17'],
  ]);
  expect(toResultMeta(trial, toResult('correct', {}), 'How many?')).not.toHaveProperty('question');
});

test('holds no text of a record that must not be shown', () => {
  const meta = toResultMeta(trial, toWrong('secret 17', 'secret 18', ''), null);
  expect(JSON.stringify(meta)).not.toContain('secret');
});

test('tells that no target is known, also of what failed', () => {
  expect(toResultMeta(trial, toResult('errored', { target: null }), null)).toMatchObject({ hidden: true });
  expect(toResultMeta(trial, toResult('errored'), null)).not.toHaveProperty('hidden');
});

test('writes control and direction marks out, and keeps line breaks', () => {
  const meta = toResultMeta(trial, toWrong('1\u202E7', '\u001B[2J18', '\u2066x'), 'How\nmany?');
  expect(meta).toMatchObject({
    question: 'How\nmany?',
    target: '1\\u{202e}7',
    answer: '\\u{1b}[2J18',
    explanation: '\\u{2066}x',
  });
});

test('shows whole milliseconds', () => {
  expect(toResultMeta(trial, toResult('correct', { latency_ms: 1234.5678 }), null).latency_ms).toBe(1235);
});

/** Keeps the meta of 300 answers, each found in an output of 1 MB. */
const KEEP_MANY = `
import { toResultMeta } from '${new URL('./trial-meta.ts', import.meta.url).href}';
const kept = [];
for (let index = 0; index < 300; index++) {
  const output = Buffer.alloc(1_000_000, 'because ').toString('latin1');
  kept.push(toResultMeta({}, { state: 'correct', latency_ms: 1, target: '17', answer: output.slice(-40) }, ''));
}
console.log(kept.length, kept.at(-1).answer.length);
`;

test('keeps no output in memory for the answer that was found in it', () => {
  const words = ['--max-old-space-size=100', '--input-type=module', '-e', KEEP_MANY];
  expect(spawnSync(process.execPath, words, { encoding: 'utf8' })).toMatchObject({ status: 0, stdout: '300 40\n' });
});
