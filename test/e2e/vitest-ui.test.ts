import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import type { Page } from 'playwright-core';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { launchBrowser, needBrowser } from '../html/browser.ts';
import { makeFolder } from '../make-folder.ts';
import { PROJECT, type Script, scriptSettings } from './run-script.ts';
import { cleanEnvironment, ROOT } from './run-vitest.ts';

beforeEach(needBrowser);

const STEP = {
  text: 'I add up the column.',
  reasoning: null,
  tool_calls: [
    { name: 'calculate', arguments: '{"expression":"9+9"}', result: '18', failed: false },
  ],
  stop: 'end',
  usage: null,
};

test('a failed case, once opened, explains itself and has its files', async () => {
  const table = join(makeFolder(), 'table.csv');
  writeFileSync(table, 'boxes\n9\n9\n');
  const hostile = join(makeFolder(), 'hostile.html');
  writeFileSync(hostile, '<script>document.title = "it ran"</script>');
  const page = await openUi([
    { id: 'right', say: 'FINAL ANSWER: 17' },
    {
      id: 'wrong',
      input: 'What is\n  wrong?',
      say: 'It is all there.\nFINAL ANSWER: 18',
      costUsd: 0.0123,
      files: [table, hostile],
      trace: [STEP],
    },
  ]);
  await open(page, 'wrong');
  const report = await page.locator('body').textContent();
  for (const part of [
    'Expected: "17"',
    'Received: "18"',
    'Answer:   "18" (final answer marker)',
    'official, compared as number: 18 is not 17',
    'Question:\nWhat is\n  wrong?',
    '"question": "What is\\n  wrong?"',
    '"group": "all"',
    '"cost_usd": 0.0123',
    'table.csv',
  ]) {
    expect(report).toContain(part);
  }
  expect(report).toMatch(/"latency_ms": \d/);
  expect(await download(page, 0)).toBe(`--- user
What is
  wrong?
File: attachment-1.csv, 10 bytes
File: attachment-2.html, 42 bytes

--- model
I add up the column.

--- model calls calculate
{"expression":"9+9"}

--- calculate
18

--- model
It is all there.
FINAL ANSWER: 18
`);
  expect(await download(page, 1)).toBe('boxes\n9\n9\n');
  // A script in an attachment would run with the rights of the Vitest UI.
  const other = await page.context().newPage();
  const address = await page.getByText('Download').nth(2).getAttribute('href');
  const opened = await other.goto(new URL(address ?? '', page.url()).href);
  expect(opened?.headers()['content-type']).toBe('text/plain');
  expect(await other.textContent('body')).toContain('it ran');
  expect(await other.title()).toBe('');

  // The tables are in the console of the file, for pages opened later and for pages that are open
  // when a run ends.
  await page.getByText('evals/scripted.eval.ts').first().click();
  await page.getByText('Console (1)').click();
  const text = page.getByTestId('console');
  expect(await text.textContent()).toMatch(/^ {2}all +2 +1 +50\.0 %/m);
  await page.getByTestId('btn-run-all').click();
  await text.getByText('compared with watch run 1').waitFor({ timeout: 60_000 });
});

/** Opens a case; while its list still fills, a click may meet its neighbour. */
async function open(page: Page, id: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    await page.getByText(id, { exact: true }).first().click();
    const shown = page.getByText('Received: "18"').first().waitFor({ timeout: 5_000 });
    if (
      tries === 5 ||
      (await shown.then(
        () => true,
        () => false,
      ))
    )
      return;
  }
}

/** The content of the file that an annotation links to. */
async function download(page: Page, index: number): Promise<string> {
  const waiting = page.waitForEvent('download');
  await page.getByText('Download').nth(index).click();
  const stream = await (await waiting).createReadStream();
  return (await stream.toArray()).join('');
}

/**
 * The Vitest UI of a scripted project in a browser, once its run is over. Both end with the test.
 */
async function openUi(script: Script): Promise<Page> {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'watch', 'evals', '--ui', '--open=false', '--api.port=0'];
  const env = { ...cleanEnvironment(), ...scriptSettings(script), EVAL_DIR: makeFolder() };
  const child = spawn(process.execPath, args, {
    cwd: PROJECT,
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += stripVTControlCharacters(chunk.toString('utf8'));
  });
  for (let waited = 0; waited < 120_000 && !output.includes('exit 1:'); waited += 50)
    await sleep(50);
  const context = await (await launchBrowser()).newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(/http:\S+/.exec(output)?.[0] ?? `no address in: ${output}`);
  return page;
}
