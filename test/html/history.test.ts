import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findChangedQuestions } from '../../reporters/changed-questions.ts';
import { writeHistory } from '../../reporters/html/history-page.ts';
import { readPastVariants } from '../../reporters/past-run.ts';
import { toTrials } from '../../src/figures/result.fixture.ts';
import { RunWriter } from '../../src/store/run-writer.ts';
import type { Audience } from '../../src/words/audience.ts';
import { toSample } from '../../src/words/types.fixture.ts';
import { makeFolder } from '../make-folder.ts';
import { CONDITIONS, makeRun } from '../make-run.ts';
import { needBrowser, openFile } from './browser.ts';

test('the history fits a wide screen, and shows run and accuracy on a narrow one', async (context) => {
  needBrowser(context);
  const dir = makeFolder();
  const agent = 'openai:a-model-with-a-long-name?reasoning_effort=high&max_tokens=32000';
  const folders = ['+-', '++', '-+'].map((marks, index) => {
    const rows = [...marks].flatMap((mark, id) =>
      toTrials(`q${id}`, mark, {
        agent,
        cost_usd: 0.01 * (index + 1),
        latency_ms: 900,
        scores: { closeness: 0.5, polite: mark === '+' },
      }),
    );
    const recorded = index === 2 ? { recorded_prompt: '' } : {};
    const folder = makeRun(rows, {
      dir,
      suite: { conditions: [{ ...CONDITIONS, agent, ...recorded }] },
      name: `2026010${index}T000000Z-openai-a-model-with-a-long-name`,
    });
    writeFileSync(join(folder, 'report.html'), '');
    return folder;
  });
  const file = writePage(dir, folders);
  const { page } = await openFile(file, { javaScriptEnabled: false });
  for (const width of [360, 800, 1400]) {
    await page.setViewportSize({ width, height: 700 });
    const box = await page.getByRole('cell', { name: '100.0 %', exact: true }).boundingBox();
    expect((box?.x ?? width) + (box?.width ?? 0)).toBeLessThan(width);
    const scrolling = `[...document.querySelectorAll('html, .scroll')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ className }) => className)`;
    expect(await page.evaluate(scrolling)).toEqual(width < 1000 ? ['scroll'] : []);
  }
  expect(await page.getByRole('rowheader').getByRole('link').count()).toBe(3);
  expect(
    (await page.locator('figcaption').allTextContents()).map((text) => text.split(',')[0]),
  ).toEqual(['Accuracy', 'Score closeness', 'Score polite', 'Cost', 'Median latency']);
  const accuracy = page.locator('figure').first();
  const last = accuracy.getByRole('link').last();
  expect(await last.getAttribute('aria-label')).toMatch(/: 50\.0 % \(9\.5 - 90\.5 %\), replayed$/);
  // The hollow mark of a replay.
  expect(await accuracy.locator('circle[fill="var(--panel)"]').count()).toBe(1);
  await last.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/20260102T000000Z.*report\.html$/);
});

test('opens the answers of all runs to a question beside each other, if some are right and some wrong', async (context) => {
  needBrowser(context);
  const { page, misdeeds } = await openFile(makeHistory({}));
  expect(await page.locator('#cases .note').textContent()).toContain('2 questions with both right');
  expect(await page.locator('#count').textContent()).toBe('7 of 7 cases, 3 of them failed');
  const rows = await page.locator('.cases tbody tr').allTextContents();
  expect(rows.map((row) => row.slice(0, 2))).toEqual(['q0', 'q0', 'q0', 'q0', 'q1', 'q1', 'q1']);
  await page.getByRole('button', { name: 'q0' }).first().click();
  const dialog = page.getByRole('dialog');
  const heading = dialog.getByRole('heading', { level: 3 });
  expect(await heading.textContent()).toBe('q0 | run-2 | made-up | b.md@bbbb');
  expect(await dialog.textContent()).toContain('What is q0?');
  const others = dialog.locator('.pair').last();
  expect(await others.getByRole('heading').allTextContents()).toEqual([
    'q0 | run-1 | made-up | a.md@aaaa: correct',
    'q0 | run-1 | other | a.md@aaaa: incorrect',
    'q0 | run-0 | made-up | a.md@aaaa: correct',
  ]);
  expect(await others.locator('pre').first().textContent()).toBe('  so\n+ run 1\n');
  await others.getByRole('link').last().click();
  await expect.poll(() => heading.textContent()).toContain('run-0');
  expect(misdeeds).toEqual([]);
});

test('draws no line across a run that did not end, and lists the scores', () => {
  const dir = makeFolder();
  const folders = ['++', '+.', '-+', '++'].map((marks, run) => {
    const prompt_hash = run === 3 ? 'bbbb' : 'aaaa';
    const rows = [...marks].flatMap((mark, id) =>
      toTrials(`q${id}`, mark, { prompt_hash, scores: { polite: mark === '+' } }),
    );
    const prompts = [{ hash: prompt_hash, file: '', name: 'a.md' }];
    const created_at = `2026-01-0${run + 1}T00:00:00Z`;
    return makeRun(rows, { dir, name: `run-${run}`, suite: { prompt_hash, prompts }, created_at });
  });
  const page = readFileSync(writePage(dir, folders), 'utf8');
  const [accuracy = ''] = page.split('</figure>');
  // From the third to the fourth run alone.
  expect(accuracy.match(/<line stroke=/g)).toHaveLength(1);
  expect(page).toMatch(/run-2<.*polite 50\.0 %/);
});

test('hides the texts of private questions in CI, and keeps the states', () => {
  const page = readFileSync(makeHistory({ ci: true }), 'utf8');
  expect(page).not.toMatch(/What is|run 2/);
  expect(page).toContain('<strong>Texts are hidden.</strong>');
  expect(page.match(/"textsHidden":true/g)).toHaveLength(7);
  expect(page.match(/"state":"(?:in)?correct"/g)).toHaveLength(7);
});

/**
 * The history of three runs. The last one has another prompt, and other answers to two of the four
 * questions; the text of q3 was edited.
 */
function makeHistory(settings: Audience): string {
  const dir = makeFolder();
  const folders = ['++--', '+--+', '-+-+'].map((marks, run) => {
    const prompt_hash = run === 2 ? 'bbbb' : 'aaaa';
    const toRows = (id: string, mark: string, agent: string) =>
      toTrials(id, mark, {
        agent,
        prompt_hash,
        question_hash: id === 'q3' && run > 0 ? 'edited' : '',
      }).map((row) => Object.assign(row, { output: `so\nrun ${run}` }));
    const rows = [...marks].flatMap((mark, id) => toRows(`q${id}`, mark, 'made-up'));
    if (run === 1) rows.push(...toRows('q0', '-', 'other'));
    const prompts = [{ hash: prompt_hash, file: '', name: run === 2 ? 'b.md' : 'a.md' }];
    const suite = { prompt_hash, prompts };
    const folder = makeRun(rows, { dir, name: `run-${run}`, suite });
    const asked = ['q0', 'q1'].map((id) => toSample({ id, input: `What is ${id}?` }));
    new RunWriter(folder).questions('gaia', asked);
    return folder;
  });
  return writePage(dir, folders, settings);
}

/** Writes the page of these runs, the oldest first, and returns its file. */
function writePage(dir: string, folders: readonly string[], settings: Audience = {}) {
  const file = join(dir, 'history.html');
  const changed = findChangedQuestions(folders.toReversed(), settings);
  writeHistory(folders.flatMap(readPastVariants), changed, file);
  return file;
}
