import { zipTexts } from './zip-file.ts';

/** A part of an Office document: where it lies, its content type, its XML, and what it refers to by "rId1" and so on. */
export type Part = {
  readonly path: string;
  readonly type: string;
  readonly xml: string;
  readonly refersTo?: readonly { readonly type: string; readonly target: string }[];
};

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types';
export const OFFICE_RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** An Office document whose main part is the first. */
export function makeOffice(parts: readonly [Part, ...Part[]]): Buffer {
  const overrides = parts.map(({ path, type }) => `<Override PartName="/${path}" ContentType="${type}"/>`).join('');
  const defaults =
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>';
  const files: [string, string][] = [
    ['[Content_Types].xml', `${DECLARATION}<Types xmlns="${TYPES}">${defaults}${overrides}</Types>`],
    ['_rels/.rels', toRelations([{ type: 'officeDocument', target: parts[0].path }])],
  ];
  for (const { path, xml, refersTo = [] } of parts) {
    files.push([path, DECLARATION + xml]);
    const slash = path.lastIndexOf('/') + 1;
    const relations = `${path.slice(0, slash)}_rels/${path.slice(slash)}.rels`;
    if (refersTo.length > 0) files.push([relations, toRelations(refersTo)]);
  }
  return zipTexts(Object.fromEntries(files));
}

function toRelations(relations: readonly { readonly type: string; readonly target: string }[]): string {
  const lines = relations.map(({ type, target }, index) => {
    return `<Relationship Id="rId${index + 1}" Type="${OFFICE_RELATIONS}/${type}" Target="${target}"/>`;
  });
  return `${DECLARATION}<Relationships xmlns="${RELATIONS}">${lines.join('')}</Relationships>`;
}
