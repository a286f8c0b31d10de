import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';

const ROOT = join(import.meta.dirname, '../..');

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

/** The browser of the machine; a path in CHROME_PATH that is wrong fails the tests. */
const installed = process.env['CHROME_PATH'] || PLACES.find((path) => existsSync(path));

/** The package has a browser for this system alone. */
const isPackaged = process.platform === 'linux' && process.arch === 'x64';

/** Whether there is a browser to launch. */
export const hasBrowser = installed !== undefined || isPackaged;

/** Starts a browser without a window. */
export async function startBrowser(): Promise<Browser> {
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
