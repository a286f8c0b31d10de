import { strFromU8, unzipSync } from 'fflate';

/* Attachments of the sample without the readers of the suite: what both read alike is right twice over. */

/** The text of a file in a ZIP archive; "" when it is not there. */
export function readMember(bytes: Buffer, name: string): string {
  const member = unzipSync(bytes)[name];
  return member === undefined ? '' : strFromU8(member);
}

/** The texts that a PDF without compression writes, by the height at which they stand, page after page. */
export function readPdfRows(file: string): readonly (readonly string[])[] {
  const pages = file.split('endstream').map((page) => {
    const rows = new Map<string, string[]>();
    for (const [, height = '', text = ''] of page.matchAll(/ Tf \d+ (\d+) Td \((.*)\) Tj/g)) {
      rows.set(height, [...(rows.get(height) ?? []), text]);
    }
    return [...rows.values()];
  });
  return pages.flat();
}

/** The texts of XML between tags of this name, such as "w:t". */
export function readTexts(xml: string, tag: string): readonly string[] {
  return Array.from(xml.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, 'g')), ([, text = '']) => text);
}
