import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

let launched: Promise<Browser> | undefined;

/**
 * Debian's Chromium without a window, one for all files of a worker, with which it ends. A
 * container's root has no sandbox to give it.
 */
export function launchBrowser(): Promise<Browser> {
  launched ??= chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  return launched;
}

/**
 * A page of a file, and what it did that a report must not: errors, console output, dialogs,
 * requests.
 */
export type OpenedPage = Readonly<{
  page: Page;
  misdeeds: readonly string[];
  /** The CPU time of its process until its table of cases stood. */
  cpuSeconds: number;
}>;

/** Opens a file from disk as a double click would; its page closes with the test. */
export async function openFile(
  browser: Browser,
  file: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const context = await browser.newContext(options);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const { href } = pathToFileURL(file);
  const misdeeds: string[] = [];
  page.on('console', (message) => misdeeds.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => misdeeds.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    misdeeds.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (request.url() !== href) misdeeds.push(`request: ${request.url()}`);
  });
  await page.goto(href);
  if (options.javaScriptEnabled !== false) await page.locator('#count:not(:empty)').waitFor();
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  const cpuSeconds = metrics.find(({ name }) => name === 'ProcessTime')?.value ?? Infinity;
  return { page, misdeeds, cpuSeconds };
}
