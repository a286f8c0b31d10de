import { globSync, readFileSync } from 'node:fs';
import { parseAst } from 'vitest/node';
import type { Pattern } from './pattern.ts';

/** Every regular expression literal of the sources, and where it stands. */
export function collectLiterals(): readonly Pattern[] {
  const files = globSync('{src,reporters}/**/*.{ts,js}').filter((file) => !/\.(?:test|fixture|d)\.ts$/.test(file));
  return files.flatMap((file) => {
    const source = readFileSync(file, 'utf8');
    const found: Pattern[] = [];
    visit(parseAst(source, { lang: file.endsWith('.ts') ? 'ts' : 'js' }), (regex, start) => {
      found.push({ ...regex, where: `${file}:${source.slice(0, start).split('\n').length}` });
    });
    return found;
  });
}

type Regex = { readonly source: string; readonly flags: string };

/** Calls `found` for each literal below a node of the syntax tree. */
function visit(node: unknown, found: (regex: Regex, start: number) => void): void {
  if (typeof node !== 'object' || node === null) return;
  if ('regex' in node && isLiteral(node.regex)) {
    const start = 'start' in node && typeof node.start === 'number' ? node.start : 0;
    found({ source: node.regex.pattern, flags: node.regex.flags }, start);
  }
  for (const child of Object.values(node)) visit(child, found);
}

function isLiteral(regex: unknown): regex is { readonly pattern: string; readonly flags: string } {
  return typeof regex === 'object' && regex !== null && 'pattern' in regex && 'flags' in regex;
}
