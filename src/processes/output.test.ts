import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { OutputTail } from './output.ts';

test.each([
  ['what is short', ['abc', 'de'], 'abcde'],
  ['what just fits', ['abcdefgh'], 'abcdefgh'],
  ['what is longer', ['abcdefghi'], '…bcdefghi'],
  ['what comes in pieces', ['abcdef', 'ghijk', 'l'], '…efghijkl'],
  ['what was cut within a character', ['€bcdefg'], '…bcdefg'],
])('the end of %s has a mark where something was before it', async (_, pieces, text) => {
  const stream = new PassThrough();
  const tail = new OutputTail(stream, 8);
  for (const piece of pieces) stream.write(piece);
  stream.end();
  await stream.toArray().catch(() => []);
  expect(tail.text).toBe(text);
});
