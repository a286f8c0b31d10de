import { strToU8, zipSync } from 'fflate';

/** A ZIP archive of these files, packed as other programs do. */
export function makeZip(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const entries = Object.entries(files).map(([name, content]) => {
    return [name, typeof content === 'string' ? strToU8(content) : content] as const;
  });
  return Buffer.from(zipSync(Object.fromEntries(entries), { mtime: '2031-01-01T12:00:00' }));
}

/** An Office document of this main part and the parts that it refers to; no reader needs types. */
export function makeOffice(
  path: string,
  main: string,
  parts: Readonly<Record<string, string>> = {},
): Buffer {
  const types = { '[Content_Types].xml': '<Types/>' };
  const rels = toRelations(['officeDocument', `/${path}`]);
  return makeZip({ ...types, '_rels/.rels': rels, [path]: main, ...parts });
}

/** What a part refers to by the ids r1, r2, ... */
export function toRelations(...parts: readonly (readonly [type: string, path: string])[]): string {
  const relations = parts.map(([type, path], index) => {
    const base = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
    return `<Relationship Id="r${index + 1}" Type="${base}/${type}" Target="${path}"/>`;
  });
  return `<Relationships>${relations.join('')}</Relationships>`;
}
