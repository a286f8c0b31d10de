import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../e2e/run-vitest.ts';
import { followPage } from './follow-page.ts';
import { findBlocks } from './markdown.ts';

const pages = readdirSync(join(ROOT, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, text: readFileSync(join(ROOT, 'docs', name), 'utf8') }))
  .filter(({ text }) => findBlocks(text).some(({ marks }) => marks.has('run')));

describe('what a page says', () => {
  test.each(pages)('is what happens: $name', { timeout: 120_000 }, async ({ text }) => {
    const { runs, untrue } = await followPage(text);
    expect(untrue).toEqual([]);
    expect(runs).toBeGreaterThan(0);
  });
});
