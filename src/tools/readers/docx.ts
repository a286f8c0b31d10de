import { zipSync } from 'fflate';
import mammoth from 'mammoth';
import { toMarkdown } from '../markdown/to-markdown.ts';
import { listPictures, OfficePackage, refuseEntities } from './office.ts';
import type { Reading } from './reader.ts';

/** The text of a Word document as Markdown: headings, lists, tables, footnotes and comments. Deleted text is left out. */
export async function readDocx(bytes: Uint8Array, name: string): Promise<Reading> {
  const document = new OfficePackage(bytes);
  const options = { convertImage: mammoth.images.imgElement(async () => ({ src: 'image' })), styleMap: STYLES };
  const { value } = await mammoth.convertToHtml({ buffer: repack(document) }, options);
  // A picture without a description.
  const text = toMarkdown(value.replaceAll('<img src="image" />', '[image]'));
  return { text: [text, ...countFormulas(document), ...listPictures(document, name)].join('\n\n') };
}

/** The library leaves formulas out. Without this line the text would seem whole. */
function countFormulas(document: OfficePackage): readonly string[] {
  const main = Buffer.from(document.readBytes('word/document.xml') ?? []).toString('latin1');
  const count = main.match(/<m:oMath[\s>]/g)?.length ?? 0;
  return count === 0 ? [] : [`Formulas of the equation editor, which are missing in this text: ${count}`];
}

const STYLES = ['comment-reference => sup', 'strike => s'];

/** The library unpacks without limits, so it gets what was unpacked within ours, with empty pictures. */
function repack(document: OfficePackage): Buffer {
  const parts = document.names.map((name) => {
    const isXml = /\.(xml|rels)$/i.test(name);
    const part = (isXml ? document.readBytes(name) : null) ?? new Uint8Array();
    if (isXml) refuseEntities(part, name);
    return [name, part] as const;
  });
  return Buffer.from(zipSync(Object.fromEntries(parts), { level: 0 }));
}
