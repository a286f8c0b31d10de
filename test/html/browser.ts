import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished, type TestContext } from 'vitest';
import { hasBrowser, startBrowser } from './start-browser.ts';

/** The faults that axe finds by all its rules: "rule: element". */
export async function findFaults(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  // The page's own policy lets no other script in.
  await session.send('Runtime.evaluate', { expression: axe.source });
  return page.evaluate(
    `axe.run(document).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ': ' + target)))`,
  );
}

/** For `beforeEach` of the tests that open pages. */
export function needBrowser({ skip }: TestContext): void {
  skip(!hasBrowser, 'Chrome, Chromium or Edge at CHROME_PATH');
}

let launched: Promise<Browser> | undefined;

/** A browser without a window, one for all files of a worker, with which it ends. */
export function launchBrowser(): Promise<Browser> {
  launched ??= startBrowser();
  return launched;
}

/**
 * A page of a file, and what it did that a report must not: errors, console output, dialogs,
 * requests.
 */
export type OpenedPage = Readonly<{
  page: Page;
  misdeeds: readonly string[];
  /** The CPU time of its process until it stood. */
  cpuSeconds: number;
}>;

/** Opens a file from disk as a double click would; its page closes with the test. */
export function openFile(file: string, options: BrowserContextOptions = {}): Promise<OpenedPage> {
  return openPage(pathToFileURL(file).href, options);
}

/** Opens an address, whose server the page may ask for more. */
export async function openPage(
  href: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const context = await (await launchBrowser()).newContext(options);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const own = href.startsWith('file:') ? null : new URL('/', href).href;
  const misdeeds: string[] = [];
  page.on('console', (message) => misdeeds.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => misdeeds.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    misdeeds.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const url = request.url();
    // A picture that the file itself has, or an answer of its server.
    const isOwn = own === null ? url === href : url.startsWith(own);
    if (!isOwn && !/^(?:data:image\/|blob:)/.test(url)) misdeeds.push(`request: ${url}`);
  });
  await page.goto(href);
  if (options.javaScriptEnabled !== false) await page.locator('h1').first().waitFor();
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  const cpuSeconds = metrics.find(({ name }) => name === 'ProcessTime')?.value ?? Infinity;
  return { page, misdeeds, cpuSeconds };
}
