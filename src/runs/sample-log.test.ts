import { appendFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { toResult } from '../metrics/result.fixture.ts';
import { appendResult, appendResultSoon, flushResults, readSampleLog, resultKey } from './sample-log.ts';

function makeLog(text: string): string {
  const folder = makeFolder();
  writeFileSync(join(folder, 'samples.jsonl'), text);
  return folder;
}

const row = (id: string) => JSON.stringify({ version: 1, id, state: 'correct' });

test('reads rows in the order in which they were written', () => {
  const { results, unreadable } = readSampleLog(makeLog(`${row('a')}\n${row('b')}\n`));
  expect(results.map(({ id }) => id)).toEqual(['a', 'b']);
  expect(unreadable).toBe(0);
});

test('has no results in a folder without a log', () => {
  const folder = makeLog('');
  rmSync(join(folder, 'samples.jsonl'));
  expect(readSampleLog(folder)).toEqual({ results: [], unreadable: 0 });
});

test('counts a line that fits into no memory, as a torn one', () => {
  const folder = makeLog(`${row('a')}\n`);
  truncateSync(join(folder, 'samples.jsonl'), 300 * 2 ** 20);
  appendFileSync(join(folder, 'samples.jsonl'), `\n${row('b')}\n`);
  expect(readSampleLog(folder)).toMatchObject({ results: [{ id: 'a' }, { id: 'b' }], unreadable: 1 });
});

test('counts a torn line and keeps the rows around it', () => {
  const folder = makeLog(`${row('a')}\n${row('b').slice(0, 20)}\n`);
  appendFileSync(join(folder, 'samples.jsonl'), `${row('c')}\n${row('d').slice(0, 9)}`);
  const { results, unreadable } = readSampleLog(folder);
  expect(results.map(({ id }) => id)).toEqual(['a', 'c']);
  expect(unreadable).toBe(2);
});

test('refuses the rows of another version', () => {
  const folder = makeLog('{"version": 2, "id": "a", "state": "correct"}\n');
  expect(() => readSampleLog(folder)).toThrow(/samples\.jsonl: not a result of version 1: \{"version": 2/);
});

test('tells trials apart by every part of their identity', () => {
  const identity = { suite: 's', dataset: 'd', agent: 'a', id: 'i', trial: 1 };
  const others = [{ suite: 'x' }, { dataset: 'x' }, { agent: 'x' }, { id: 'x' }, { trial: 2 }];
  const keys = [identity, ...others.map((change) => ({ ...identity, ...change }))].map(resultKey);
  expect(new Set(keys).size).toBe(6);
});

test('appends rows to one folder after another', () => {
  const [first, second] = [makeFolder(), makeFolder()];
  const results = ['a', 'b', 'c'].map((id) => toResult('correct', { id }));
  for (const [index, result] of results.entries()) appendResult(index === 1 ? second : first, result);
  expect(readSampleLog(first).results.map(({ id }) => id)).toEqual(['a', 'c']);
  expect(readSampleLog(second).results.map(({ id }) => id)).toEqual(['b']);
});

test('keeps the order of rows that wait and rows that do not, and loses none', () => {
  const [first, second] = [makeFolder(), makeFolder()];
  const append = (folder: string, id: string) => appendResultSoon(folder, toResult('correct', { id }));
  const ids = (folder: string) => readSampleLog(folder).results.map(({ id }) => id);
  append(first, 'a');
  expect(ids(first)).toEqual([]);
  appendResult(first, toResult('correct', { id: 'b' }));
  expect(ids(first)).toEqual(['a', 'b']);
  append(first, 'c');
  append(second, 'd');
  expect([ids(first), ids(second)]).toEqual([['a', 'b', 'c'], []]);
  flushResults();
  expect(ids(second)).toEqual(['d']);
  const many = Array.from({ length: 100 }, (_, index) => `many ${index}`);
  for (const id of many) append(second, id);
  flushResults();
  flushResults();
  expect(ids(second)).toEqual(['d', ...many]);
});
