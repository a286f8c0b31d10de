import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { ConfigError, readConfig } from '../../src/settings.ts';
import { ROOT } from '../e2e/run-vitest.ts';
import { findAnchors, findBlocks, findCode, findLinks } from './markdown.ts';

/** Rooms and folders whose paths a page may name. */
const FOLDERS = /^(src|reporters|test|docs|bench|evals|examples|\.github|\.ci)\//;

/** What pnpm has of its own. */
const PNPM_COMMANDS = ['install', 'exec', 'add', 'pack'];

const pages = globSync(
  [
    '*.md',
    'docs/*.md',
    'examples/**/*.md',
    'evals/**/*.md',
    'bench/*.md',
    'src/addons/*/README.md',
  ],
  {
    cwd: ROOT,
    exclude: ['**/node_modules/**'],
  },
).map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

describe.each(pages)('$path', ({ path, text }) => {
  test('links to what is there', () => {
    expect(
      findLinks(text).filter((link) => !link.includes('://') && !leadsSomewhere(link, path)),
    ).toEqual([]);
  });

  test('names files that are there', () => {
    const written = [
      ...recipeFiles(text),
      ...findBlocks(text).map(({ marks }) => marks.get('file')),
    ];
    const named = findCode(text)
      .flatMap((code) => code.split(/[\s=:]+/))
      .filter((word) => FOLDERS.test(word));
    const missing = named.filter(
      (word) => !written.includes(word) && globSync(word, { cwd: ROOT }).length === 0,
    );
    expect(missing).toEqual([]);
  });

  test('names functions where they are', () => {
    const named = [...text.matchAll(/`(\w+)` in\s`((?:src|reporters)\/\S+?\.ts)`/g)];
    const missing = named.filter(([, name = '', file = '']) => !declares(file, name));
    expect(missing.map(([said]) => said)).toEqual([]);
  });

  test('names settings that there are', () => {
    // A recipe adds one.
    const added = [...text.matchAll(/^\+.*'(EVAL_\w+)'/gm)].map(([, name]) => name);
    const named = new Set([...text.matchAll(/\bEVAL_[A-Z_]*[A-Z]\b/g)].map(([name]) => name));
    expect([...named].filter((name) => ![...settings(), ...added].includes(name))).toEqual([]);
  });

  test('names commands and programs that there are', () => {
    const code = [...findCode(text), ...findBlocks(text).map((block) => block.text)].join('\n');
    const called = [...code.matchAll(/\bpnpm (?:-s )?(viva )?([a-z][a-z:-]*)/g)];
    const unknown = called.filter(
      ([, viva, name = '']) => !(viva === undefined ? isScript(name) : isCommand(name)),
    );
    expect(unknown.map(([call]) => call)).toEqual([]);
    const programs = code.matchAll(/\bnode ((?:bench|test|src)\/\S+\.(?:ts|mjs))/g);
    const files = [...programs].map(([, file = '']) => file);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});

function leadsSomewhere(link: string, from: string): boolean {
  const [file = '', anchor] = link.split('#');
  const path = file === '' ? join(ROOT, from) : join(ROOT, dirname(from), file);
  if (!existsSync(path)) return false;
  return anchor === undefined || findAnchors(readFileSync(path, 'utf8')).includes(anchor);
}

/** Whether a file has a function, a class or a method of this name. */
function declares(file: string, name: string): boolean {
  const head = `(?:export )?(?:async )?(?:function|class|const) ${name}\\b`;
  const method = `  (?:readonly |async |static )*#?${name}(?:<.*>)?(?: =|\\()`;
  return new RegExp(`^(?:${head}|${method})`, 'm').test(readFileSync(join(ROOT, file), 'utf8'));
}

/** The files that a recipe has written: the comment on a block's first line. */
function recipeFiles(text: string): string[] {
  return findBlocks(text).flatMap((block) => /^\/\/ (\S+\.ts)\n/.exec(block.text)?.[1] ?? []);
}

/** The settings that an unknown one is answered with. */
function settings(): readonly string[] {
  try {
    readConfig({ EVAL_NONE: '1' });
  } catch (error) {
    if (error instanceof ConfigError)
      return error.message.split('Known: ')[1]?.match(/\bEVAL_[A-Z_]+/g) ?? [];
    throw error;
  }
  return [];
}

function isScript(name: string): boolean {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return (
    name in scripts ||
    PNPM_COMMANDS.includes(name) ||
    readdirSync(join(ROOT, 'node_modules/.bin')).includes(name)
  );
}

function isCommand(name: string): boolean {
  return name === 'help' || Object.hasOwn(COMMANDS, name);
}
