import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { readPageFiles } from './render-page.ts';

const { style, script } = readPageFiles();

test('the modules become one script, which cannot end its element; neither can the style', () => {
  expect(() => new Script(script)).not.toThrow();
  expect(script).not.toMatch(/^(import|export) /m);
  expect(style + script).not.toMatch(/<\/(style|script)|<!--/i);
});
