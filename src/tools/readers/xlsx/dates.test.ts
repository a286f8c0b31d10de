import { expect, test } from 'vitest';
import { isDateFormat, toDateText } from './dates.ts';

test.each([
  [1, '1900-01-01'],
  [59, '1900-02-28'],
  [61, '1900-03-01'],
  [45_000, '2023-03-15'],
  [45_000.5, '2023-03-15 12:00'],
  [45_000.999_99, '2023-03-15 23:59:59'],
  [0.25, '06:00'],
  [0, '00:00'],
  [-1, '-1'],
  [1e300, '1e+300'],
])('%d is %s', (days, text) => {
  expect(toDateText(days, false)).toBe(text);
});

test('days may be counted from 1904', () => {
  expect(toDateText(0, true)).toBe('1904-01-01');
});

test.each([
  [14, undefined, true],
  [2, undefined, false],
  [164, 'dd/mm/yyyy', true],
  [164, '[h]:mm', true],
  [164, '[$-409]mmm d', true],
  [164, '0.00', false],
  [164, '#,##0 "days"', false],
  [164, '[Red]0', false],
  [164, '0\\d', false],
  [164, 'General', false],
])('format %i %s shows a date: %s', (id, code, expected) => {
  expect(isDateFormat(id, code)).toBe(expected);
});
