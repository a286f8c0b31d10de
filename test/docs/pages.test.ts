import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { copyProject } from '../e2e/copy-project.ts';
import { ROOT } from '../e2e/run-vitest.ts';
import { followPage } from './follow-page.ts';
import { findBlocks } from './markdown.ts';

const pages = readdirSync(join(ROOT, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, text: readFileSync(join(ROOT, 'docs', name), 'utf8') }))
  .map((page) => ({
    ...page,
    marks: findBlocks(page.text).flatMap(({ marks }) => [...marks.keys()]),
  }))
  // test/package/ follows them in a project that has viva as a package.
  .filter(({ marks }) => marks.includes('clone'));

function copyClone(): string {
  const project = copyProject();
  const filter = (path: string) => basename(path) !== 'node_modules';
  for (const part of ['examples', 'bench'])
    cpSync(join(ROOT, part), join(project, part), { recursive: true, filter });
  return project;
}

describe('what a page says of a clone', () => {
  test.each(pages)('is what happens: $name', async ({ text }) => {
    const { runs, untrue } = await followPage(text, copyClone(), { isClone: true });
    expect(untrue).toEqual([]);
    expect(runs).toBeGreaterThan(0);
  });
});
