import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { toResult } from '../figures/result.fixture.ts';
import type { SampleResult } from '../words/row.ts';
import { appendResult, appendResultSoon, flushResults, readSampleLog } from './sample-log.ts';
import { resultKey, toResultMeta } from './trial-meta.ts';

function makeLog(text: string): string {
  const folder = makeFolder();
  writeFileSync(join(folder, 'samples.jsonl'), text);
  return folder;
}

const row = (id: string) => JSON.stringify(toResult('correct', { id }));

test('counts a torn line and keeps the rows around it', () => {
  const folder = makeLog(`${row('a')}\n${row('b').slice(0, 20)}\n`);
  appendFileSync(join(folder, 'samples.jsonl'), `${row('c')}\n${row('d').slice(0, 9)}`);
  const { results, unreadable } = readSampleLog(folder);
  expect(results.map(({ id }) => id)).toEqual(['a', 'c']);
  expect(unreadable).toBe(2);
});

test('tells trials apart by every part of their identity', () => {
  const identity = { suite: 's', dataset: 'd', agent: 'a', id: 'i', trial: 1 };
  const others = [
    { suite: 'x' },
    { dataset: 'x' },
    { agent: 'x' },
    { prompt: 'x' },
    { id: 'x' },
    { trial: 2 },
  ];
  const keys = [identity, ...others.map((change) => ({ ...identity, ...change }))].map(resultKey);
  expect(new Set(keys).size).toBe(7);
});

test('appends rows to one folder after another', () => {
  const [first, second] = [makeFolder(), makeFolder()];
  const results = ['a', 'b', 'c'].map((id) => toResult('correct', { id }));
  for (const [index, result] of results.entries())
    appendResult(index === 1 ? second : first, result);
  expect(readSampleLog(first).results.map(({ id }) => id)).toEqual(['a', 'c']);
  expect(readSampleLog(second).results.map(({ id }) => id)).toEqual(['b']);
});

test('rows that wait are written together, and before the row of an answer that was paid for', () => {
  const folder = makeFolder();
  const written = () => readSampleLog(folder).results.map(({ id }) => id);
  for (const id of ['a', 'b']) appendResultSoon(folder, toResult('correct', { id }));
  expect(written()).toEqual([]);
  appendResult(folder, toResult('correct', { id: 'c' }));
  expect(written()).toEqual(['a', 'b', 'c']);
  appendResultSoon(folder, toResult('correct', { id: 'd' }));
  flushResults();
  expect(written()).toEqual(['a', 'b', 'c', 'd']);
});

const plannedTrial = {
  suite: 'gaia',
  dataset: 'd'.repeat(60),
  agent: 'a'.repeat(80),
  id: 'i'.repeat(40),
  trial: 1,
  group: 'level 1',
  prompt_hash: '1'.repeat(16),
  question_hash: '2'.repeat(16),
  run: 'r'.repeat(80),
};

/** A wrong result with a text as truth, another as answer, and a reason. */
function toWrong(target: string, answer: string, explanation: string): SampleResult {
  const row = toResult('incorrect', { target });
  return row.state === 'incorrect' ? { ...row, answer, explanation } : row;
}

test.each(['x', 'é', '語', '😀', '\u202E'])(
  'the metadata of a test stays at about 2 kB however long the texts are: %s',
  (character) => {
    const long = character.repeat(5000);
    const scores = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`${index}${long}`, index < 29]),
    );
    const result = { ...toWrong(long, long, long), scores };
    const meta = toResultMeta(plannedTrial, result, long);
    expect(Buffer.byteLength(JSON.stringify(meta))).toBeLessThan(2400);
    expect(JSON.stringify(meta)).not.toContain('\uFFFD');
    expect(Object.values(meta.scores ?? {}).slice(0, 2)).toEqual([false, true]);
  },
);

test('the metadata of a test contains the question and the reason if the answer is not right', () => {
  const wrong = toWrong('17', '18', '18 is not 17');
  expect(Object.entries(toResultMeta(plannedTrial, wrong, 'How many?')).slice(0, 4)).toEqual([
    ['question', 'How many?'],
    ['target', '17'],
    ['answer', '18'],
    ['explanation', '18 is not 17'],
  ]);
  const without = toResult('correct', { scores: { jaccard: null } });
  expect(toResultMeta(plannedTrial, without, 'How many?')).not.toHaveProperty('scores');
  expect(toResultMeta(plannedTrial, toResult('correct', {}), 'How many?')).not.toHaveProperty(
    'question',
  );
});

test('the metadata of a test contains no text of a record that must be hidden', () => {
  const meta = toResultMeta(plannedTrial, toWrong('secret 17', 'secret 18', ''), null);
  expect(JSON.stringify(meta)).not.toContain('secret');
});

test('the metadata of a test has control and direction marks escaped, and line breaks as they are', () => {
  const meta = toResultMeta(
    plannedTrial,
    toWrong('1\u202E7', '\u001B[2J18', '\u2066x'),
    'How\nmany?',
  );
  expect(meta).toMatchObject({
    question: 'How\nmany?',
    target: '1\\u202e7',
    answer: '\\u001b[2J18',
    explanation: '\\u2066x',
  });
});
