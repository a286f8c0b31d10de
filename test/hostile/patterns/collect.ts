import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseAst } from 'vitest/node';

export type Pattern = { readonly source: string; readonly flags: string; readonly where: string };

export function collectLiterals(): readonly Pattern[] {
  return listSources('{ts,js}').flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const tree = parseAst(text, { lang: file.endsWith('.ts') ? 'ts' : 'js' });
    return findLiterals(tree).map(({ source, flags, start }) => {
      return { source, flags, where: `${file}:${text.slice(0, start).split('\n').length}` };
    });
  });
}

type Literal = { readonly source: string; readonly flags: string; readonly start: number };

/** The literals below a node of the syntax tree. */
function findLiterals(node: unknown): readonly Literal[] {
  if (typeof node !== 'object' || node === null) return [];
  const literal = 'regex' in node ? JSON.parse(JSON.stringify(node)) : null;
  const found =
    literal === null
      ? []
      : [{ source: literal.regex.pattern, flags: literal.regex.flags, start: literal.start }];
  return [...found, ...Object.values(node).flatMap(findLiterals)];
}

/**
 * Every regular expression that the sources build with `new RegExp` when they are imported. To be
 * called in a process that has not imported them yet.
 */
export async function collectBuilt(): Promise<readonly Pattern[]> {
  const found = new Map<string, Pattern>();
  const original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(original, {
    construct(target, args, newTarget) {
      const built: RegExp = Reflect.construct(target, args, newTarget);
      const { source, flags } = built;
      const where = toPlace(new Error('where').stack ?? '');
      if (where !== null) found.set(String(built), { source, flags, where });
      return built;
    },
  });
  try {
    for (const file of listSources('ts')) await import(pathToFileURL(resolve(file)).href);
  } finally {
    globalThis.RegExp = original;
  }
  return [...found.values()];
}

/** Without tests, and without programs, which are started and not imported. */
function listSources(ending: string): readonly string[] {
  const others = /(?:\.test|\.fixture|\.d|-worker|-child|cli\/index)\.ts$/;
  return globSync(`{src,reporters}/**/*.${ending}`).filter((file) => !others.test(file));
}

/** Builds what others ask it for. */
const BUILDER = 'src/scoring/mcq/patterns.ts';

/** The caller's file and line, if it is one of ours. */
function toPlace(stack: string): string | null {
  const [direct = '', next = ''] = stack.split('\n').slice(2);
  const frame = direct.includes(BUILDER) ? next : direct;
  const place = /((?:src|reporters)\/[^\s?]+\.ts):(\d+)/.exec(frame);
  return place === null || frame.includes('node_modules') ? null : `${place[1]}:${place[2]}`;
}
