import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import type { Attachment } from '../types.ts';
import { calculate } from './calculate.ts';

function run(
  args: object,
  attachments: readonly Attachment[] = [],
  signal = new AbortController().signal,
) {
  return calculate.run(new Map(Object.entries(args)), { signal, attachments });
}

describe('calculate', () => {
  test.each([
    [
      'console.log(data, [1, new Map([["a", 2n]]), 1 / 0, { b: null }]); "as " + "it is"',
      'null [1,[["a","2"]],"Infinity",{"b":null}]\n= as it is',
    ],
    ['console.log("x", { a: 1 }); undefined', 'x {"a":1}'],
    ['undefined', '= undefined'],
  ])('gives the logs and the value of %s', async (code, output) => {
    expect(await run({ code })).toBe(output);
  });

  test.each([
    ['throw new RangeError("too big")', 'RangeError: too big'],
    ['console.log("so far"); x', "so far\nReferenceError: 'x' is not defined"],
    ['1 +', 'SyntaxError'],
    ['(function f() { f() })()', 'InternalError: stack overflow'],
    ['const a = []; for (;;) a.push(new Array(1e6).fill(1))', 'InternalError: out of memory'],
    ['while (true) {}', 'the code ran for more than 2 seconds'],
    ['const o = {}; o.o = o; o', 'the result cannot be shown'],
  ])('says why %s fails', async (code, message) => {
    await expect(run({ code })).rejects.toThrow(message);
  });

  test('has the text of an attachment, found by name', async () => {
    const path = join(makeFolder(), 'stored-elsewhere');
    writeFileSync(path, 'a,b\n1,2\n3,4\n');
    const attachments = [{ name: 'table.csv', path }];
    const code =
      'data.trim().split("\\n").slice(1).map((row) => Number(row.split(",")[1])).reduce((a, b) => a + b)';
    expect(await run({ code, attachment: 'table.csv' }, attachments)).toBe('= 6');
    await expect(run({ code, attachment: path }, attachments)).rejects.toThrow(
      'Attachments: "table.csv"',
    );
  });

  test('ends its process with the signal', { retry: 3 }, async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('late')), 100);
    const start = performance.now();
    await expect(run({ code: 'while (true) {}' }, [], controller.signal)).rejects.toThrow();
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});
