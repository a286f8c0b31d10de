import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeHistory } from '../../reporters/html/history-page.ts';
import { readPastVariants } from '../../reporters/past-run.ts';
import { toTrials } from '../../src/metrics/result.fixture.ts';
import { makeFolder } from '../make-folder.ts';
import { makeRun } from '../make-run.ts';
import { launchBrowser, openFile } from './browser.ts';

test('the history fits a wide screen, and shows run and accuracy on a narrow one', async () => {
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
    const conditions = {
      agent,
      fingerprint: null,
      cache_key: null,
      deadlines: [],
      max_steps: null,
      ...(index === 2 ? { recorded_prompt: '' } : {}),
    };
    const folder = makeRun(rows, {
      dir,
      suite: { conditions: [conditions] },
      name: `2026010${index}T000000Z-openai-a-model-with-a-long-name`,
    });
    writeFileSync(join(folder, 'report.html'), '');
    return folder;
  });
  const file = join(dir, 'history.html');
  writeHistory(folders.flatMap(readPastVariants), file);
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  for (const width of [360, 800, 1400]) {
    const { page } = await openFile(browser, file, {
      viewport: { width, height: 700 },
      javaScriptEnabled: false,
    });
    const box = await page.getByRole('cell', { name: '100.0 %', exact: true }).boundingBox();
    expect((box?.x ?? width) + (box?.width ?? 0)).toBeLessThan(width);
    const scrolling = `[...document.querySelectorAll('html, .scroll')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ className }) => className)`;
    expect(await page.evaluate(scrolling)).toEqual(width < 1000 ? ['scroll'] : []);
    expect(await page.getByRole('rowheader').getByRole('link').count()).toBe(3);
    expect(
      (await page.locator('figcaption').allTextContents()).map((text) => text.split(',')[0]),
    ).toEqual(['Accuracy', 'Score closeness', 'Score polite', 'Cost', 'Median latency']);
    const accuracy = page.locator('figure').first();
    const last = accuracy.getByRole('link').last();
    expect(await last.getAttribute('aria-label')).toMatch(
      /: 50\.0 % \(9\.5 - 90\.5 %\), replayed$/,
    );
    // The hollow mark of a replay.
    expect(await accuracy.locator('circle[fill="var(--panel)"]').count()).toBe(1);
    await last.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/20260102T000000Z.*report\.html$/);
  }
});
