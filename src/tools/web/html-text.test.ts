import { describe, expect, test } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { stripTags, toHtmlText } from './html-text.ts';

const signal = new AbortController().signal;
const read = (html: string) => toHtmlText(html, 'http://h/', signal);
const repeat = (count: number, piece: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => piece(i)).join('');

test('a page has a title and links, each address once', async () => {
  const links =
    '<a href="/a?b#c">one <b>two</b></a><nav><a href="/n">n</a></nav><a href=/a?b#c>again</a><a href="ftp://x">f</a>';
  expect(await read(`<!doctype html><title>\n Tea &amp; more</title><svg><title>s</title></svg>${links}`)).toEqual({
    title: 'Tea & more',
    text: 'one **two**againf',
    links: [{ text: 'one two', url: 'http://h/a?b#c' }],
  });
});

test('a page of 2 MB is read whole', async () => {
  const start = cpuTime();
  const block = '<div><p>Some <a href="/a">words</a> of a long page</p><ul><li>one</li><li>two</li></ul></div>';
  const rows = repeat(8_000, (index) => `<tr><td>${index}<td>${'x'.repeat(40)}`);
  const { text, links } = await read(`${block.repeat(15_000)}<table>${rows}</table><h2>the end</h2>`);
  expect(text.match(/Some words/g)).toHaveLength(15_000);
  expect(text.match(/^\| \d+ \| x+ \|$/gm)).toHaveLength(8_000);
  expect(text).toMatch(/## the end$/);
  expect(links).toEqual([{ text: 'words', url: 'http://h/a' }]);
  expect(cpuTime() - start).toBeLessThan(8_000);
});

describe('the text of a broken page is found in little time:', () => {
  test.each([
    ['deep elements', '<div>'.repeat(200_000)],
    ['deep tables', '<table><tr><td>'.repeat(60_000)],
    ['unclosed paragraphs', '<p>'.repeat(300_000)],
    ['unclosed formatting', repeat(70_000, (index) => `<b id=${index}>`)],
    ['formatting that is repeated in each paragraph', repeat(5_000, (index) => `<p><b id=${index}>`)],
    ['deep lists with lines', `${'<ul><li>'.repeat(500)}${'x<br>'.repeat(100_000)}`],
    ['deep formulas', '<math><mfrac><mi>x</mi>'.repeat(40_000)],
    ['comments without an end', `found${'<!--'.repeat(200_000)}`],
    ['tags without an end', '< '.repeat(500_000)],
  ])('%s', async (_, html) => {
    const start = cpuTime();
    expect((await read(`${html}found`)).text).toContain('found');
    expect(cpuTime() - start).toBeLessThan(5_000);
  });
});

test('conversion ends with the signal', async () => {
  const start = performance.now();
  const reading = toHtmlText('<p>x</p>'.repeat(500_000), 'http://h/', AbortSignal.timeout(100));
  await expect(reading).rejects.toThrow('aborted due to timeout');
  expect(performance.now() - start).toBeLessThan(2_000);
});

test.each([
  ['a<br>b<!-- c --><script>d</script >e<style>f', 'a b e'],
  ['1 < 2 <b>x</b', '1 < 2 x</b'],
  ['&#65;&#x42;&lt;b>&unknown;&eacute;', 'AB<b>&unknown;é'],
])('strips %j to %j', async (html, text) => {
  expect(await stripTags(html)).toBe(text);
});

test.each(['<', '<a>', '<a', '< ', '&#', '<!--', '<script', '<script></script ', '<!-- --'])(
  'stripping %j takes time in proportion to the page',
  async (piece) => {
    const start = cpuTime();
    await stripTags(piece.repeat(500_000));
    expect(cpuTime() - start).toBeLessThan(2_000);
  },
);
