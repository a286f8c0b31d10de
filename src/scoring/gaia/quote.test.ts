import { expect, it } from 'vitest';
import { quote } from './quote.ts';

it.each([
  ['otter', '"otter"'],
  ['say "x"', '"say \\"x\\""'],
  ['\\u{1b}', '"\\\\u{1b}"'],
  ['a\nb\u001b[31m', '"a\\nb\\u{1b}[31m"'],
  ['\u007f\u0085\u009b', '"\\u{7f}\\u{85}\\u{9b}"'],
  ['\u200b\u202e\u2066\ufeff', '"\\u{200b}\\u{202e}\\u{2066}\\u{feff}"'],
  ['\ud83d', '"\\u{d83d}"'],
])('escapes what would act or be unseen in %j', (text, quoted) => {
  expect(quote(text)).toBe(quoted);
});

it('cuts behind 80 code points and never inside one', () => {
  expect(quote('x'.repeat(80))).toBe(`"${'x'.repeat(80)}"`);
  expect(quote('x'.repeat(81))).toBe(`"${'x'.repeat(80)}…"`);
  expect(quote('𝟏'.repeat(80))).toBe(`"${'𝟏'.repeat(80)}"`);
  expect(quote(`x${'𝟏'.repeat(1000)}`)).toBe(`"x${'𝟏'.repeat(79)}…"`);
});
