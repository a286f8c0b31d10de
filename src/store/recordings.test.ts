import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { addRecordings, type Recording, readRecordings, toOrdered } from './recordings.ts';

const A = { suite: 's', id: 'a', agent: 'm', trial: 1 } as const;

function recorded(id: string, result: number, given = 1, trial = 1): Recording {
  return { suite: 's', id, agent: 'm', trial, tool: 'get', arguments: { given }, result };
}

/** The cases and results of the recordings of a file, in their order. */
function linesOf(file: string): readonly string[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const { id, trial, arguments: given, result } = JSON.parse(line);
    return `${id}${trial} ${given.given} ${result}`;
  });
}

test('a file is sorted, whoever recorded first, and equal calls keep their order', async () => {
  const file = join(makeFolder(), 'folder/a.jsonl');
  const lists = [
    [recorded('b', 3)],
    [recorded('a', 5, 2)],
    [recorded('a', 9), recorded('a', 1)],
    [recorded('a', 4, 1, 10)],
    [recorded('a', 2, 1, 2)],
  ];
  await addRecordings(file, lists.slice(0, 2));
  await addRecordings(file, lists.slice(2));
  expect(linesOf(file)).toEqual(['a1 1 9', 'a1 1 1', 'a1 2 5', 'a2 1 2', 'a10 1 4', 'b1 1 3']);
  const text = readFileSync(file, 'utf8');
  await addRecordings(file, lists.toReversed());
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('a new recording takes the place of those of the same calls, and leaves all others', async () => {
  const file = join(makeFolder(), 'a.jsonl');
  await addRecordings(file, [[recorded('a', 1), recorded('a', 2)], [recorded('b', 3)]]);
  await addRecordings(file, [[recorded('a', 7)]]);
  expect(linesOf(file)).toEqual(['a1 1 7', 'a1 1 2', 'b1 1 3']);
});

test.each<[string, string, number, number | undefined]>([
  ['the n-th of its own case', 'a', 2, 12],
  ['that of another trial of the question', 'c', 1, 32],
  ['that of the first case', 'x', 1, 11],
  ['that of a case which has so many', 'b', 2, 12],
  ['none', 'a', 3, undefined],
])('finds %s', (_, id, n, result) => {
  const file = join(makeFolder(), 'a.jsonl');
  const lines = [recorded('a', 11), recorded('a', 12), recorded('b', 21), recorded('c', 32, 1, 2)];
  writeFileSync(file, lines.map((line) => `${JSON.stringify({ version: 1, ...line })}\n`).join(''));
  const recordings = readRecordings(file);
  const call = { tool: 'get', arguments: toOrdered({ given: 1 }) };
  expect(recordings.find({ ...A, id }, call, n)?.result).toBe(result);
  expect(recordings.count(call)).toBe(2);
});

test('a byte order mark is no part of the first line', () => {
  const file = join(makeFolder(), 'a.jsonl');
  writeFileSync(file, `\uFEFF${JSON.stringify({ version: 1, ...recorded('a', 1) })}\n`);
  expect(readRecordings(file).all).toHaveLength(1);
});

test('arguments that a person wrote in another order are equal', () => {
  const file = join(makeFolder(), 'a.jsonl');
  writeFileSync(
    file,
    '\n{"version":1,"suite":"s","id":"a","agent":"m","trial":1,"tool":"get","arguments":{"b":[{"d":1,"c":2}],"a":1}}\n',
  );
  const call = { tool: 'get', arguments: toOrdered({ a: 1, b: [{ c: 2, d: 1 }] }) };
  expect(readRecordings(file).find(A, call, 1)).toBeDefined();
});

test.each([
  [
    '<<<<<<< HEAD',
    'this line is not JSON. Correct or delete it; EVAL_TOOLS=record then records it again.',
  ],
  ['{"version":1,"suite":"s","id":"a","agent":"m","trial":1,"tool":"ge', 'this line is not JSON.'],
  ['[]', 'this line is not JSON.'],
  ['{"version":2}', 'version 2 is not known. Update viva, or delete the file and record again'],
  ['{"version":1,"suite":"s","id":"a","trial":1}', 'this line is not a recording of a tool.'],
  [
    '{"version":1,"suite":"s","id":"a","agent":"m","trial":1,"tool":"t","yields":3}',
    'this line is not a recording',
  ],
  [
    '{"version":1,"suite":"s","id":"a","agent":"m","trial":1,"tool":"t","resutl":3}',
    'a recording has no field "resutl". Did you mean result? Correct or delete it',
  ],
])('refuses the line %s, and leaves the file as it is', async (line, problem) => {
  const file = join(makeFolder(), 'a.jsonl');
  const text = `${JSON.stringify({ version: 1, ...recorded('a', 1) })}\n${line}\n`;
  writeFileSync(file, text);
  expect(() => readRecordings(file)).toThrow(`a.jsonl:2: ${problem}`);
  await expect(addRecordings(file, [[recorded('b', 1)]])).rejects.toThrow(problem);
  expect(readFileSync(file, 'utf8')).toBe(text);
  expect(readdirSync(join(file, '..'))).toEqual(['a.jsonl']);
});

test('processes that record at the same time lose nothing of each other', async () => {
  const file = join(makeFolder(), 'a.jsonl');
  const code = `import { addRecordings } from ${JSON.stringify(join(import.meta.dirname, 'recordings.ts'))};
for (let n = 0; n < 20; n++)
  await addRecordings(process.argv[1], [[{ suite: 's', id: process.argv[2] + n, agent: 'm', trial: 1, tool: 't', result: n }]]);`;
  const children = ['a', 'b', 'c'].map((name) =>
    spawn(process.execPath, ['--input-type=module', '-e', code, file, name], { stdio: 'inherit' }),
  );
  const codes = await Promise.all(children.map((child) => once(child, 'exit')));
  expect(codes.map(([exit]) => exit)).toEqual([0, 0, 0]);
  expect(readRecordings(file).all).toHaveLength(60);
  expect(readdirSync(join(file, '..'))).toEqual(['a.jsonl']);
});

test('a process that died while it wrote blocks no other', async () => {
  const file = join(makeFolder(), 'a.jsonl');
  writeFileSync(`${file}.lock`, '');
  const before = new Date(Date.now() - 60_000);
  utimesSync(`${file}.lock`, before, before);
  await addRecordings(file, [[recorded('a', 1)]]);
  expect(linesOf(file)).toEqual(['a1 1 1']);
});
