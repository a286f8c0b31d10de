import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Pattern } from './pattern.ts';

/** Programs that are started, not imported. */
const PROGRAMS = /(?:-worker|-child|cli\/index)\.ts$/;

/**
 * Every regular expression that the sources build with `new RegExp`, at import and while `exercise` runs. To be called
 * in a process that has not imported them yet.
 */
export async function collectBuilt(exercise: () => void | Promise<void>): Promise<readonly Pattern[]> {
  const found = new Map<string, Pattern>();
  const original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(original, {
    construct(target, args, newTarget) {
      const built: RegExp = Reflect.construct(target, args, newTarget);
      const where = toPlace(new Error('where').stack ?? '');
      if (where !== null)
        found.set(`/${built.source}/${built.flags}`, { source: built.source, flags: built.flags, where });
      return built;
    },
  });
  try {
    for (const file of listSources()) await import(pathToFileURL(resolve(file)).href);
    await exercise();
  } finally {
    globalThis.RegExp = original;
  }
  return [...found.values()];
}

function listSources(): readonly string[] {
  const files = globSync('{src,reporters}/**/*.ts');
  return files.filter((file) => !/\.(?:test|fixture|d)\.ts$/.test(file) && !PROGRAMS.test(file));
}

/** Builds what others ask it for. */
const BUILDER = 'src/scoring/mcq/words.ts';

/** The caller's file and line, if it is one of ours. */
function toPlace(stack: string): string | null {
  const [direct = '', next = ''] = stack.split('\n').slice(2);
  const frame = direct.includes(BUILDER) ? next : direct;
  const place = /((?:src|reporters)\/[^\s?]+\.ts):(\d+)/.exec(frame);
  return place === null || frame.includes('node_modules') ? null : `${place[1]}:${place[2]}`;
}
