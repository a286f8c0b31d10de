import { childAt, childrenOf, type XmlElement } from '../xml.ts';
import { nameColour, type Palette, readPalette, toHex } from './colours.ts';
import { isDateFormat } from './dates.ts';

/** How cells of one style look. */
type Style = {
  /** "fill #FF0000 red"; "" without a fill. */
  readonly fill: string;
  /** "font #FF0000 red", "struck through"; "" for the usual black. */
  readonly font: string;
  readonly isDate: boolean;
};

/** Styles by the number that cells give for theirs. */
export type CellStyles = readonly Style[];

/** Reads the style part; without one there are no styles. */
export function readStyles(part: XmlElement | null, theme: XmlElement | null): CellStyles {
  const palette = readPalette(part, theme);
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

/** What rules make of cells, by the number that they give; of a solid fill it is the background that shows here. */
export function readRuleLooks(part: XmlElement | null, theme: XmlElement | null): readonly string[] {
  const palette = readPalette(part, theme);
  return childrenOf(childAt(part, 'dxfs'), 'dxf').map((look) => {
    const [fill] = ['bgColor', 'fgColor'].flatMap((name) => show(childAt(look, 'fill', 'patternFill', name), palette));
    const font = childAt(look, 'font');
    const parts = [fill === undefined ? '' : `fill ${fill}`, font === null ? '' : describeFont(font, palette)];
    return parts.filter((text) => text !== '').join('; ');
  });
}

/** The colours of a style; those of the font only where there is a text to see them. */
export function describeLook(styles: CellStyles, style: string | undefined, hasText = false): string {
  const { fill = '', font = '' } = style === undefined ? {} : (styles[Number(style)] ?? {});
  return [fill, hasText ? font : ''].filter((look) => look !== '').join('; ');
}

export function isDateStyle(styles: CellStyles, style: string | undefined): boolean {
  return styles[Number(style ?? 0)]?.isDate === true;
}

/** In a solid fill the foreground is what shows; other patterns mix two colours. */
function describeFill(fill: XmlElement, palette: Palette): string {
  const pattern = childAt(fill, 'patternFill');
  const type = pattern?.attributes.get('patternType') ?? 'none';
  const stops = childrenOf(childAt(fill, 'gradientFill'), 'stop').flatMap((stop) =>
    show(childAt(stop, 'color'), palette),
  );
  if (stops.length > 0) return `fill from ${stops.join(' to ')}`;
  if (type === 'none') return '';
  const colours = ['fgColor', 'bgColor'].slice(0, type === 'solid' ? 1 : 2);
  const shown = colours.flatMap((name) => show(childAt(pattern, name), palette));
  if (type === 'solid') return shown.length === 0 ? '' : `fill ${shown[0]}`;
  return `fill ${[`pattern ${type}`, ...shown].join(' ')}`;
}

function describeFont(font: XmlElement, palette: Palette): string {
  const [colour] = show(childAt(font, 'color'), palette);
  const strike = childAt(font, 'strike');
  const isStruck = strike !== null && strike.attributes.get('val') !== '0' && strike.attributes.get('val') !== 'false';
  const coloured = colour === undefined || colour.startsWith('#000000') ? [] : [`font ${colour}`];
  return [...coloured, ...(isStruck ? ['struck through'] : [])].join('; ');
}

function show(colour: XmlElement | null, palette: Palette): readonly string[] {
  const hex = toHex(colour, palette);
  return hex === null ? [] : [`#${hex} ${nameColour(hex)}`];
}
