import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';
import { shorten } from './document.ts';

const files = globSync('*.js', { cwd: join(import.meta.dirname, 'app') });

/** The strings and the texts of templates in a source, without ends of lines. */
function listTexts(code: string): readonly string[] {
  const texts: string[] = [];
  JSON.stringify(parseAst(code), (_key, node) => {
    if (node?.type === 'Literal' && typeof node.value === 'string') texts.push(node.value);
    if (node?.type === 'TemplateElement') texts.push(node.value.raw);
    return typeof node === 'bigint' ? String(node) : node;
  });
  return texts.map((text) => text.replaceAll(/\s*\n\s*/g, ''));
}

test.each(files)('no text of %s changes where its source is shortened', (file) => {
  const code = readFileSync(join(import.meta.dirname, 'app', file), 'utf8');
  expect(listTexts(shorten(code))).toEqual(listTexts(code));
});
