import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/make-folder.ts';
import { readLines } from './read-lines.ts';

const TEXTS: readonly (readonly [rule: string, text: string, lines: readonly string[]])[] = [
  ['an empty file has no lines', '', []],
  ['a last line needs no break', 'one\ntwo', ['one', 'two']],
  ['empty lines are left out', '\n\none\n\n\ntwo\n\n', ['one', 'two']],
  ['a character that two chunks share is read whole', 'é€😀é€😀é€😀\n😀€é\n', ['é€😀é€😀é€😀', '😀€é']],
  ['a line may be longer than many chunks', `${'x'.repeat(100)}\ny\n`, ['x'.repeat(100), 'y']],
  ['other marks that end a line elsewhere do not end one here', 'a\u2028b\u0085c\rd\n', ['a\u2028b\u0085c\rd']],
];

test.each(TEXTS)('%s', (_, text, lines) => {
  const file = join(makeFolder(), 'lines.jsonl');
  writeFileSync(file, text);
  const chunks = [1, 2, 3, 5, 7, 1 << 20];
  expect(chunks.map((bytes) => [...readLines(file, { chunkBytes: bytes })])).toEqual(chunks.map(() => lines));
});

test.each([
  ['in the middle', `one\n${'x'.repeat(40)}\ntwo\n`, 1],
  ['twice, and at both ends', `${'x'.repeat(40)}\none\ntwo\n${'é'.repeat(40)}`, 2],
])('a line that is too long is left out, and said: %s', (_, text, times) => {
  const file = join(makeFolder({ 'lines.jsonl': text }), 'lines.jsonl');
  for (const chunkBytes of [1, 2, 3, 5, 7]) {
    let heard = 0;
    const lines = [...readLines(file, { chunkBytes, mostBytes: 20, onTooLong: () => (heard += 1) })];
    expect([lines, heard]).toEqual([['one', 'two'], times]);
  }
});
