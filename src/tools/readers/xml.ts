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
