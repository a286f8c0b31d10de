import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/**
 * The rooms in order. A room may import itself and the rooms before it, but for those that are
 * named after it. The last column says which entries of Vitest it may import: those of the worker,
 * of the main process, or both.
 */
const ROOMS: readonly (readonly [room: string, notEven?: string, vitest?: RegExp])[] = [
  ['src/words/'],
  ['src/package-manager.ts'],
  ['src/package.ts'],
  ['src/vitest-worker.ts'],
  ['src/data/files/'],
  ['src/processes/', 'data/files'],
  ['src/scoring/', 'data/files processes'],
  ['src/data/'],
  ['src/tools/', 'scoring data'],
  ['src/store/', 'scoring data tools'],
  ['src/agents/', 'scoring data'],
  ['src/judge/', 'scoring data tools store'],
  ['src/matchers/', 'data tools store', /^vitest$/],
  ['src/settings.ts', 'judge matchers'],
  ['src/figures/', 'processes scoring data tools agents judge matchers'],
  ['src/run/', '', /^vitest$/],
  ['reporters/', '', /^vitest\/node$/],
  ['src/plugin/', '', /^vitest/],
  ['src/addons/', 'plugin'],
  ['src/cli/', '', /^vitest\/node$/],
  ['src/', 'addons', /^vitest/],
];

/**
 * Static and dynamic imports, types, and what createRequire() loads by a path that ends with
 * EXTENSION.
 */
const IMPORT =
  /(?<=\b(?:from|import\() ?')vitest(?:\/node)?(?=')|(?<=['"`])\.{1,2}\/[\w./-]+(?=\.ts['"]|\$\{EXTENSION\}`)/g;

type Import = Readonly<{ file: string; target: string }>;

function roomOf(file: string): number {
  return ROOMS.findIndex(
    ([room]) => file === room || (room.endsWith('/') && file.startsWith(room)),
  );
}

function isAllowed(file: string, target: string): boolean {
  const [, notEven = '', vitest] = ROOMS[roomOf(file)] ?? [];
  if (target.startsWith('vitest')) return vitest?.test(target) === true;
  const path = relative(ROOT, join(ROOT, dirname(file), target));
  const [own, other] = [roomOf(file), roomOf(`${path}.ts`)];
  const name = ROOMS[other]?.[0].replace(/^src\/|\/$/g, '') ?? '';
  if (name === 'addons' && other === own) return addonOf(file) === addonOf(path);
  return other === -1 || other === own || (other < own && !notEven.split(' ').includes(name));
}

function addonOf(path: string): string | undefined {
  return path.split('/')[2];
}

function listImports(): readonly Import[] {
  const files = globSync('{src,reporters}/**/*.ts', { cwd: ROOT });
  const product = files.filter((file) => !/\.(?:test|fixture|cases)\.ts$/.test(file));
  return product.flatMap((file) => {
    const found = readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT);
    return [...found].map(([target]) => ({ file, target }));
  });
}

/** The imports that are left when files are taken away that import none of those that remain. */
function findCircles(imports: readonly Import[]): readonly Import[] {
  const importing = new Set(imports.map(({ file }) => file));
  const left = imports.filter(({ file, target }) =>
    importing.has(`${relative(ROOT, join(ROOT, dirname(file), target))}.ts`),
  );
  return left.length === imports.length ? left : findCircles(left);
}

test('no file imports itself, by way of others', () => {
  expect(findCircles(listImports())).toEqual([]);
  const circle = [
    { file: 'src/a.ts', target: './words/b' },
    { file: 'src/words/b.ts', target: '../a' },
  ];
  expect(findCircles([...circle, { file: 'src/words/b.ts', target: './c' }])).toEqual(circle);
});

test('no room imports a room that comes after it', () => {
  const imports = listImports();
  expect(imports.length).toBeGreaterThan(1000);
  expect(imports.filter(({ file, target }) => !isAllowed(file, target))).toEqual([]);
  expect(isAllowed('src/words/show.ts', '../cli/index')).toBe(false);
  expect(isAllowed('src/agents/kinds.ts', 'vitest')).toBe(false);
});

test('the command line alone imports add-ons, and no add-on another', () => {
  expect(isAllowed('src/run/plan.ts', '../addons/otel/index')).toBe(false);
  expect(isAllowed('src/index.ts', './addons/otel/index')).toBe(false);
  expect(isAllowed('reporters/tables.ts', '../src/addons/export/index')).toBe(false);
  expect(isAllowed('src/addons/export/index.ts', '../otel/index')).toBe(false);
  expect(isAllowed('src/addons/export/index.ts', './zip')).toBe(true);
  expect(isAllowed('src/cli/export.ts', '../addons/export/index')).toBe(true);
});
