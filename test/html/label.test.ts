import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { toResult } from '../../src/metrics/result.fixture.ts';
import { readRecords } from '../../src/records/read-records.ts';
import { isFields } from '../../src/records/record.ts';
import { writeQuestions } from '../../src/store/run-folder.ts';
import { makePanel, saying, startJudges } from '../judge-lab.ts';
import { makeFolder } from '../make-folder.ts';
import { makeRun } from '../make-run.ts';
import { runViva } from '../run-viva.ts';
import { launchBrowser, openFile } from './browser.ts';

const browser = await launchBrowser();

const AGENT = 'openai:the-agent';

const ODD = [
  '=HYPERLINK("x")',
  'a,"b"\nc;d\t@e',
  '<img src=x onerror=alert(1)></script><script>alert(2)</script>',
  '\u202Eright to left\u0000',
  'x'.repeat(1_000_000),
];

/** An EVAL_DIR with a run of 30 answers that a real judge has passed, but every third. */
async function makeJudgedRun(): Promise<string> {
  const dir = makeFolder();
  const judges = await startJudges(({ texts }) =>
    saying(Number(texts['answer']) % 3 === 0 ? 'fail' : 'pass', 'SAID BY THE JUDGE'),
  );
  // A stub reads no answer, so it judges numbers, of which the run has other answers.
  const numbers = Array.from({ length: 30 }, (_, place) => String(place));
  const graded = await makePanel()({ EVAL_JUDGE: judges.name('m') }, numbers);
  const rows = graded.flatMap(({ judge }, place) => {
    const output = ODD[place % ODD.length] ?? '';
    const state = judge?.verdicts[0] === 'pass' ? 'correct' : 'incorrect';
    const facts = { suite: 'own', dataset: 'sample', agent: AGENT, group: `g${place % 2}` };
    const row = toResult(state, { ...facts, id: `=q${place}`, ...(judge && { judge }) });
    return row.state === 'correct' || row.state === 'incorrect' ? { ...row, output } : [];
  });
  const folder = makeRun(rows, { dir: join(dir, 'runs'), name: 'run-1' });
  const asked = { suite: 'own', target: null, group: 'all', attachments: [], metadata: {} };
  writeQuestions(
    folder,
    'own',
    rows.map(({ id }) => ({ ...asked, id, input: { ask: `about ${id}` } })),
  );
  return dir;
}

async function readLabels(file: string) {
  const { records } = await readRecords(file);
  return records.flatMap(({ value }) => (isFields(value) ? [String(value['label'])] : []));
}

async function download(page: Page, file: string): Promise<void> {
  const [saved] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  await saved.saveAs(file);
}

test('30 answers are labelled by keyboard, and the download calibrates the judge', async () => {
  const dir = await makeJudgedRun();
  const run = (...words: readonly string[]) => runViva(words, { EVAL_DIR: dir });
  const made = await run('label', 'run-1', '--sample', '30');
  expect(made).toMatchObject({ code: 0, output: expect.stringContaining(': 30 answers to label') });
  const html = join(dir, 'runs/run-1/label.html');
  const text = readFileSync(html, 'utf8');
  expect(text).not.toContain(AGENT);
  expect(text).not.toContain('SAID BY THE JUDGE');

  const { page, misdeeds } = await openFile(browser, html, {
    viewport: { width: 390, height: 800 },
  });
  const count = page.getByRole('status');
  for (const ignored of ['Alt+f', 'Shift+s', 'Meta+p', 'x', 'u'])
    await page.keyboard.press(ignored);
  // A key that is held down labels one answer.
  await page.keyboard.down('p');
  await page.keyboard.down('p');
  await page.keyboard.up('p');
  expect(await count.textContent()).toBe('1 of 30 answers done: 1 pass, 0 fail, 0 skipped');
  await page.keyboard.press('f');
  await page.keyboard.press('u');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Answer 2 of 30');
  await page.reload();
  expect(await count.textContent()).toBe('1 of 30 answers done: 1 pass, 0 fail, 0 skipped');
  for (let place = 1; place < 30; place++) {
    expect(await page.locator('pre').first().textContent()).toContain('"ask": "about =q');
    await page.keyboard.press(place % 10 === 9 ? 's' : place % 2 === 0 ? 'p' : 'f');
  }
  expect(await count.textContent()).toBe('30 of 30 answers done: 15 pass, 12 fail, 3 skipped');
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  expect(misdeeds).toEqual([]);
  const csv = join(dir, 'labels.csv');
  await download(page, csv);

  const labels = await readLabels(csv);
  expect(labels.map((label) => label[0] ?? '-').join('')).toBe('pfpfpfpfp-'.repeat(3));
  // But for the labels it is what viva writes itself, with its cells made safe.
  await run('label', 'run-1', '--sample', '30', '--out', join(dir, 'own.csv'));
  const own = readFileSync(join(dir, 'own.csv'), 'utf8');
  expect(own).toContain(`"'=HYPERLINK(""x"")"`);
  expect(readFileSync(csv, 'utf8').replaceAll(/,(?:pass|fail)(?=,run-1,)/g, ',')).toBe(own);
  const { code, output } = await run('judge', 'calibrate', csv);
  expect([code, output]).toEqual([0, expect.stringContaining('  27 labels: 15 pass, 12 fail')]);
  expect(output).toContain('3 of 30 rows have no label yet');
});

test('two people settle what they disagree on, and the download has all labels', async () => {
  const dir = await makeJudgedRun();
  const [a, b, c] = ['a.csv', 'b.csv', 'settled.csv'].map((name) => join(dir, name));
  if (a === undefined || b === undefined || c === undefined) throw new Error('no files');
  const run = (...words: readonly string[]) => runViva(words, { EVAL_DIR: dir });
  await run('label', 'run-1', '--out', a);
  const rows = readFileSync(a, 'utf8');
  const write = (file: string, labels: string) => {
    let place = 0;
    const word = () => ({ p: 'pass', f: 'fail' })[labels[place++] ?? ''] ?? '';
    writeFileSync(
      file,
      rows.replaceAll(/(?<=,),(?=run-1,)/g, () => `${word()},`),
    );
  };
  write(a, `${'p'.repeat(16)}${'f'.repeat(10)}p`);
  write(b, `${'p'.repeat(14)}${'f'.repeat(12)}-`);
  const { output } = await run('label', '--agree', a, b);
  expect(output.split('\n').map((line) => line.replaceAll(`${dir}/`, ''))).toEqual([
    '26 answers labelled in both files',
    '  agreement 92.3 % (75.9 - 97.9 %)',
    "  Cohen's kappa 0.84 (0.49 to 0.97), with its 95 % interval",
    '  both pass 14, both fail 10',
    '  a.csv pass and b.csv fail 2, the other way round 0',
    '1 answer labelled in a.csv alone; 0 of them not in b.csv',
    'wrote settle.html: 2 disagreements to settle',
  ]);
  const { page } = await openFile(browser, join(dir, 'settle.html'));
  expect(await page.locator('.note').textContent()).toBe('a.csv: pass · b.csv: fail');
  for (const key of ['f', 'p']) await page.keyboard.press(key);
  await download(page, c);
  const settled = (await readLabels(c)).map((label) => label[0] ?? '-').join('');
  expect([...settled].sort().join('')).toBe(`---${'f'.repeat(11)}${'p'.repeat(16)}`);
  const calibrated = await run('judge', 'calibrate', c);
  expect(calibrated.output).toContain('  27 labels: 16 pass, 11 fail');
});

/** A page in a browser that keeps nothing for files. */
async function openForgetful(context: BrowserContext, file: string): Promise<Page> {
  await context.addInitScript(
    `Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied'); } })`,
  );
  const page = await context.newPage();
  await page.goto(pathToFileURL(file).href);
  return page;
}

test('without storage the page warns, and goes on with a file that was downloaded', async () => {
  const dir = await makeJudgedRun();
  await runViva(['label', 'run-1'], { EVAL_DIR: dir });
  const context = await browser.newContext();
  const page = await openForgetful(context, join(dir, 'runs/run-1/label.html'));
  expect(await page.getByRole('alert').textContent()).toContain('does not keep labels');
  for (const key of 'pfsf') await page.keyboard.press(key);
  const asked = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await page.getByRole('button', { name: 'Download labels.csv' }).focus();
  const csv = join(dir, 'labels.csv');
  await download(page, csv);
  await page.reload();
  expect(await page.getByRole('heading', { level: 2 }).textContent()).toBe('Answer 1 of 30');
  await page.locator('input').setInputFiles(csv);
  await page.getByText('Answer 5 of 30').waitFor();
  expect(await page.getByRole('status').textContent()).toContain('1 pass, 2 fail, 1 skipped');
});
