import { XMLParser } from 'fast-xml-parser';
import { ReadError } from './read-error.ts';

/** An element of an XML part, its children in their order; names are without their prefix, attributes with it. */
export type XmlElement = {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly (XmlElement | string)[];
};

/** The outermost element. Entities of a document's own are not expanded. Throws a ReadError when there is none. */
export function parseXml(text: string, part: string): XmlElement {
  const root = toNodes(PARSER.parse(text)).find((node) => typeof node !== 'string');
  if (root !== undefined) return root;
  throw new ReadError(`is a broken document: its part ${JSON.stringify(part)} is no XML`);
}

/** A part whose elements of one name, such as rows, are many and never stand in each other. */
export type LongPart = {
  /** The outermost element without them. */
  readonly root: XmlElement;
  /** One after the other, so that they need not be in memory together. */
  readonly elements: Iterable<XmlElement>;
};

/** Parses a part of which a whole tree would take too much memory. */
export function parseLong(text: string, name: string, part: string): LongPart {
  const pieces = findPieces(text, name);
  const [first = text.length] = pieces[0] ?? [];
  const [, last = text.length] = pieces.at(-1) ?? [];
  return { root: parseXml(text.slice(0, first) + text.slice(last), part), elements: parsePieces(text, pieces, part) };
}

/** Where each element of this name begins and ends. */
function findPieces(text: string, name: string): readonly (readonly [number, number])[] {
  const starts = [...text.matchAll(new RegExp(`<((?:[\\w.-]+:)?${name})(?=[\\s/>])`, 'g'))];
  const closings = new Map<string, number>();
  return starts.map(({ index, 1: tag = '' }, place) => {
    const next = starts[place + 1]?.index ?? text.length;
    const closing = `</${tag}>`;
    const end = findNext(text, closing, index, closings);
    return [index, end === -1 || end > next ? text.indexOf('>', index) + 1 : end + closing.length] as const;
  });
}

/** As `indexOf`, linear over calls with growing `from`: elements that are never closed would each look to the end. */
function findNext(text: string, mark: string, from: number, known: Map<string, number>): number {
  const before = known.get(mark);
  if (before !== undefined && (before === -1 || before >= from)) return before;
  const found = text.indexOf(mark, from);
  known.set(mark, found);
  return found;
}

function* parsePieces(text: string, pieces: ReturnType<typeof findPieces>, part: string): Generator<XmlElement> {
  for (const [begin, end] of pieces) yield parseXml(text.slice(begin, end), part);
}

/** The child elements of this name; of none when there is no element. */
export function childrenOf(element: XmlElement | null | undefined, name?: string): readonly XmlElement[] {
  const elements = element?.children.filter((child) => typeof child !== 'string') ?? [];
  return name === undefined ? elements : elements.filter((child) => child.name === name);
}

/** The element that a path of names leads to, by first children. */
export function childAt(element: XmlElement | null | undefined, ...path: readonly string[]): XmlElement | null {
  return path.reduce<XmlElement | null>((at, name) => childrenOf(at, name)[0] ?? null, element ?? null);
}

/** All elements of this name at any depth, in their order. */
export function allWithin(element: XmlElement | null, name: string): readonly XmlElement[] {
  return childrenOf(element).flatMap((child) => [...(child.name === name ? [child] : []), ...allWithin(child, name)]);
}

/** All text of an element, whatever stands around it. */
export function textOf(element: XmlElement | null): string {
  return element?.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('') ?? '';
}

const PARSER = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  // Numbered characters ("&#10;") are read only with this.
  htmlEntities: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
});

const ATTRIBUTES = ':@';
const TEXT = '#text';

/** The parser's form is [{name: children, ":@": attributes}, {"#text": text}, ...]. */
function toNodes(nodes: unknown): readonly (XmlElement | string)[] {
  if (!Array.isArray(nodes)) return [];
  return nodes.flatMap((node: unknown): (XmlElement | string)[] => {
    const entries = toEntries(node);
    const [name, content] = entries.find(([key]) => key !== ATTRIBUTES) ?? [];
    if (name === undefined) return [];
    if (name === TEXT) return [String(content)];
    const attributes = toEntries(entries.find(([key]) => key === ATTRIBUTES)?.[1]);
    return [
      {
        name: name.slice(name.indexOf(':') + 1),
        attributes: new Map(attributes.map(([key, value]) => [key, String(value)])),
        children: toNodes(content),
      },
    ];
  });
}

function toEntries(value: unknown): readonly [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
