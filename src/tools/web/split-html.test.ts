import { expect, test } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { toHtmlText } from './html-text.ts';
import { splitHtml } from './split-html.ts';

const signal = new AbortController().signal;

test('a short page is one piece, without what is no text', () => {
  const html = '<p>a<!-- <p>b</p> --><script>"<p>c</p>"</script ><STYLE>d</STYLE><p>e<svg><title>f</title></svg>g';
  expect(splitHtml(html)).toEqual(['<p>a<p>eg']);
  expect(splitHtml('<p>a<script>never closed')).toEqual(['<p>a']);
});

test('pieces end before blocks and hold everything', () => {
  const html = Array.from({ length: 5_000 }, (_, index) => `<p>number ${index}</p>`).join('\n');
  const pieces = splitHtml(html);
  expect(pieces.join('')).toBe(html);
  expect(pieces.length).toBeGreaterThan(5);
  for (const piece of pieces) expect(piece).toMatch(/^<p>/);
});

test('a table stays in one piece until it is large, and is cut between its rows then', async () => {
  const row = (index: number) => `<tr><td>${index}</td><td>${'x'.repeat(40)}</td></tr>`;
  const table = (rows: number) =>
    `<p>${'y'.repeat(16_000)}</p><table>${Array.from({ length: rows }, (_, i) => row(i)).join('')}</table>`;
  expect(splitHtml(table(500))).toHaveLength(2);
  const pieces = splitHtml(table(5_000));
  expect(pieces.length).toBeGreaterThan(4);
  for (const piece of pieces.slice(2)) expect(piece).toMatch(/^<table><tr>/);
  const { text } = await toHtmlText(table(5_000), 'http://h/', signal);
  expect(text.match(/^\| \d+ \| x+ \|$/gm)).toHaveLength(5_000);
});

test('a page of a megabyte is read whole in little time', async () => {
  const block = '<div><p>Some <a href="/a">words</a></p><ul><li>one</li></ul></div>';
  const html = `<html><body>${block.repeat(15_000)}<h2>the end</h2></body></html>`;
  const start = cpuTime();
  const { text, links } = await toHtmlText(html, 'http://h/', signal);
  expect(text.match(/Some words/g)).toHaveLength(15_000);
  expect(text).toMatch(/## the end$/);
  expect(links).toEqual([{ text: 'words', url: 'http://h/a' }]);
  expect(cpuTime() - start).toBeLessThan(8_000);
});

test.each(['<!--', '<script', '<script>', '</script>', '<p', '<table>', '</table>', '<tr>', '<'])(
  'splitting a page of %s takes time in proportion to it',
  (piece) => {
    const start = cpuTime();
    splitHtml(piece.repeat(500_000));
    expect(cpuTime() - start).toBeLessThan(2_000);
  },
);
