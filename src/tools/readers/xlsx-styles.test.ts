import { expect, test } from 'vitest';
import { parseXml } from './office.ts';
import { isDateFormat, readTheme, toDateText, toHex } from './xlsx-styles.ts';

const THEME = `<a:theme><a:themeElements><a:clrScheme>
<a:dk1><a:sysClr val="windowText" lastClr="111111"/></a:dk1><a:lt1><a:srgbClr val="EEEEEE"/></a:lt1>
<a:dk2><a:srgbClr val="222222"/></a:dk2><a:lt2><a:srgbClr val="DDDDDD"/></a:lt2>
<a:accent1><a:srgbClr val="4f81bd"/></a:accent1></a:clrScheme></a:themeElements></a:theme>`;

test.each([
  ['<c rgb="FF00b050"/>', '00B050'],
  ['<c theme="0"/>', 'EEEEEE'],
  ['<c theme="1"/>', '111111'],
  ['<c theme="4" tint="0.5999"/>', 'B9CDE5'],
  ['<c theme="4" tint="-0.25"/>', '3B618E'],
  ['<c theme="4" tint="7"/>', '4F81BD'],
  ['<c indexed="10"/>', 'FF0000'],
  ['<c indexed="63"/>', '333333'],
  ['<c auto="1"/>', null],
  ['<c rgb="red"/>', null],
])('%s is %s', (colour, hex) => {
  expect(toHex(parseXml(colour, 'c'), readTheme(parseXml(THEME, 't')))).toBe(hex);
});

test.each([
  [59, '1900-02-28'],
  [61, '1900-03-01'],
  [45_000.5, '2023-03-15 12:00'],
  [45_000.999_99, '2023-03-15 23:59:59'],
  [0.25, '06:00'],
  [0, '00:00'],
  [-1, '-1'],
  [1e300, '1e+300'],
])('%d is %s', (days, text) => {
  expect(toDateText(days, false)).toBe(text);
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
