import { expect, test } from 'vitest';
import { parseXml } from '../xml.ts';
import { nameColour, readPalette, toHex } from './colours.ts';

const THEME = `<a:theme><a:themeElements><a:clrScheme>
<a:dk1><a:sysClr val="windowText" lastClr="111111"/></a:dk1><a:lt1><a:srgbClr val="EEEEEE"/></a:lt1>
<a:dk2><a:srgbClr val="222222"/></a:dk2><a:lt2><a:srgbClr val="DDDDDD"/></a:lt2>
<a:accent1><a:srgbClr val="4f81bd"/></a:accent1></a:clrScheme></a:themeElements></a:theme>`;

function read(colour: string, styles: string | null = null) {
  const palette = readPalette(styles === null ? null : parseXml(styles, 's'), parseXml(THEME, 't'));
  return toHex(parseXml(colour, 'c'), palette);
}

test.each([
  ['<c rgb="FF00b050"/>', '00B050'],
  ['<c rgb="00B050"/>', '00B050'],
  ['<c theme="0"/>', 'EEEEEE'],
  ['<c theme="1"/>', '111111'],
  ['<c theme="2"/>', 'DDDDDD'],
  ['<c theme="3"/>', '222222'],
  ['<c theme="4"/>', '4F81BD'],
  ['<c theme="4" tint="0.5999"/>', 'B9CDE5'],
  ['<c theme="4" tint="-0.25"/>', '376092'],
  ['<c theme="4" tint="-1"/>', '000000'],
  ['<c theme="4" tint="7"/>', '4F81BD'],
  ['<c theme="40"/>', null],
  ['<c indexed="10"/>', 'FF0000'],
  ['<c indexed="63"/>', '333333'],
  ['<c indexed="64"/>', null],
  ['<c auto="1"/>', null],
  ['<c rgb="red"/>', null],
])('%s is %s', (colour, hex) => {
  expect(read(colour)).toBe(hex);
});

test('a workbook may number colours of its own', () => {
  const styles = '<s><colors><indexedColors><rgbColor rgb="00ABCDEF"/></indexedColors></colors></s>';
  expect(read('<c indexed="0"/>', styles)).toBe('ABCDEF');
});

test.each([
  ['FF0000', 'red'],
  ['C00000', 'red'],
  ['FFC000', 'yellow'],
  ['FF6600', 'orange'],
  ['FFFF00', 'yellow'],
  ['00B050', 'green'],
  ['92D050', 'green'],
  ['00B0F0', 'blue'],
  ['0070C0', 'blue'],
  ['002060', 'dark blue'],
  ['7030A0', 'purple'],
  ['FF00FF', 'pink'],
  ['FFC7CE', 'light red'],
  ['8B4513', 'brown'],
  ['BFBFBF', 'grey'],
  ['000000', 'black'],
  ['FFFFFF', 'white'],
])('#%s is called %s', (hex, name) => {
  expect(nameColour(hex)).toBe(name);
});
