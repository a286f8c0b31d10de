import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findCode } from '../../test/docs/markdown.ts';
import { runViva } from '../../test/run-viva.ts';
import { COMMANDS } from './commands.ts';

const ROOT = join(import.meta.dirname, '../..');
const WORDS = Object.keys(COMMANDS);

const pages = globSync('docs/*.md', { cwd: ROOT }).map((path) =>
  readFileSync(join(ROOT, path), 'utf8'),
);
const blocks = pages.flatMap((page) => page.match(/^```sh[^\n]*\n[\s\S]*?^```$/gm) ?? []);
const code = [...pages.flatMap(findCode), ...blocks].join('\n');

test('each command has a file of its name, and each file with a command is in the list', () => {
  const files = globSync('*.ts', { cwd: import.meta.dirname }).filter((name) =>
    /^export const \w+: Command = /m.test(readFileSync(join(import.meta.dirname, name), 'utf8')),
  );
  expect(files.toSorted()).toEqual(WORDS.map((word) => `${word}.ts`).toSorted());
});

test.each(WORDS)('viva %s has one line of summary, help, and a place in docs/', async (word) => {
  const { code: exit, output } = await runViva([word, '--help']);
  const [head, usage] = output.split('\n');
  expect(exit).toBe(0);
  expect(head).toMatch(new RegExp(`^\\S+ viva ${word}: [a-z].{10,90}[^.]$`));
  expect(usage).toMatch(new RegExp(`^Usage: \\S+ viva ${word}(?: \\S|$)`));
  expect(code).toMatch(new RegExp(`\\bviva ${word}\\b`));
});
