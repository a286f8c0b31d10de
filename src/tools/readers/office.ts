import { XMLParser } from 'fast-xml-parser';
import { quote } from '../../words/show.ts';
import { decodeText } from './file-kind.ts';
import { listMembers, ReadError, type ZipMember } from './zip.ts';

const MAX_UNPACKED_BYTES = 100_000_000;

/** The parts of an Office document: XML files in a ZIP archive, at most 100 MB together. */
export class OfficePackage {
  readonly #members: ReadonlyMap<string, ZipMember>;
  #left = MAX_UNPACKED_BYTES;

  constructor(bytes: Uint8Array) {
    this.#members = new Map(listMembers(bytes).map((member) => [member.name, member]));
  }

  get names(): readonly string[] {
    return [...this.#members.keys()];
  }

  /**
   * Null when the document has no such part. Office programs never declare entities, and hostile
   * entities expand without end.
   */
  readBytes(name: string): Uint8Array | null {
    const bytes = this.#members.get(name)?.read(this.#left) ?? null;
    this.#left -= bytes?.length ?? 0;
    if (!Buffer.from(bytes ?? []).includes('<!DOCTYPE')) return bytes;
    throw new ReadError(
      `is not read: its part ${quote(name)} declares entities of its own (a DOCTYPE)`,
    );
  }

  /** A part as XML; null if there is no such part. */
  readXml(name: string | undefined): XmlElement | null {
    return name !== undefined && this.#members.has(name) ? this.requireXml(name) : null;
  }

  /** Throws a ReadError when there is no such part. */
  requireXml(name: string): XmlElement {
    const bytes = this.readBytes(name);
    if (bytes === null)
      throw new ReadError(`is a broken document: its part ${quote(name)} is missing`);
    return parseXml(decodeText(bytes), name);
  }

  /** The parts that a part refers to, by its ids for them. */
  readRelations(name: string): ReadonlyMap<string, Relation> {
    const folder = name.slice(0, name.lastIndexOf('/') + 1);
    const relations = childrenOf(this.readXml(`${folder}_rels/${name.slice(folder.length)}.rels`));
    return new Map(
      relations.map(({ attributes }) => {
        const {
          Id: id = '',
          Type: type = '',
          Target: target = '',
        } = Object.fromEntries(attributes);
        // A target is relative to the part's folder, or to the archive when it begins with "/".
        const { pathname } = new URL(target, `file:///${folder}`);
        return [id, { type: type.slice(type.lastIndexOf('/') + 1), target: pathname.slice(1) }];
      }),
    );
  }

  /** The first part of this type that a part refers to. The name "" means the whole document. */
  findRelated(name: string, type: string): string | undefined {
    return [...this.readRelations(name).values()].find((relation) => relation.type === type)
      ?.target;
  }

  /**
   * A line with the names by which the document's pictures are read, in a list; an empty list
   * without pictures. `file` is the document's own name.
   */
  listPictures(file: string): readonly string[] {
    const pictures = this.names.filter((part) => /^(word|xl|ppt)\/media\//.test(part));
    if (pictures.length === 0) return [];
    return [`Pictures: ${pictures.map((part) => JSON.stringify(`${file}/${part}`)).join(', ')}`];
  }
}

type Relation = Readonly<{ type: string; target: string }>;

/** The id of a relation that an element names, in an attribute such as "r:id". */
export function relationIdOf({ attributes }: XmlElement, name = 'id'): string {
  return [...attributes].find(([key]) => key.endsWith(`:${name}`))?.[1] ?? '';
}

/** An element of an XML part. Names of elements have no prefix, names of attributes have it. */
export type XmlElement = Readonly<{
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: readonly (XmlElement | string)[];
}>;

const PARSER = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  // Without this, numeric characters ("&#10;") are not decoded.
  htmlEntities: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
});

/** The outermost element. Throws a ReadError without one. */
export function parseXml(text: string, part: string): XmlElement {
  const root = toNodes(PARSER.parse(text)).find((node) => typeof node !== 'string');
  if (root !== undefined) return root;
  throw new ReadError(`is a broken document: its part ${quote(part)} is not XML`);
}

/** The parser's form is [{name: children, ":@": attributes}, {"#text": text}, ...]. */
function toNodes(nodes: unknown): readonly (XmlElement | string)[] {
  if (!Array.isArray(nodes)) return [];
  return nodes.flatMap((node: unknown): (XmlElement | string)[] => {
    const { ':@': attributes, ...rest } = Object.fromEntries(toEntries(node));
    const [[name, content] = []] = Object.entries(rest);
    if (name === undefined) return [];
    if (name === '#text') return [String(content)];
    return [
      {
        name: name.slice(name.indexOf(':') + 1),
        attributes: new Map(toEntries(attributes).map(([key, value]) => [key, String(value)])),
        children: toNodes(content),
      },
    ];
  });
}

function toEntries(value: unknown): readonly [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

/** The child elements of this name, or all of them. */
export function childrenOf(
  element: XmlElement | null | undefined,
  name?: string,
): readonly XmlElement[] {
  const elements = element?.children.filter((child) => typeof child !== 'string') ?? [];
  return name === undefined ? elements : elements.filter((child) => child.name === name);
}

/** The element at a path of names, by the first child of each name. */
export function childAt(
  element: XmlElement | null | undefined,
  ...path: readonly string[]
): XmlElement | null {
  return path.reduce<XmlElement | null>(
    (at, name) => childrenOf(at, name)[0] ?? null,
    element ?? null,
  );
}

/** All elements of this name at any depth. */
export function allWithin(element: XmlElement | null, name: string): readonly XmlElement[] {
  return childrenOf(element).flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...allWithin(child, name),
  ]);
}

export function textOf(element: XmlElement | null): string {
  return (
    element?.children
      .map((child) => (typeof child === 'string' ? child : textOf(child)))
      .join('') ?? ''
  );
}
