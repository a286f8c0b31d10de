import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { copyProject } from '../e2e/copy-project.ts';
import { ROOT } from '../e2e/run-vitest.ts';
import { makeSharedFolder } from '../make-folder.ts';
import { followPage } from './follow-page.ts';
import { findBlocks } from './markdown.ts';

const pages = readdirSync(join(ROOT, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, text: readFileSync(join(ROOT, 'docs', name), 'utf8') }))
  .map((page) => ({
    ...page,
    marks: findBlocks(page.text).flatMap(({ marks }) => [...marks.keys()]),
  }))
  // test/package/ follows the page of those who install viva.
  .filter(({ marks }) => marks.includes('run') && !marks.includes('install'));

const project = makeSharedFolder();

/** Always in one folder, for which Node has compiled the sources. */
function copyClone(): void {
  rmSync(project, { recursive: true });
  copyProject(project);
  const filter = (path: string) => basename(path) !== 'node_modules';
  for (const part of ['examples', 'bench'])
    cpSync(join(ROOT, part), join(project, part), { recursive: true, filter });
}

describe('what a page says', () => {
  test.each(pages)('is what happens: $name', async ({ text }) => {
    copyClone();
    const { runs, untrue } = await followPage(text, project);
    expect(untrue).toEqual([]);
    expect(runs).toBeGreaterThan(0);
  });
});
