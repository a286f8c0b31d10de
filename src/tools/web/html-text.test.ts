import { expect, test } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { stripTags, toHtmlText } from './html-text.ts';

const signal = new AbortController().signal;

test('a page that keeps the converter busy is read without its structure', { timeout: 30_000 }, async () => {
  const start = cpuTime();
  const page = await toHtmlText(`${'<div>'.repeat(20_000)}deep &amp; down`, 'http://h/', signal);
  expect(page).toEqual({ title: '', text: 'deep & down', links: [] });
  expect(cpuTime() - start).toBeLessThan(15_000);
});

test('conversion ends with the signal', async () => {
  const start = cpuTime();
  await toHtmlText('<div>'.repeat(20_000), 'http://h/', AbortSignal.timeout(100));
  expect(cpuTime() - start).toBeLessThan(3_000);
});

test.each([
  ['a<br>b', 'a b'],
  ['1 < 2', '1 < 2'],
  ['&#65;&#x42;&lt;&unknown;&#0;', 'AB<&unknown;&#0;'],
])('strips %j to %j', (html, text) => {
  expect(stripTags(html)).toBe(text);
});

test('stripping tags takes time in proportion to the page', () => {
  const start = cpuTime();
  for (const piece of ['<', '<a>', '<a', '< ', '&#']) stripTags(piece.repeat(500_000));
  expect(cpuTime() - start).toBeLessThan(4_000);
});
