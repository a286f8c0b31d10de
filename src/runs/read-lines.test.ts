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
  const chunks = [1, 2, 3, 5, 7, undefined];
  expect(chunks.map((bytes) => [...readLines(file, bytes)])).toEqual(chunks.map(() => lines));
});
