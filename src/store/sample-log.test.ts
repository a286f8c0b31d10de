import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { writeRows } from '../../test/make-run.ts';
import { toResult } from '../figures/result.fixture.ts';
import { RunWriter } from './run-writer.ts';
import { RowFollower, readSampleLog } from './sample-log.ts';
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

test('rows that are followed one by one stay in the file until they are taken', () => {
  const folder = makeLog(`${row('a')}\n`.repeat(1000));
  const rows = new RowFollower(folder);
  const following = rows.readEach()[Symbol.iterator]();
  following.next();
  appendFileSync(join(folder, 'samples.jsonl'), `${row('b')}\n`);
  const others = Array.from({ [Symbol.iterator]: () => following }, ({ id }) => id);
  expect([others.length, others.at(-1)]).toEqual([1000, 'b']);
  expect(rows.readMore()).toEqual([]);
  rows.close();
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

test('rows that wait are written together, and before the row of an answer that was paid for', () => {
  const folder = makeFolder();
  const writer = new RunWriter(folder);
  const written = () => readSampleLog(folder).results.map(({ id }) => id);
  for (const id of ['a', 'b']) writer.rowSoon(toResult('correct', { id }));
  expect(written()).toEqual([]);
  writer.row(toResult('correct', { id: 'c' }));
  expect(written()).toEqual(['a', 'b', 'c']);
  writer.rowSoon(toResult('correct', { id: 'd' }));
  writer.close();
  expect(written()).toEqual(['a', 'b', 'c', 'd']);
  writer.row(toResult('correct', { id: 'e' }));
  expect(written().at(-1)).toBe('e');
  writer.close();
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

test.each(['x', 'é', '語', '😀', '\u202E'])(
  'the metadata of a test stays below 2 kB however long the texts are: %s',
  (character) => {
    const long = character.repeat(5000);
    const scores = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`${index}${long}`, index < 29]),
    );
    const meta = toResultMeta(plannedTrial, toResult('incorrect', { scores }), long);
    expect(Buffer.byteLength(JSON.stringify(meta))).toBeLessThan(2000);
    expect(JSON.stringify(meta)).not.toContain('\uFFFD');
    expect(Object.values(meta.scores ?? {}).slice(0, 2)).toEqual([false, true]);
  },
);

test('the metadata of a test has state, cost, time and scores, and the question where the answer is not right', () => {
  const wrong = toResult('incorrect', { cost_usd: 0.5, scores: { short: false, jaccard: null } });
  expect(toResultMeta(plannedTrial, wrong, 'How\nmany \u202E?')).toEqual({
    question: 'How\nmany \\u202e?',
    state: 'incorrect',
    latency_ms: wrong.latency_ms,
    cost_usd: 0.5,
    scores: { short: false },
    ...plannedTrial,
  });
  expect(toResultMeta(plannedTrial, wrong, null).question).toBeUndefined();
  const right = toResultMeta(plannedTrial, toResult('correct', {}), 'How many?');
  expect([right.question, right.scores]).toEqual([undefined, undefined]);
});

test('a follower has the rows since it was last asked, and refuses one of another version', () => {
  const folder = makeFolder();
  writeRows(folder, toResult('correct', { id: 'a' }));
  const rows = new RowFollower(folder);
  const ids = () => rows.readMore().map(({ id }) => id);
  expect([ids(), ids()]).toEqual([['a'], []]);
  writeRows(folder, toResult('errored', { id: 'b' }));
  appendFileSync(join(folder, 'samples.jsonl'), '{"torn": \n{"torn"');
  expect(ids()).toEqual(['b']);
  expect([rows.readRest(), rows.unreadable]).toEqual([[], 2]);
  appendFileSync(join(folder, 'samples.jsonl'), '\n{"version": 2}\n');
  expect(ids).toThrow('version');
  rows.close();
});
