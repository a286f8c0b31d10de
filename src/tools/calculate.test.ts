import { describe, expect, test } from 'vitest';
import { makeFile } from '../../test/make-folder.ts';
import type { Attachment } from '../words/sample.ts';
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
  ])('returns the logs and the value of %s', async (code, output) => {
    expect(await run({ code })).toBe(output);
  });

  test.each([
    ['console.log("so far"); x', "so far\nReferenceError: 'x' is not defined"],
    ['(function f() { f() })()', 'InternalError: stack overflow'],
    ['const a = []; for (;;) a.push(new Array(1e6).fill(1))', 'InternalError: out of memory'],
    ['while (true) {}', 'the code ran for more than 2 seconds'],
    ['const o = {}; o.o = o; o', 'the result cannot be shown'],
  ])('says why %s fails', async (code, message) => {
    await expect(run({ code })).rejects.toThrow(message);
  });

  test('has the text of an attachment, found by name', async () => {
    const path = makeFile('stored-elsewhere', 'a,b\n1,2\n3,4\n');
    const attachments = [{ name: 'table.csv', path }];
    const code = 'data.split("\\n")[2]';
    expect(await run({ code, attachment: 'table.csv' }, attachments)).toBe('= 3,4');
    await expect(run({ code, attachment: path }, attachments)).rejects.toThrow(
      'Attachments: "table.csv"',
    );
  });

  // That a process ends with its signal is checked with documents.
  test('runs nothing for a sample that is over', async () => {
    const over = AbortSignal.abort(new Error('late'));
    await expect(run({ code: '1' }, [], over)).rejects.toThrow('late');
  });
});
