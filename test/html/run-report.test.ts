import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readSummary, runFolderOf, runVitest } from '../e2e/run-vitest.ts';
import { launchBrowser, openFile } from './browser.ts';

/** The report of a run in a browser that ends with the test. */
async function openReport(dir: string) {
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  return openFile(browser, join(runFolderOf(dir), 'report.html'));
}

test('a run of the samples leaves a report with every case, its question and its options', async () => {
  const { dir, code, report } = await runVitest(['run', 'evals'], { EVAL_AUDIT: 'fuzzy,tolerance:5%,any-of' });
  expect(code).toBe(0);
  const { page, misdeeds } = await openReport(dir);
  expect(await page.locator('#count').textContent()).toBe('78 of 78 cases, 24 of them failed');
  await page.getByLabel('Suite').selectOption('mcq');
  await page.getByRole('button', { name: 'Q47' }).click();
  const details = await page.locator('.details').textContent();
  expect(details).toContain('A January (right, chosen)');
  expect(details).toContain('D September (chosen)');
  expect(await page.locator('#confidence svg').count()).toBe(1);
  expect(await page.locator('#rules').textContent()).toContain('tolerance:5%');
  expect(misdeeds).toEqual([]);
  const { audit } = JSON.parse(JSON.stringify(readSummary(runFolderOf(dir))));
  expect(audit).toMatchObject([{ suite: 'gaia', agent: 'replay', n: 29, correct: 20 }]);
  const near = { rule: 'tolerance:5%', on: 'answer', correct: 22, false_positives: 2, false_negatives: 0 };
  expect(audit[0].rules).toContainEqual(near);
  expect(report).toMatch(/rule audit .*: contains \+1 -0, bidirectional \+1 -0, .*tolerance:5% \+2 -0/);
});
