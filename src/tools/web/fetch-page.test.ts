import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { html, redirect, startSite } from '../../../test/page-site.ts';
import { createFetchPage, decodeHtml } from './fetch-page.ts';
import type { WebAccess } from './request-page.ts';
import { toHtmlText } from './to-markdown.ts';

/** Access that allows only loopback addresses. */
const LOOPBACK: Partial<WebAccess> = {
  isAllowed: (address) => address === '127.0.0.1',
  timeoutMs: 30_000,
};

async function fetchPage(
  args: object,
  access: Partial<WebAccess> = LOOPBACK,
  signal = new AbortController().signal,
): Promise<string> {
  const media = { image: 1_000_000, pdf: 0, audio: 0 };
  const context = { signal, attachments: [], media };
  const output = await createFetchPage(access).run(new Map(Object.entries(args)), context);
  return typeof output === 'string'
    ? output
    : `${output.text} ${output.media.map(({ mediaType }) => mediaType)}`;
}

const PAGE = `<!doctype html><html><head><title>Tea &amp; coffee</title><style>p { color: red }</style></head><body>
<nav><a href="/home">Home</a></nav><h1>Prices_2024</h1><p>See the <a href="/list?a=1#x">full list</a>.</p>
<table><tr><th>drink</th><th>price</th></tr><tr><td>tea</td><td>2.5*</td></tr></table><script>alert(1)</script></body></html>`;

describe('fetch_page', () => {
  test('returns the text of a page, without navigation, scripts and link targets', async () => {
    const site = await startSite({ '/p': html(PAGE) });
    const text = await fetchPage({ url: `${site.url}/p#part` });
    expect(text).toBe(
      `[Tea & coffee | ${site.url}/p | part 1 of 1]\n# Prices_2024\n\nSee the full list.\n\n` +
        '| drink | price |\n| --- | --- |\n| tea | 2.5* |',
    );
    expect(await fetchPage({ url: `${site.url}/p`, show: 'links' })).toContain(
      `\nfull list: ${site.url}/list?a=1#x`,
    );
  });

  test('returns a long page in parts, cut at line ends', async () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index + 1}`).join('\n');
    const site = await startSite({ '/long': (response) => response.end(lines) });
    const parts = [1, 2].map((part) => fetchPage({ url: `${site.url}/long`, part }));
    const [first = '', second = ''] = await Promise.all(parts);
    expect(Number(/line (\d+)$/.exec(first)?.[1]) + 1).toBe(
      Number(/\nline (\d+)/.exec(second)?.[1]),
    );
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
  ])('unpacks %s', async (encoding, pack) => {
    const site = await startSite({
      '/p': (response) =>
        response.writeHead(200, { 'content-encoding': encoding }).end(pack('words')),
    });
    expect(await fetchPage({ url: `${site.url}/p` })).toMatch(/\nwords$/);
  });

  test.each([
    ['text/html; charset=iso-8859-1', 'caf\u00e9', 'latin1'],
    ['text/html', '<meta charset="windows-1252">caf\u00e9', 'latin1'],
    ['text/html; charset=no-such-thing', 'caf\u00e9', 'utf8'],
  ] as const)('reads %s: %s as %s', (contentType, body, encoding) => {
    const page = { url: new URL('http://h/'), contentType, bytes: Buffer.from(body, encoding) };
    expect(decodeHtml(page)).toMatch(/café$/);
  });

  test('shows a picture', async () => {
    const picture = readFileSync('test/fixtures/attachments/red.png');
    const site = await startSite({ '/b.png': (response) => response.end(picture) });
    expect(await fetchPage({ url: `${site.url}/b.png` })).toMatch(
      /^b\.png: png picture. .+ image\/png$/,
    );
  });

  test('gives up on a circle of redirects', async () => {
    const site = await startSite({ '/a': redirect('/a') });
    await expect(fetchPage({ url: `${site.url}/a` })).rejects.toThrow(
      'redirects more than 10 times',
    );
    expect(site.seen).toHaveLength(11);
  });
});

describe('fetch_page refuses', () => {
  test('what is not an address of a web page', async () => {
    await expect(fetchPage({ url: 'example.org/page' }, {})).rejects.toThrow(
      'is not an http or https address',
    );
  });

  test('a copy of the benchmark, and a redirect to one', async () => {
    const copy = 'https://hf.co/datasets/gaia-benchmark/GAIA';
    await expect(fetchPage({ url: copy }, {})).rejects.toThrow('leak guard');
    const { url } = await startSite({ '/': redirect(copy) });
    await expect(fetchPage({ url })).rejects.toThrow('leak guard');
  });

  test('a name that changes its address once it was checked: only the checked one is connected to', async () => {
    const site = await startSite({ '/p': (response) => response.end('reached') });
    const answers = ['127.0.0.1', '10.0.0.1'];
    let asked = 0;
    const access: Partial<WebAccess> = {
      ...LOOPBACK,
      // If a name has several addresses, the connection uses the allowed one.
      resolve: (_, __, callback) =>
        callback(
          null,
          ['10.0.0.2', answers[asked++] ?? ''].map((address) => ({ address, family: 4 })),
        ),
    };
    expect(await fetchPage({ url: `http://rebinding.test:${site.port}/p` }, access)).toContain(
      'reached',
    );
    expect(asked).toBe(1);
    const again = fetchPage({ url: `http://rebinding.test:${site.port}/p` }, access);
    await expect(again).rejects.toThrow('"rebinding.test" is not on the public internet');
  });
});

const RECORD = JSON.stringify({ task_id: '1', Question: 'q', Level: 1, 'Final answer': 'x' });

describe('fetch_page says', () => {
  test.each<[string, string, (response: ServerResponse) => void]>([
    [
      'that says it is long',
      'more than 20 MB',
      (r) => r.writeHead(200, { 'content-length': 30_000_000 }).write('x'),
    ],
    [
      'without end',
      'more than 20 MB',
      (response) => {
        const chunk = 'x'.repeat(1_000_000);
        const write = () => response.write(chunk, (error) => error ?? write());
        write();
      },
    ],
    [
      'that unpacks to much',
      'more than 20 MB',
      (r) =>
        r.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(100_000_000))),
    ],
    [
      'that breaks off',
      'could not be fetched',
      (response) => {
        response.writeHead(200, { 'content-length': 100 }).write('x');
        setTimeout(() => response.destroy(), 20);
      },
    ],
    [
      'of odd encoding',
      'could not be fetched',
      (r) => r.writeHead(200, { 'content-encoding': 'br' }).end('x'),
    ],
    [
      'without text',
      'has no text to read',
      (r) => r.writeHead(200, { 'content-type': 'video/mp4' }).end(Buffer.alloc(9)),
    ],
    ['that never comes', 'was not complete within 1 s', () => {}],
    ['that is missing', 'answered with status 404', (r) => r.writeHead(404).end()],
    ['with records of the benchmark', 'the page was not shown', (r) => r.end(RECORD)],
  ])('why a page %s is not shown: %s', async (_, message, answer) => {
    const site = await startSite({ '/': answer });
    // On a busy machine everything but waiting may take long.
    const timeoutMs = message.includes('1 s') ? 1_000 : 30_000;
    await expect(fetchPage({ url: site.url }, { ...LOOPBACK, timeoutMs })).rejects.toThrow(message);
  });

  test('nothing once its sample is over', async () => {
    const { url } = await startSite({ '/': () => {} });
    const start = performance.now();
    await expect(fetchPage({ url }, LOOPBACK, AbortSignal.timeout(50))).rejects.toThrow();
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});

const read = (html: string) => toHtmlText(html, 'http://h/');
const repeat = (count: number, piece: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => piece(i)).join('');

test('a page has a title and links, each address once', () => {
  const links =
    '<a href="/a?b#c">one <b>two</b></a><nav><a href="/n">n</a></nav><a href=/a?b#c>again</a><a href="ftp://x">f</a>';
  expect(
    read(`<!doctype html><title>\n Tea &amp; more</title><svg><title>s</title></svg>${links}`),
  ).toEqual({
    title: 'Tea & more',
    text: 'one **two**againf',
    links: [{ text: 'one two', url: 'http://h/a?b#c' }],
  });
});

test('a page of 2 MB is read whole', () => {
  const start = cpuTime();
  const block =
    '<div><p>Some <a href="/a">words</a> of a long page</p><ul><li>one</li><li>two</li></ul></div>';
  const rows = repeat(8_000, (index) => `<tr><td>${index}<td>${'x'.repeat(40)}`);
  const { text, links } = read(`${block.repeat(15_000)}<table>${rows}</table><h2>the end</h2>`);
  expect(text.match(/Some words/g)).toHaveLength(15_000);
  expect(text.match(/^\| \d+ \| x+ \|$/gm)).toHaveLength(8_000);
  expect(text).toMatch(/## the end$/);
  expect(links).toEqual([{ text: 'words', url: 'http://h/a' }]);
  expect(cpuTime() - start).toBeLessThan(20_000);
});

test.each([
  // The parser's time grows with the square of the depth; the reader's process ends far deeper ones.
  ['deep elements', '<div>'.repeat(10_000)],
  ['deep tables', '<table><tr><td>'.repeat(8_000)],
  ['unclosed paragraphs', '<p>'.repeat(100_000)],
  ['deep lists with lines', `${'<ul><li>'.repeat(500)}${'x<br>'.repeat(30_000)}`],
  ['deep formulas', '<math><mfrac><mi>x</mi>'.repeat(13_000)],
  ['comments without an end', `found${'<!--'.repeat(60_000)}`],
])('the text of a page with %s is found in little time', (_, html) => {
  const start = cpuTime();
  expect(read(`${html}found`).text).toContain('found');
  expect(cpuTime() - start).toBeLessThan(5_000);
});
