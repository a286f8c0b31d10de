import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { readRecords } from '../../src/data/files/read-records.ts';
import { JUDGE, toJudged } from '../../src/figures/result.fixture.ts';
import { RunWriter } from '../../src/store/run-writer.ts';
import { isFields } from '../../src/words/fields.ts';
import { toSample } from '../../src/words/types.fixture.ts';
import { makeFolder } from '../make-folder.ts';
import { makeRun } from '../make-run.ts';
import { runViva } from '../run-viva.ts';
import { launchBrowser, needBrowser, openFile } from './browser.ts';

beforeEach(needBrowser);

const AGENT = 'openai:the-agent';

const ODD = [
  '=HYPERLINK("x")',
  'a,"b"\nc;d\t@e',
  '<img src=x onerror=alert(1)></script><script>alert(2)</script>',
  '\u202Eright to left\u0000',
  'x'.repeat(1_000_000),
];

/** An EVAL_DIR with a run of 30 answers that a judge has decided, and a way to run viva there. */
function makeJudgedRun() {
  const dir = makeFolder();
  const judge = { ...JUDGE, reasons: ['SAID BY THE JUDGE'] };
  const facts = { suite: 'own', dataset: 'sample', agent: AGENT, judge };
  const rows = toJudged(20, 10, facts).map((row, place) =>
    Object.assign(row, {
      id: `=q${place}`,
      group: `g${place % 2}`,
      output: ODD[place % ODD.length],
    }),
  );
  const folder = makeRun(rows, { dir: join(dir, 'runs'), name: 'run-1' });
  const asked = rows.map(({ id }) => toSample({ id, input: { ask: `about ${id}` } }));
  new RunWriter(folder).questions('own', asked);
  const run = (...words: readonly string[]) => runViva(words, { EVAL_DIR: dir });
  return { dir, run };
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
  const { dir, run } = makeJudgedRun();
  const written = await run('label', 'run-1', '--sample', '30');
  expect(written).toMatchObject({
    code: 0,
    output: expect.stringContaining(': 30 answers to label'),
  });
  const html = join(dir, 'runs/run-1/label.html');
  const text = readFileSync(html, 'utf8');
  expect(text).not.toContain(AGENT);
  expect(text).not.toContain('SAID BY THE JUDGE');

  const { page, misdeeds } = await openFile(html, { viewport: { width: 390, height: 800 } });
  const count = page.getByRole('status');
  for (const ignored of ['Alt+f', 'Shift+s', 'Meta+p', 'x', 'u'])
    await page.keyboard.press(ignored);
  // A key that is held down labels one answer.
  await page.keyboard.down('p');
  await page.keyboard.down('p');
  await page.keyboard.up('p');
  const first = '1 of 30 answers done: 1 pass, 0 fail, 0 skipped';
  expect(await count.textContent()).toBe(first);
  await page.keyboard.press('f');
  await page.keyboard.press('u');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Answer 2 of 30');
  // Chromium keeps what a page stores in another process: a reload at once may come before it.
  await expect
    .poll(async () => {
      await page.reload();
      return count.textContent();
    })
    .toBe(first);
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
  const plain = readFileSync(join(dir, 'own.csv'), 'utf8');
  expect(plain).toContain(`"'=HYPERLINK(""x"")"`);
  expect(readFileSync(csv, 'utf8').replaceAll(/,(?:pass|fail)(?=,run-1,)/g, ',')).toBe(plain);
  const { code, output } = await run('judge', 'calibrate', csv);
  expect([code, output]).toEqual([0, expect.stringContaining('  27 labels: 15 pass, 12 fail')]);
  expect(output).toContain('3 of 30 rows have no label yet');
});

test('two people settle what they disagree on, and the download has all labels', async () => {
  const { dir, run } = makeJudgedRun();
  const toPath = (name: string) => join(dir, `${name}.csv`);
  await run('label', 'run-1', '--out', toPath('a'));
  const rows = readFileSync(toPath('a'), 'utf8');
  const write = (name: string, labels: string) => {
    const words = [...labels].map((label) => ({ p: 'pass', f: 'fail' })[label] ?? '');
    const labelled = rows.replaceAll(/(?<=,),(?=run-1,)/g, () => `${words.shift() ?? ''},`);
    writeFileSync(toPath(name), labelled);
  };
  write('a', `${'p'.repeat(16)}${'f'.repeat(10)}p`);
  write('b', `${'p'.repeat(14)}${'f'.repeat(12)}-`);
  const { output } = await run('label', '--agree', toPath('a'), toPath('b'));
  expect(output).toMatch(/^26 answers .*wrote .*settle\.html: 2 disagreements to settle$/s);
  const { page } = await openFile(join(dir, 'settle.html'));
  expect(await page.locator('.note').textContent()).toBe('a.csv: pass · b.csv: fail');
  for (const key of ['f', 'p']) await page.keyboard.press(key);
  const c = toPath('settled');
  await download(page, c);
  const settled = (await readLabels(c)).map((label) => label[0] ?? '-').join('');
  expect([...settled].sort().join('')).toBe(`---${'f'.repeat(11)}${'p'.repeat(16)}`);
  const calibrated = await run('judge', 'calibrate', c);
  expect(calibrated.output).toContain('  27 labels: 16 pass, 11 fail');
});

test('without storage the page warns, and goes on with a file that was downloaded', async () => {
  const { dir, run } = makeJudgedRun();
  await run('label', 'run-1');
  const context = await (await launchBrowser()).newContext();
  await context.addInitScript(
    `Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied'); } })`,
  );
  const page = await context.newPage();
  await page.goto(pathToFileURL(join(dir, 'runs/run-1/label.html')).href);
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
