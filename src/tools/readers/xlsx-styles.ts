import { childAt, childrenOf, type XmlElement } from './office.ts';

/**
 * The look of the cells of one style: "fill #FF0000", "font #FF0000; struck through", or "" for the
 * default.
 */
export type CellStyle = Readonly<{ fill: string; font: string; isDate: boolean }>;

/**
 * Reads the style part. Cells name a style by its number. Without this part there are no styles.
 */
export function readStyles(
  part: XmlElement | null,
  theme: XmlElement | null,
): readonly CellStyle[] {
  const palette = readTheme(theme);
  const fills = childrenOf(childAt(part, 'fills')).map((fill) => describeFill(fill, palette));
  const fonts = childrenOf(childAt(part, 'fonts')).map((font) => describeFont(font, palette));
  const formats = new Map(
    childrenOf(childAt(part, 'numFmts')).map(({ attributes }) => [
      Number(attributes.get('numFmtId')),
      attributes.get('formatCode'),
    ]),
  );
  return childrenOf(childAt(part, 'cellXfs')).map(({ attributes }) => {
    const number = (name: string) => Number(attributes.get(name) ?? 0);
    const format = number('numFmtId');
    return {
      fill: fills[number('fillId')] ?? '',
      font: fonts[number('fontId')] ?? '',
      isDate: isDateFormat(format, formats.get(format)),
    };
  });
}

/** A pattern has two colours; the first one describes it. */
function describeFill(fill: XmlElement, theme: readonly string[]): string {
  const pattern = childAt(fill, 'patternFill');
  const hex =
    pattern?.attributes.get('patternType') === 'none'
      ? null
      : toHex(childAt(pattern, 'fgColor'), theme);
  return hex === null ? '' : `fill #${hex}`;
}

function describeFont(font: XmlElement, theme: readonly string[]): string {
  const hex = toHex(childAt(font, 'color'), theme) ?? '000000';
  const strike = childAt(font, 'strike');
  const isStruck = strike !== null && !['0', 'false'].includes(strike.attributes.get('val') ?? '');
  return [hex !== '000000' && `font #${hex}`, isStruck && 'struck through']
    .filter(Boolean)
    .join('; ');
}

/** The colours of a workbook's theme, in the order of the numbers in cells: light before dark. */
export function readTheme(theme: XmlElement | null): readonly string[] {
  const named = childrenOf(childAt(theme, 'themeElements', 'clrScheme')).map((entry) => {
    const { lastClr, val = '000000' } = Object.fromEntries(childrenOf(entry)[0]?.attributes ?? []);
    return (lastClr ?? val).toUpperCase();
  });
  const [dark1 = '000000', light1 = 'FFFFFF', dark2 = '44546A', light2 = 'E7E6E6', ...accents] =
    named;
  return [light1, dark1, light2, dark2, ...accents];
}

/** Six hexadecimal digits; null when the colour is automatic or missing. */
export function toHex(colour: XmlElement | null, theme: readonly string[]): string | null {
  const get = (name: string) => colour?.attributes.get(name);
  const number = Number(get('theme') ?? get('indexed'));
  const base =
    get('rgb')?.slice(-6) ?? (get('theme') === undefined ? INDEXED[number] : theme[number]);
  if (base === undefined || !/^[0-9A-Fa-f]{6}$/.test(base)) return null;
  return shade(base.toUpperCase(), Number(get('tint') ?? 0));
}

const BASIC = '000000 FFFFFF FF0000 00FF00 0000FF FFFF00 FF00FF 00FFFF';

/** The numbered colours (ECMA-376, 18.8.27). The first eight are listed twice. */
const INDEXED: readonly string[] = `${BASIC} ${BASIC}
 800000 008000 000080 808000 800080 008080 C0C0C0 808080
 9999FF 993366 FFFFCC CCFFFF 660066 FF8080 0066CC CCCCFF
 000080 FF00FF FFFF00 00FFFF 800080 800000 008080 0000FF
 00CCFF CCFFFF CCFFCC FFFF99 99CCFF FF99CC CC99FF FFCC99
 3366FF 33CCCC 99CC00 FFCC00 FF9900 FF6600 666699 969696
 003366 339966 003300 333300 993300 993366 333399 333333`.split(/\s+/);

/**
 * A tint moves a colour toward black (-1) or white (1). Excel changes the lightness instead, which
 * differs by a few shades at most.
 */
function shade(hex: string, tint: number): string {
  if (!(Math.abs(tint) <= 1)) return hex;
  return hex.replace(/../g, (pair) => {
    const value = Number.parseInt(pair, 16);
    const shaded = Math.round(value + (tint < 0 ? value : 255 - value) * tint);
    return shaded.toString(16).padStart(2, '0').toUpperCase();
  });
}

/**
 * Excel's count of days as "2031-05-17", "2031-05-17 09:30" or "09:30"; the number itself when it
 * is not a date.
 */
export function toDateText(days: number, from1904: boolean): string {
  // Excel treats 1900 as a leap year, so counts before 1 March 1900 are one day off.
  const shift = from1904 ? 24_107 : days < 61 ? 25_568 : 25_569;
  const rounded = Math.round(days * 86_400) / 86_400;
  const date = new Date(Math.round((rounded - shift) * 86_400_000));
  if (days < 0 || Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999) return String(days);
  const [day = '', clock = ''] = date.toISOString().split('T');
  const time = clock.startsWith('00:00:00')
    ? ''
    : clock.slice(0, clock.slice(6, 8) === '00' ? 5 : 8);
  if (days < 1 && !from1904) return time || '00:00';
  return time === '' ? day : `${day} ${time}`;
}

/** The length of Excel's longest number format. */
const MAX_CODE = 255;

/**
 * Whether a number format shows a date or a time: by its number, or by its letters outside of
 * quotes.
 */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined)
    return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47);
  const plain = code
    .slice(0, MAX_CODE)
    .replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '');
  return /[ymdhs]/i.test(plain) && !/general/i.test(plain);
}
