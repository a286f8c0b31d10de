import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SHAPES } from '../../src/data/shapes.ts';
import { ROOT } from '../e2e/run-vitest.ts';

test('the table of known datasets in docs/datasets.md has each of them', () => {
  const page = readFileSync(join(ROOT, 'docs/datasets.md'), 'utf8');
  const [, table = ''] = page.split('| dataset | on the Hub | split | what is special |');
  const listed = [...table.matchAll(/^\| ([^|]+) \|/gm)].map(([, name]) => name);
  const names = new Set(SHAPES.map(({ name }) => name));
  expect(listed).toEqual(expect.arrayContaining([...names]));
});
