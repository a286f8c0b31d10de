import { expect, it } from 'vitest';
import { cleanString } from './clean.ts';

it.each([
  ['It floats, sinks or (mostly) "hovers": 5.5 % - no?!', 'It floats, sinks or (mostly) "hovers": 5.5 % - no?!'],
  ['1,024 rivers', '1024 rivers'],
  [' Rhine', 'Rhine'],
  ['Rhine ', 'Rhine'],
  ['the  Rhine', 'the Rhine'],
  ['**Rhine**', 'Rhine'],
  ['Ⓑ', 'B'],
  ['the Ｒhine', 'the Rhine'],
  ['<p>Rhine</p>', 'Rhine'],
])('%j is %j', (text, bare) => {
  expect(cleanString(text)).toBe(bare);
});
