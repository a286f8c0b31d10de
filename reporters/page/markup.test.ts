import { expect, test } from 'vitest';
import { html } from './markup.ts';

test.each([
  ['<b>', '&#60;b&#62;'],
  ['"\'`&', '&#34;&#39;&#96;&#38;'],
  ['\u001b[2J', '\\u001b[2J'],
  ['a\u202eb', 'a\\u202eb'],
  ['\ud800', '\\ud800'],
  [17, '17'],
])('escapes %j', (value, escaped) => {
  expect(html`<p title="${value}">${value}</p>`.text).toBe(`<p title="${escaped}">${escaped}</p>`);
});

test('keeps markup as it is, also in lists, and no text that looks like it', () => {
  const items = ['a', '<i>'].map((text) => html`<li>${text}</li>`);
  expect(html`<ul>${items}</ul>`.text).toBe('<ul><li>a</li><li>&#60;i&#62;</li></ul>');
  expect(html`${['<', '>']}`.text).toBe('&#60;&#62;');
});

test('cuts long text', () => {
  expect(html`${'x'.repeat(100_000)}`.text.length).toBeLessThan(1000);
});
