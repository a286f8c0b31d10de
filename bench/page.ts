import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { startBrowser } from '../test/html/start-browser.ts';
import { describeMachine } from './measure/machine.ts';
import { toMarkdownTable } from './measure/markdown-table.ts';
import { median } from './measure/median.ts';
import { readOptions } from './measure/options.ts';
import { writeLargeRun } from './page/large-run.ts';

const ROOT = join(import.meta.dirname, '..');

const USAGE = `node bench/page.ts [--before COMMIT] [--rounds 5]

report.html of a run of 12,000 answers, and of 50,000, beside the page of the commit before this page came: how long it takes to
write, its size, the time until it can be used, a search and a second of scrolling. 2,000 (8,334) questions of 40 words out of
5,000 different ones, 3 agents, 2 trials, conversations of 4 steps. Medians of --rounds interleaved rounds; about 6 minutes.`;

/** The last commit with the page that came before. */
const BEFORE = '32424329';

/** How a page says that it can be used, and how it is searched. */
type Sort = Readonly<{
  name: string;
  root: string;
  /** Shown once the first view stands. */
  first: string;
  /** Opens the cases, if they are elsewhere. */
  openCases: (page: Page) => Promise<void>;
  search: string;
  count: string;
}>;

type Figures = Record<'write' | 'size' | 'first' | 'search' | 'frame', number>;

/** Has a program say its CPU time in microseconds when it ends. */
const TELL_CPU = `data:text/javascript,process.on('exit',()=>{const{user,system}=process.cpuUsage();process.stderr.write('cpu '+(user+system)+'\\n')})`;

const { before, rounds } = readOptions(USAGE, { before: BEFORE, rounds: '5' });
const folder = mkdtempSync(join(tmpdir(), 'viva-page-'));
try {
  await report(Number(rounds));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function report(rounds: number): Promise<void> {
  const sorts: readonly Sort[] = [
    {
      name: 'before',
      root: checkOut(before),
      first: '#count:not(:empty)',
      openCases: async () => undefined,
      search: '[name=text], input[type=search]',
      count: '#count',
    },
    {
      name: 'now',
      root: ROOT,
      first: '.cards .figure',
      openCases: async (page) => {
        await page.evaluate(`location.hash = '#/cases?chip=all&order=dataset'`);
        await page.locator('.rows .row').first().waitFor();
      },
      search: '.search input',
      count: '.found [role=status]',
    },
  ];
  const browser = await startBrowser();
  try {
    const rows: string[][] = [];
    for (const questions of [2000, 8334]) {
      const run = writeLargeRun(folder, questions);
      for (const [sort, figures] of await compare(sorts, run, rounds, browser))
        rows.push(toRow(`${(questions * 6).toLocaleString('en-US')} answers, ${sort}`, figures));
    }
    const head = ['page', 'write, CPU s', 'file, MB', 'first view, ms', 'search, ms', 'frame, ms'];
    console.log(`On ${describeMachine()}:\n\n${toMarkdownTable(head, rows)}`);
  } finally {
    await browser.close();
  }
}

function toRow(name: string, { write, size, first, search, frame }: Figures): string[] {
  return [
    name,
    write.toFixed(2),
    (size / 1e6).toFixed(2),
    ...[first, search, frame].map((ms) => ms.toFixed(0)),
  ];
}

/** Interleaved: what else the machine does falls on both. */
async function compare(
  sorts: readonly Sort[],
  run: string,
  rounds: number,
  browser: Browser,
): Promise<ReadonlyMap<string, Figures>> {
  const all = new Map(sorts.map(({ name }) => [name, [] as Figures[]]));
  for (let round = 0; round < rounds; round++)
    for (const sort of sorts) all.get(sort.name)?.push(await measure(sort, run, browser));
  const toMedians = (list: readonly Figures[]): Figures => ({
    write: median(list.map(({ write }) => write)),
    size: median(list.map(({ size }) => size)),
    first: median(list.map(({ first }) => first)),
    search: median(list.map(({ search }) => search)),
    frame: median(list.map(({ frame }) => frame)),
  });
  return new Map([...all].map(([name, list]) => [name, toMedians(list)]));
}

async function measure(sort: Sort, run: string, browser: Browser): Promise<Figures> {
  const file = join(folder, `${sort.name}.html`);
  const program = [join(sort.root, 'src/cli/index.ts'), 'report', run, '--out', file];
  const { stderr } = spawnSync(process.execPath, ['--import', TELL_CPU, ...program], {
    encoding: 'utf8',
  });
  const write = Number(/cpu (\d+)/.exec(stderr)?.[1]) / 1e6;
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const started = performance.now();
  await page.goto(pathToFileURL(file).href, { waitUntil: 'commit' });
  await page.locator(sort.first).first().waitFor();
  const first = performance.now() - started;
  await sort.openCases(page);
  await page.waitForLoadState('load');
  const frame = await measureFrames(page);
  // Nobody types while the page still scrolls.
  await page.waitForTimeout(1000);
  const search = await measureSearch(page, sort);
  await context.close();
  return { write, size: statSync(file).size, first, search, frame };
}

/** The mean time between two frames while a page scrolls for a second. */
function measureFrames(page: Page): Promise<number> {
  return page.evaluate(`new Promise((done) => {
    const begin = performance.now();
    let frames = 0;
    const step = () => {
      frames += 1;
      scrollBy(0, 120);
      if (performance.now() - begin < 1000) requestAnimationFrame(step);
      else done((performance.now() - begin) / frames);
    };
    requestAnimationFrame(step);
  })`);
}

/** The time until a page shows what a search for two words has found. */
async function measureSearch(page: Page, { search, count }: Sort): Promise<number> {
  const [before, started] = [await page.locator(count).textContent(), performance.now()];
  await page.locator(search).first().fill('t-01 support');
  await page.waitForFunction(
    `document.querySelector(${JSON.stringify(count)}).textContent !== ${JSON.stringify(before)}`,
    undefined,
    { polling: 'raf' },
  );
  return performance.now() - started;
}

/** The files of a commit, with the packages of today. */
function checkOut(commit: string): string {
  const root = join(folder, 'before');
  mkdirSync(root, { recursive: true });
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', root], { input: archive });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  return root;
}
