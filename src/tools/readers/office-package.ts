import { decodeText } from './plain-text.ts';
import { ReadError } from './read-error.ts';
import { type LongPart, parseLong, parseXml, type XmlElement } from './xml.ts';
import { listMembers, type ZipMember } from './zip.ts';

const MAX_UNPACKED_BYTES = 100_000_000;

/** The parts of an Office document: XML files in a ZIP archive, all of them together within 100 MB. */
export class OfficePackage {
  readonly #members: ReadonlyMap<string, ZipMember>;
  #left = MAX_UNPACKED_BYTES;

  constructor(bytes: Uint8Array) {
    this.#members = new Map(listMembers(bytes).map((member) => [member.name, member]));
  }

  get names(): readonly string[] {
    return [...this.#members.keys()];
  }

  /** Null when the document has no such part. */
  readBytes(name: string): Uint8Array | null {
    const bytes = this.#members.get(name)?.read(this.#left) ?? null;
    this.#left -= bytes?.length ?? 0;
    return bytes;
  }

  readXml(name: string): XmlElement | null {
    const text = this.#readText(name);
    return text === null ? null : parseXml(text, name);
  }

  /** As `readXml`, for a part without which there is no document. */
  requireXml(name: string): XmlElement {
    return parseXml(this.#requireText(name), name);
  }

  /** As `requireXml`, for a part with many elements of this name. */
  requireLong(name: string, element: string): LongPart {
    return parseLong(this.#requireText(name), element, name);
  }

  #requireText(name: string): string {
    const text = this.#readText(name);
    if (text !== null) return text;
    throw new ReadError(`is a broken document: its part ${JSON.stringify(name)} is missing`);
  }

  #readText(name: string): string | null {
    const bytes = this.readBytes(name);
    if (bytes === null) return null;
    refuseEntities(bytes, name);
    return decodeText(bytes);
  }

  /** Names of the parts that a part refers to, by the id that it uses for them. */
  readRelations(name: string): ReadonlyMap<string, { readonly type: string; readonly target: string }> {
    const folder = name.slice(0, name.lastIndexOf('/') + 1);
    const relations = this.readXml(`${folder}_rels/${name.slice(folder.length)}.rels`);
    return new Map(
      relations?.children.flatMap((relation) => {
        if (typeof relation === 'string') return [];
        const { Id: id = '', Type: type = '', Target: target = '' } = Object.fromEntries(relation.attributes);
        return [[id, { type: type.slice(type.lastIndexOf('/') + 1), target: resolve(folder, target) }]];
      }),
    );
  }
}

/** A line with the names by which a document's pictures are read; none without pictures. */
export function listPictures({ names }: OfficePackage, name: string): readonly string[] {
  const pictures = names.filter((part) => /^(word|xl|ppt)\/media\//.test(part));
  if (pictures.length === 0) return [];
  return [`Pictures: ${pictures.map((part) => JSON.stringify(`${name}/${part}`)).join(', ')}`];
}

/** Office documents never declare a document type; one that does is out to have its entities expanded. */
export function refuseEntities(bytes: Uint8Array, name: string): void {
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('<!DOCTYPE')) return;
  throw new ReadError(`is not read: its part ${JSON.stringify(name)} declares entities of its own (a DOCTYPE)`);
}

/** A target is relative to the part's folder, or to the archive when it begins with "/". */
function resolve(folder: string, target: string): string {
  return new URL(target, `file:///${folder}`).pathname.slice(1);
}
