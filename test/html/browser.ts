import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { onTestFinished, type TestContext } from 'vitest';
import { ROOT } from '../e2e/run-vitest.ts';

/**
 * Where browsers are installed. Ubuntu's Chromium is left out: it is a snap, which sees no file
 * in /tmp.
 */
const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/usr/bin/microsoft-edge',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  // Playwright's own.
  chromium.executablePath(),
];

/** The faults that axe finds by all its rules: "rule: element". */
export async function findFaults(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  // The page's own policy lets no other script in.
  await session.send('Runtime.evaluate', { expression: AXE });
  return page.evaluate(
    `axe.run(document).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ': ' + target)))`,
  );
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The browser of the machine; a path in CHROME_PATH that is wrong fails the tests. */
const installed = process.env['CHROME_PATH'] || PLACES.find((path) => existsSync(path));

/** The package has a browser for this system alone. */
const isPackaged = process.platform === 'linux' && process.arch === 'x64';

/** For `beforeEach` of the tests that open pages. */
export function needBrowser({ skip }: TestContext): void {
  const isMissing = installed === undefined && !isPackaged;
  skip(isMissing, 'Chrome, Chromium or Edge at CHROME_PATH');
}

let launched: Promise<Browser> | undefined;

/** A browser without a window, one for all files of a worker, with which it ends. */
export function launchBrowser(): Promise<Browser> {
  launched ??= launch();
  return launched;
}

async function launch(): Promise<Browser> {
  // Root and many containers have no sandbox to give it, and the pages are our own.
  const args = ['--no-sandbox'];
  if (installed !== undefined) return chromium.launch({ executablePath: installed, args });
  const folder = await unpackBrowser();
  const env = {
    ...process.env,
    LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
    // It finds its fonts as those of a user, and where a machine has none it ends without them.
    XDG_DATA_HOME: join(folder, 'fonts'),
  };
  return chromium.launch({ executablePath: join(folder, 'chromium'), args, env });
}

/** The folder of the browser that a package ships, which is unpacked once for each version. */
async function unpackBrowser(): Promise<string> {
  const entry = import.meta.resolve('@sparticuz/chromium');
  const { version } = JSON.parse(readFileSync(new URL('../package.json', entry), 'utf8'));
  const cache = join(ROOT, 'node_modules/.cache');
  const folder = join(cache, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(`${folder}-`);
  const script = `import chromium from ${JSON.stringify(entry)}; await chromium.executablePath();`;
  // It unpacks where temporary files go, and libraries only where it takes itself to be on Lambda.
  const env = { ...process.env, TMPDIR: fresh, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };
  const args = ['--input-type=module', '--eval', script];
  await promisify(execFile)(process.execPath, args, { env });
  try {
    renameSync(fresh, folder);
  } catch (error) {
    // Another worker was faster.
    rmSync(fresh, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
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
