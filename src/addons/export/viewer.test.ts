import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { beforeEach, onTestFinished, test } from 'vitest';
import { launchBrowser, needBrowser } from '../../../test/html/browser.ts';
import { startServer } from '../../../test/loopback-server.ts';
import { makeFolder } from '../../../test/make-folder.ts';
import { makeExported } from './export.fixture.ts';
import { readExportedRun, writeInspectLogs } from './index.ts';

const VIEWER = dirname(fileURLToPath(import.meta.resolve('@metrevals/inspect-log-viewer')));

/** It lies beside the viewer's file, whose React it shares. */
const PAGE = join(VIEWER, 'page.js');
const PAGE_CODE = `
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { App, clientApi, initializeStore, simpleHttpApi } from './index.js';
const api = clientApi(simpleHttpApi('logs'));
initializeStore(api, { downloadFiles: true, webWorkers: true });
createRoot(document.getElementById('app')).render(createElement(App, { api }));`;

const HTML = `<!doctype html>
<link rel="stylesheet" href="/page.css">
<div id="app" style="height: 100vh"></div>
<script type="module" src="/page.js"></script>`;

async function bundlePage(): Promise<string> {
  const isPage = (id: string) => id === PAGE;
  const page = {
    name: 'page',
    resolveId: (id: string) => (isPage(id) ? id : null),
    load: (id: string) => (isPage(id) ? PAGE_CODE : null),
  };
  const built = await rolldown({
    input: PAGE,
    platform: 'browser',
    treeshake: false,
    plugins: [page],
    checks: { eval: false },
  });
  const { output } = await built.generate({ codeSplitting: false });
  return output[0].code;
}

/** Serves the viewer, and a log as a file of which a client takes ranges. */
function serve(code: string, log: string): RequestListener {
  const pages: Readonly<Record<string, readonly [type: string, body: string | Buffer]>> = {
    '/': ['text/html', HTML],
    '/page.css': ['text/css', readFileSync(join(VIEWER, 'styles/index.css'))],
    '/page.js': ['text/javascript', code],
    '/logs/listing.json': ['application/json', JSON.stringify({ [basename(log)]: {} })],
    [`/logs/${basename(log)}`]: ['application/octet-stream', readFileSync(log)],
  };
  return ({ url = '/', method, headers }, response) => {
    const [type, body] = pages[decodeURIComponent(url)] ?? [];
    if (type === undefined || body === undefined) return response.writeHead(404).end();
    const all = Buffer.from(body);
    const head = { 'content-type': type, 'accept-ranges': 'bytes' };
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    if (from === undefined)
      return response
        .writeHead(200, { ...head, 'content-length': all.length })
        .end(method === 'HEAD' ? '' : all);
    const range = `bytes ${from}-${to}/${all.length}`;
    return response
      .writeHead(206, { ...head, 'content-range': range })
      .end(all.subarray(Number(from), Number(to) + 1));
  };
}

beforeEach(needBrowser);

test("Inspect's viewer shows the samples of a log, their verdicts and their messages", async () => {
  const [log = ''] = writeInspectLogs(readExportedRun(makeExported(), true), makeFolder());
  const url = await startServer(serve(await bundlePage(), log));
  const context = await (await launchBrowser()).newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(`${url}/#/logs/${encodeURIComponent(basename(log))}`);
  await page
    .locator('#sample-1', { hasText: /^q1\s*SECRET-QUESTION.*SECRET-OUTPUT\s*C$/s })
    .click();
  const first = page.getByText('SECRET-SYSTEM').last();
  // The viewer may choose another tab of its own while the sample loads.
  const open = async () => {
    await page.getByRole('tab', { name: 'Messages' }).click();
    await first.waitFor({ timeout: 5_000 });
  };
  await open().catch(open);
  for (const text of ['SECRET-THOUGHT', 'SECRET-FOUND', 'SECRET-OUTPUT'])
    await page.getByText(text).last().waitFor();
});
