import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { serveView } from '../../reporters/page/server.ts';
import { listLabels } from '../../src/addons/calibrate/index.ts';
import { readRecords } from '../../src/data/files/read-records.ts';
import { JUDGE, toJudged, toResult, toTrials } from '../../src/figures/result.fixture.ts';
import { BEGUN } from '../../src/store/run-end.ts';
import { RunWriter } from '../../src/store/run-writer.ts';
import { isFields } from '../../src/words/fields.ts';
import type { SampleResult } from '../../src/words/row.ts';
import { toSample } from '../../src/words/types.fixture.ts';
import { ROOT } from '../e2e/run-vitest.ts';
import { makeFolder } from '../make-folder.ts';
import { makeRun, planned, writeRows } from '../make-run.ts';
import { runViva } from '../run-viva.ts';
import { findFaults, launchBrowser, needBrowser, openPage } from './browser.ts';

type Settings = Parameters<typeof serveView>[0];

/** The address of a page on the runs of an EVAL_DIR, until the test ends. */
async function serve(dir: string, settings: Partial<Settings> = {}): Promise<string> {
  const runs = join(dir, 'runs');
  const { url, close } = await serveView({ dir, runs, port: 0, listLabels, ...settings });
  onTestFinished(close);
  return url;
}

/** What the server answers; a path is sent as it is. */
function ask(url: string, path: string, options: { host?: string; method?: string } = {}) {
  const { host, method = 'GET' } = options;
  const { port, host: own } = new URL(url);
  return new Promise<{ status: number; type: string; body: string }>((done, fail) => {
    const headers = { host: host ?? own };
    request({ port, host: '127.0.0.1', path, method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () =>
        done({
          status: response.statusCode ?? 0,
          type: String(response.headers['content-type']),
          body: Buffer.concat(parts).toString('latin1'),
        }),
      );
    })
      .on('error', fail)
      .end();
  });
}

async function askJson(url: string, path: string): Promise<string> {
  const response = await fetch(new URL(path, url));
  return response.text();
}

/** An EVAL_DIR with three runs of the same four questions, of which the last gets one more right. */
function makeRuns(facts: Partial<SampleResult> = {}) {
  const dir = makeFolder();
  const folders = ['+--+', '+--+', '++-+'].map((marks, at) => {
    const rows = [...marks].flatMap((mark, id) =>
      toTrials(`q${id}`, mark, {
        suite: 'own',
        agent: 'a',
        cost_usd: 0.01,
        latency_ms: 900,
        ...facts,
      } as never),
    );
    const folder = makeRun(rows, {
      dir: join(dir, 'runs'),
      name: `2026010${at + 1}T000000Z-a`,
      created_at: `2026-01-0${at + 1}T00:00:00Z`,
      end: {},
    });
    new RunWriter(folder).questions(
      'own',
      rows.map(({ id }) => toSample({ id, input: `What is ${id}?` })),
    );
    return folder;
  });
  return { dir, folders };
}

const AGENT = 'openai:the-agent';

const ODD = [
  '=HYPERLINK("x")',
  'a,"b"\nc;d\t@e',
  '<img src=x onerror=alert(1)></script><script>alert(2)</script>',
  '\u202Eright to left\u0000',
  'x'.repeat(1_000_000),
];

/** An EVAL_DIR with a run of 30 answers that a judge has decided. */
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
  const folder = makeRun(rows, { dir: join(dir, 'runs'), name: 'run-1', end: {} });
  const asked = rows.map(({ id }) => toSample({ id, input: { ask: `about ${id}` } }));
  new RunWriter(folder).questions('own', asked);
  return { dir, run: (...words: readonly string[]) => runViva(words, { EVAL_DIR: dir }) };
}

async function readLabels(file: string): Promise<string> {
  const { records } = await readRecords(file);
  const labels = records.flatMap(({ value }) => (isFields(value) ? [String(value['label'])] : []));
  return labels.map((label) => label[0] ?? '-').join('');
}

async function save(page: Page, file: string): Promise<void> {
  const button = page.getByRole('button', { name: /^Save / });
  const [saved] = await Promise.all([page.waitForEvent('download'), button.click()]);
  await saved.saveAs(file);
}

describe('the list of runs', () => {
  beforeEach(needBrowser);

  test('has the newest first with their figures, and their history', async () => {
    const { dir } = makeRuns();
    mkdirSync(join(dir, 'runs/20250101T000000Z-old'), { recursive: true });
    writeFileSync(join(dir, 'runs/20250101T000000Z-old/manifest.json'), '{"version":99}');
    const { page, misdeeds } = await openPage(await serve(dir));
    const rows = page.locator('.runs tbody');
    await expect.poll(() => rows.count()).toBe(4);
    const texts = (await rows.allTextContents()).map((text) => text.replace(/\s+/g, ' '));
    expect(texts[0]).toMatch(/3 Jan 2026.*own.*a.*4.*75\.0 %.*\$0\.040.*finished/);
    expect(texts[3]).toMatch(/version must be 1, got 99.*cannot be read/);
    const points = page.locator('.history-area a');
    expect(
      await points.evaluateAll((all) => all.map((each) => each.getAttribute('title'))),
    ).toEqual([
      expect.stringMatching(/: 50\.0 %, /),
      expect.stringMatching(/: 50\.0 %, /),
      expect.stringMatching(/: 75\.0 %, /),
    ]);
    expect(await findFaults(page)).toEqual([]);
    await page.getByPlaceholder(/Search/).fill('2026-01-02 20260102');
    await expect.poll(() => rows.count()).toBe(0);
    await page.getByPlaceholder(/Search/).fill('20260102 own');
    await expect.poll(() => rows.count()).toBe(1);
    await rows.getByRole('link').click();
    await page.locator('.cards').waitFor();
    await page.goBack();
    await expect.poll(() => rows.count()).toBe(1);
    expect(misdeeds).toEqual([]);
  });

  test('compares two runs that are chosen', async () => {
    const { dir } = makeRuns();
    const { page, misdeeds } = await openPage(await serve(dir), {
      viewport: { width: 390, height: 800 },
    });
    const boxes = page.getByRole('checkbox');
    await boxes.nth(0).check();
    await boxes.nth(2).check();
    await page.getByRole('link', { name: 'Compare the two' }).click();
    const rows = page.locator('.compare .rows .row');
    await rows.first().waitFor();
    expect((await page.locator('.pairs tbody').textContent())?.replace(/\s+/g, ' ')).toMatch(
      /\+25\.0 pp.*within noise.*1 \/ 0/,
    );
    expect((await rows.allTextContents()).map((text) => text.replace(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/fixed.*q1.*What is q1\?/),
    ]);
    await rows.getByRole('link').click();
    await page.locator('.case .two-sides').waitFor();
    expect(await findFaults(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Swap' }).click();
    await expect.poll(() => page.locator('.pairs tbody').textContent()).toMatch(/−25\.0 pp/);
    expect(misdeeds).toEqual([]);
  });

  test('of 1,000 runs comes in parts, and is found by search', async () => {
    const dir = makeFolder();
    const rows = toTrials('q', '+', { suite: 'own', agent: 'a' });
    for (let at = 0; at < 1000; at++)
      makeRun(rows, {
        dir: join(dir, 'runs'),
        name: `2026${String(at).padStart(4, '0')}T000000Z-a`,
        end: {},
      });
    const { page } = await openPage(await serve(dir));
    await expect
      .poll(() => page.getByRole('status').first().textContent(), { timeout: 20_000 })
      .toBe('1\u202f000 runs');
    expect(await page.locator('.runs tbody').count()).toBe(100);
    await page.getByPlaceholder(/Search/).fill('20260000');
    await expect.poll(() => page.locator('.runs tbody').count()).toBe(1);
  });
});

describe('a run that goes on', () => {
  beforeEach(needBrowser);

  test('is shown row by row, and with its figures when it has ended', async () => {
    const dir = makeFolder();
    const toRow = (id: string, mark: string) => toTrials(id, mark, { suite: 'own', agent: 'a' });
    const ids = ['q0', 'q1', 'q2', 'q3', 'open'];
    const questions = planned(ids, 'level 1').map((each) =>
      each.id === 'open' ? { ...each, hidden: true as const } : each,
    );
    const folder = makeRun(toRow('q0', '+'), {
      dir: join(dir, 'runs'),
      name: '20260101T000000Z-a',
      suite: { questions },
    });
    const writer = new RunWriter(folder);
    writer.questions(
      'own',
      ids.map((id) => toSample({ id, input: `What is ${id}?` })),
    );
    writer.end(BEGUN);
    const { page, misdeeds } = await openPage(`${await serve(dir)}#/20260101T000000Z-a`);
    const figure = page.locator('.figure');
    await expect.poll(() => figure.textContent()).toBe('1 of 5 answers');
    expect(await findFaults(page)).toEqual([]);
    const open = toTrials('open', '!', { suite: 'own', agent: 'a', target: null });
    writeRows(folder, ...toRow('q2', '-'), ...toRow('q1', '+'), ...open);
    await expect.poll(() => figure.textContent(), { timeout: 5000 }).toBe('4 of 5 answers');
    // What has no target is ungraded, whatever became of it.
    expect(await page.locator('.so-far').textContent()).toContain('2 of 3 correct so far');
    expect(await page.locator('.legend').textContent()).toMatch(/1 incorrect.*1 ungraded/s);
    expect(await page.locator('.latest').textContent()).toContain('What is q2?');
    await page.getByRole('link', { name: 'Cases' }).click();
    await expect.poll(() => page.locator('.rows .c-id').allTextContents()).toEqual(['q2']);
    await page.goBack();
    writeRows(folder, ...toRow('q3', '+'));
    await runViva(['report', folder]);
    writer.end({ ...BEGUN, ended_at: new Date().toISOString() });
    await expect
      .poll(() => page.locator('.cards .figure').allTextContents(), { timeout: 10_000 })
      .toEqual([expect.stringContaining('75.0')]);
    expect(misdeeds).toEqual([]);
  });
});

describe('labels', () => {
  beforeEach(needBrowser);

  test('30 answers are labelled by keyboard, and the saved file calibrates the judge', async () => {
    const { dir, run } = makeJudgedRun();
    const address = `${await serve(dir)}#/run-1/labels?sample=30`;
    const { page, misdeeds } = await openPage(address, { viewport: { width: 390, height: 800 } });
    const count = page.locator('.labelling [role=status]');
    await count.waitFor();
    expect(await findFaults(page)).toEqual([]);
    const all = await page.content();
    for (const secret of [AGENT, 'SAID BY THE JUDGE']) expect(all).not.toContain(secret);
    for (const ignored of ['Alt+f', 'Control+p', 'Meta+p', 'x', 'u'])
      await page.keyboard.press(ignored);
    // A key that is held down labels one answer.
    await page.keyboard.down('p');
    await page.keyboard.down('p');
    await page.keyboard.up('p');
    const first = '1 of 30 answers done: 1 pass, 0 fail, 0 skipped';
    await expect.poll(() => count.textContent()).toBe(first);
    await page.keyboard.press('f');
    await page.keyboard.press('u');
    await expect
      .poll(() => page.evaluate('document.activeElement.textContent.trim()'))
      .toMatch(/^Answer 2 of 30/);
    // Chromium keeps what a page stores in another process: a reload at once may come before it.
    await expect
      .poll(async () => {
        await page.reload();
        return count.textContent();
      })
      .toBe(first);
    for (let place = 1; place < 30; place++) {
      await expect.poll(() => count.textContent()).toContain(`${place} of 30`);
      expect(await page.locator('.card').textContent()).toContain('"ask": "about =q');
      await page.keyboard.press(place % 10 === 9 ? 's' : place % 2 === 0 ? 'p' : 'f');
    }
    await expect
      .poll(() => count.textContent())
      .toBe('30 of 30 answers done: 15 pass, 12 fail, 3 skipped');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(misdeeds).toEqual([]);
    const csv = join(dir, 'labels.csv');
    await save(page, csv);
    expect(await readLabels(csv)).toBe('pfpfpfpfp-'.repeat(3));
    // But for the labels it is what viva writes itself, with its cells made safe.
    await run('label', 'run-1', '--sample', '30', '--out', join(dir, 'own.csv'));
    const plain = readFileSync(join(dir, 'own.csv'), 'utf8');
    expect(plain).toContain(`"'=HYPERLINK(""x"")"`);
    expect(readFileSync(csv, 'utf8').replaceAll(/,(?:pass|fail)(?=,run-1,)/g, ',')).toBe(plain);
    const { code, output } = await run('judge', 'calibrate', csv);
    expect([code, output]).toEqual([0, expect.stringContaining('  27 labels: 15 pass, 12 fail')]);
    expect(output).toContain('3 of 30 rows have no label yet');
  });

  test('answers are graded by a key for each grade, 0 for 10', async () => {
    const dir = makeFolder();
    const judge = { ...JUDGE, scale: 10, verdicts: [4] };
    const rows = ['a', 'b', 'c', 'd'].map((id) =>
      toResult('correct', { suite: 'own', dataset: 'sample', id, judge }),
    );
    makeRun(rows, { dir: join(dir, 'runs'), name: 'run-1', end: {} });
    const { page } = await openPage(`${await serve(dir)}#/run-1/labels`);
    const count = page.locator('.labelling [role=status]');
    await count.waitFor();
    // Pass and fail are no grades.
    for (const key of ['p', 'f', '7']) await page.keyboard.press(key);
    await expect.poll(() => count.textContent()).toContain('1 of 4 answers done: 1 graded');
    await page.getByRole('button', { name: '10' }).click();
    for (const key of ['s', '1']) await page.keyboard.press(key);
    await expect
      .poll(() => count.textContent())
      .toContain('4 of 4 answers done: 3 graded, 1 skipped');
    const csv = join(dir, 'labels.csv');
    await save(page, csv);
    const { records } = await readRecords(csv);
    const labels = records.map(({ value }) => (isFields(value) ? value['label'] : null));
    expect(labels).toEqual(['7', '10', '', '1']);
    const { output } = await runViva(['judge', 'calibrate', csv], { EVAL_DIR: dir });
    expect(output).toContain('  3 labels\n');
    // A saved file is gone on with.
    await page.locator('input[type=file]').setInputFiles(csv);
    await page.getByText('All answers are done').waitFor();
    await expect.poll(() => count.textContent()).toContain('3 graded');
  });

  test('two people settle what they disagree on, and the saved file has all labels', async () => {
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
    expect(output).toMatch(/^26 answers .*wrote .*settle\.csv: 2 disagreements to settle/s);
    const { page } = await openPage(`${await serve(dir)}#/run-1/labels`);
    await page.locator('.labelling').waitFor();
    await page.locator('input[type=file]').setInputFiles(toPath('settle'));
    await page.getByText('a.csv: pass · b.csv: fail').waitFor();
    for (const [key, done] of [
      ['f', 29],
      ['p', 30],
    ] as const) {
      await page.keyboard.press(key);
      await page.getByText(`${done} of 30 answers done`).waitFor();
    }
    await save(page, toPath('settled'));
    const settled = [...(await readLabels(toPath('settled')))].sort().join('');
    expect(settled).toBe(`---${'f'.repeat(11)}${'p'.repeat(16)}`);
    const calibrated = await run('judge', 'calibrate', toPath('settled'));
    expect(calibrated.output).toContain('  27 labels: 16 pass, 11 fail');
  });

  test('without storage the page warns, and goes on with a file that was saved', async () => {
    const { dir } = makeJudgedRun();
    const context = await (await launchBrowser()).newContext();
    onTestFinished(() => context.close());
    await context.addInitScript(
      `Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied'); } })`,
    );
    const page = await context.newPage();
    await page.goto(`${await serve(dir)}#/run-1/labels`);
    await page.getByText('does not keep labels').waitFor();
    for (const [at, key] of [...'pfsf'].entries()) {
      await page.keyboard.press(key);
      await page.getByText(`${at + 1} of 30 answers done`).waitFor();
    }
    const csv = join(dir, 'labels.csv');
    await save(page, csv);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText('Answer 1 of 30').waitFor();
    await page.locator('input[type=file]').setInputFiles(csv);
    await page.getByText('Answer 5 of 30').waitFor();
    expect(await page.locator('.labelling [role=status]').textContent()).toContain(
      '1 pass, 2 fail, 1 skipped',
    );
  });
});

describe('the server', () => {
  test('answers this machine alone, and only reads', async () => {
    const { dir } = makeRuns();
    const url = await serve(dir);
    expect((await ask(url, '/')).body).toContain('<!doctype html>');
    for (const host of ['example.org', 'localhost.example.org', '127.0.0.1.example.org:80'])
      expect((await ask(url, '/api/runs', { host })).status).toBe(403);
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect((await ask(url, '/api/runs', { method })).status).toBe(403);
  });

  test.each([
    '/api/runs/..',
    '/api/runs/..%2f..%2fetc',
    '/api/runs/%2e%2e/answers',
    '/api/runs/nowhere',
    '/api/runs/20260101T000000Z-a/__proto__',
    '/api/runs/20260101T000000Z-a/talk?question=-1&variant=0&trial=1',
    '/api/runs/20260101T000000Z-a/file?question=0&index=9',
    '/api/runs/20260101T000000Z-a/texts?from=x',
    '/api/compare?a=20260101T000000Z-a&b=..',
    '/api/else',
    '/etc/passwd',
    '/%E0%A4%A',
  ])('has nothing at %s', async (path) => {
    const { dir } = makeRuns();
    const { status, type } = await ask(await serve(dir), path);
    expect([status, type]).toEqual([404, expect.stringMatching(/^text\/plain/)]);
  });

  test('shows pictures, and gives other files of its own folder to be saved', async () => {
    const dir = makeFolder({
      'files/dot.png': Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB', 'base64'),
      'files/page.html': '<script>alert(1)</script>',
    });
    const outside = makeFolder({ 'secret.txt': 'SECRET' });
    const folder = makeRun([toResult('correct', { suite: 'own', id: 'q' })], {
      dir: join(dir, 'runs'),
      name: 'run-1',
      end: {},
    });
    const paths = [
      join(dir, 'files/dot.png'),
      join(dir, 'files/page.html'),
      join(outside, 'secret.txt'),
    ];
    const attachments = paths.map((path) => ({ name: path.split('/').at(-1) ?? '', path }));
    new RunWriter(folder).questions('own', [toSample({ id: 'q', attachments })]);
    const url = await serve(dir);
    const fileAt = (index: number) => ask(url, `/api/runs/run-1/file?question=0&index=${index}`);
    expect((await fileAt(0)).type).toBe('image/png');
    expect(await fileAt(1)).toMatchObject({ status: 200, type: 'application/octet-stream' });
    const refused = await fileAt(2);
    expect([refused.status, refused.body]).toEqual([404, expect.not.stringContaining('SECRET')]);
  });

  test('has no text that must be hidden', async () => {
    const { dir, folders } = makeRuns({ dataset: 'secret' });
    const name = folders[0]?.split('/').at(-1);
    const parts = [
      '',
      '/answers',
      '/texts?from=0',
      '/talk?question=0&variant=0&trial=1',
      '/labels?gated=1',
    ];
    const read = async (url: string) => {
      const texts = await Promise.all(
        parts.map((part) => askJson(url, `/api/runs/${name}${part}`)),
      );
      return texts.join('\n');
    };
    const [shown, hidden] = [
      await read(await serve(dir)),
      await read(await serve(dir, { ci: true })),
    ];
    expect(shown).toContain('What is q0?');
    expect(hidden).toContain('"is_hidden":true');
    expect(hidden).not.toMatch(/What is q0|truth/);
  });

  test('ends with Ctrl-C, and takes another port where one is taken', async () => {
    const { dir } = makeRuns();
    const taken = new URL(await serve(dir)).port;
    const child = spawn(
      process.execPath,
      [join(ROOT, 'src/cli/index.ts'), 'view', '--port', taken],
      {
        env: { ...process.env, EVAL_DIR: dir },
      },
    );
    onTestFinished(() => void child.kill('SIGKILL'));
    const said = await new Promise<string>((done) =>
      child.stdout.once('data', (data) => done(String(data))),
    );
    const [, url = ''] = /viva view: (\S+) shows the runs of/.exec(said) ?? [];
    expect(new URL(url).port).not.toBe(taken);
    expect(await askJson(url, '/api/runs')).toContain('20260103T000000Z-a');
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });
});
