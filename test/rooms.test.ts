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

test('CONTRIBUTING.md draws the rooms, their imports downwards, and the steps of a record', () => {
  const page = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const { rooms, arrows } = readPicture(page);
  const drawn = (file: string) => rooms.find(({ room }) => room === toDrawn(file));
  expect(rooms.map(({ room }) => room).toSorted()).toEqual(
    [
      ...new Set(ROOMS.map(([room]) => toDrawn(room === 'src/' ? 'src/index.ts' : room))),
    ].toSorted(),
  );
  const imports = listImports().flatMap(({ file, target }) => {
    const [from, to] = [
      drawn(file),
      drawn(`${relative(ROOT, join(ROOT, dirname(file), target))}.ts`),
    ];
    return from === undefined || to === undefined || from === to ? [] : [{ from, to }];
  });
  expect(imports.filter(({ from, to }) => from.line >= to.line)).toEqual([]);
  const real = new Set(imports.map(({ from, to }) => `${from.room} -> ${to.room}`));
  expect(arrows.filter((arrow) => !real.has(arrow))).toEqual([]);
  const [top] = rooms;
  const entered = rooms.filter(({ room }) => arrows.some((arrow) => arrow.endsWith(`> ${room}`)));
  expect(entered).toEqual(rooms.filter(({ line }) => line !== top?.line));
  const [, list = ''] = page.split('\n## How a record becomes a result\n');
  const steps = (list.split('\n## ')[0] ?? '').split(/^(?=\d+\. )/m).slice(1);
  const visited = rooms.map(({ room }) =>
    steps.flatMap((step, index) => {
      const files = [...step.matchAll(/`((?:src|reporters)\/[^`]*)`/g)].map(
        ([, file = '']) => file,
      );
      return files.some((file) => toDrawn(file) === room) ? [index + 1] : [];
    }),
  );
  expect(rooms.map((each) => each.steps)).toEqual(visited);
});

/** The room of a file as the picture names it. */
function toDrawn(file: string): string {
  const [room = ''] = ROOMS[roomOf(file)] ?? [];
  if (room === 'src/') return 'src/index.ts';
  return ['src/package-manager.ts', 'src/vitest-worker.ts'].includes(room)
    ? 'src/package.ts'
    : room;
}

type Drawn = Readonly<{
  room: string;
  steps: readonly number[];
  line: number;
  from: number;
  to: number;
}>;

/** The rooms of the picture, and its arrows: each goes straight down, from a bar to the next "v". */
function readPicture(page: string) {
  const [, picture = ''] = /\n## Rooms\n[\s\S]*?\n```text\n([\s\S]*?)```/.exec(page) ?? [];
  const lines = picture.split('\n');
  const rooms = lines.flatMap((text, line) =>
    [...text.matchAll(/\[ (\S+)((?: +\d+)*) [^\]]*\]/g)].map(
      ({ 0: bar, 1: room = '', 2: numbers = '', index }): Drawn => {
        const steps = (numbers.match(/\d+/g) ?? []).map(Number);
        return { room, steps, line, from: index, to: index + bar.length };
      },
    ),
  );
  const barAt = (line: number, column: number) =>
    rooms.find((each) => each.line === line && each.from <= column && column < each.to)?.room;
  const arrows = lines.flatMap((text, line) =>
    [...text.matchAll(/(?<=^|[ ])v(?=$|[ ])/g)].map(({ index }) => {
      let start = line - 1;
      while (lines[start]?.[index] === '|') start -= 1;
      return `${barAt(start, index)} -> ${barAt(line + 1, index)}`;
    }),
  );
  return { rooms, arrows };
}

test('the command line alone imports add-ons, and no add-on another', () => {
  expect(isAllowed('src/run/plan.ts', '../addons/otel/index')).toBe(false);
  expect(isAllowed('src/index.ts', './addons/otel/index')).toBe(false);
  expect(isAllowed('reporters/tables.ts', '../src/addons/export/index')).toBe(false);
  expect(isAllowed('src/addons/export/index.ts', '../otel/index')).toBe(false);
  expect(isAllowed('src/addons/export/index.ts', './zip')).toBe(true);
  expect(isAllowed('src/cli/export.ts', '../addons/export/index')).toBe(true);
});
