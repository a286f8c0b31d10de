import { childAt, childrenOf, type XmlElement } from '../xml.ts';

/** What cells' colours may refer to, each as six hexadecimal digits. */
export type Palette = {
  readonly theme: readonly string[];
  readonly indexed: readonly string[];
};

/** Reads the colours of a workbook's theme, and its own numbered ones where it has them. */
export function readPalette(styles: XmlElement | null, theme: XmlElement | null): Palette {
  const own = childrenOf(childAt(styles, 'colors', 'indexedColors')).flatMap(({ attributes }) => {
    return attributes.get('rgb')?.slice(-6).toUpperCase() ?? [];
  });
  const scheme = childAt(theme, 'themeElements', 'clrScheme');
  const named = childrenOf(scheme).map((entry) => {
    const [colour] = childrenOf(entry);
    return (colour?.attributes.get('lastClr') ?? colour?.attributes.get('val') ?? '000000').toUpperCase();
  });
  // The scheme lists dark before light; the numbers that cells use count light before dark.
  const [dark1 = '000000', light1 = 'FFFFFF', dark2 = '44546A', light2 = 'E7E6E6', ...accents] = named;
  return { theme: [light1, dark1, light2, dark2, ...accents], indexed: own.length > 0 ? own : STANDARD };
}

/** Six hexadecimal digits; null where a colour is automatic or missing. */
export function toHex(colour: XmlElement | null, { theme, indexed }: Palette): string | null {
  const get = (name: string) => colour?.attributes.get(name);
  const number = Number(get('theme') ?? get('indexed'));
  const base = get('rgb')?.slice(-6) ?? (get('theme') === undefined ? indexed[number] : theme[number]);
  if (base === undefined || !/^[0-9A-Fa-f]{6}$/.test(base)) return null;
  return shade(base.toUpperCase(), Number(get('tint') ?? 0));
}

/** The nearest everyday word. */
export function nameColour(hex: string): string {
  const { hue, saturation, lightness } = toHsl(hex);
  if (lightness > 0.97) return 'white';
  if (lightness < 0.06) return 'black';
  if (saturation < 0.12) return 'grey';
  const tone = lightness > 0.75 ? 'light ' : lightness < 0.25 ? 'dark ' : '';
  if (hue >= 15 && hue < 45 && lightness < 0.4) return 'brown';
  return tone + (HUES.find(([below]) => hue < below)?.[1] ?? 'red');
}

const HUES: readonly (readonly [number, string])[] = [
  [15, 'red'],
  [45, 'orange'],
  [68, 'yellow'],
  [165, 'green'],
  [190, 'turquoise'],
  [255, 'blue'],
  [290, 'purple'],
  [345, 'pink'],
];

/** Excel's tint: from -1 (black) over 0 (as it is) to 1 (white), in lightness. */
function shade(hex: string, tint: number): string {
  if (!(Math.abs(tint) <= 1) || tint === 0) return hex;
  const { hue, saturation, lightness } = toHsl(hex);
  return fromHsl(hue, saturation, tint < 0 ? lightness * (1 + tint) : lightness * (1 - tint) + tint);
}

function toHsl(hex: string) {
  const [red = 0, green = 0, blue = 0] = (hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16) / 255);
  const [high, low] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const [lightness, range] = [(high + low) / 2, high - low];
  if (range === 0) return { hue: 0, saturation: 0, lightness };
  const sector =
    high === red ? (green - blue) / range + 6 : high === green ? (blue - red) / range + 2 : (red - green) / range + 4;
  return { hue: (sector % 6) * 60, saturation: range / (1 - Math.abs(2 * lightness - 1)), lightness };
}

function fromHsl(hue: number, saturation: number, lightness: number): string {
  const chroma = saturation * Math.min(lightness, 1 - lightness);
  const channel = (shift: number) => {
    const place = (shift + hue / 30) % 12;
    const value = lightness - chroma * Math.max(-1, Math.min(place - 3, 9 - place, 1));
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0');
  };
  return (channel(0) + channel(8) + channel(4)).toUpperCase();
}

const BASIC = '000000 FFFFFF FF0000 00FF00 0000FF FFFF00 FF00FF 00FFFF';

/** The numbered colours of a workbook without its own (ECMA-376, 18.8.27); the first eight stand twice. */
const STANDARD: readonly string[] = `${BASIC} ${BASIC}
 800000 008000 000080 808000 800080 008080 C0C0C0 808080
 9999FF 993366 FFFFCC CCFFFF 660066 FF8080 0066CC CCCCFF
 000080 FF00FF FFFF00 00FFFF 800080 800000 008080 0000FF
 00CCFF CCFFFF CCFFCC FFFF99 99CCFF FF99CC CC99FF FFCC99
 3366FF 33CCCC 99CC00 FFCC00 FF9900 FF6600 666699 969696
 003366 339966 003300 333300 993300 993366 333399 333333`.split(/\s+/);
