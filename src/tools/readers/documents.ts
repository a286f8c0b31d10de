import { zipSync } from 'fflate';
import type { StructuredTextItem } from 'unpdf';
import { subscript, superscript } from '../web/formulas.ts';
import type { ReadText } from './file-kind.ts';
import {
  allWithin,
  childAt,
  childrenOf,
  OfficePackage,
  relationIdOf,
  textOf,
  type XmlElement,
} from './office.ts';
import { ReadError } from './zip.ts';

/* The readers of PDF, Word and PowerPoint. Large libraries are loaded on first use. */

/**
 * The text of a PDF, page after page. The spaces between the cells of a table are as wide as on the
 * page.
 */
export async function readPdf(bytes: Uint8Array): Promise<ReadText> {
  const { extractTextItems, getDocumentProxy } = await import('unpdf');
  // A copy, since the library takes over the buffer.
  const document = await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0 }).catch(
    (error) => {
      if (error instanceof Error && error.name !== 'PasswordException') throw error;
      throw new ReadError('is encrypted with an unknown password');
    },
  );
  const { items, totalPages } = await extractTextItems(document);
  const pages = items.map((page, index) => {
    const text = joinItems(page) || '(no text on this page; it may be a picture)';
    return `--- page ${index + 1} of ${totalPages} ---\n${text}`;
  });
  return { text: pages.join('\n\n'), pages: totalPages };
}

/**
 * The lines in the order in which the file writes them. This order separates columns of text, and
 * the cells of a row stay together.
 */
function joinItems(items: readonly StructuredTextItem[]): string {
  let text = '';
  let last: StructuredTextItem | null = null;
  for (const item of items) {
    const isBlank = item.str.trim() === '';
    if (!isBlank)
      text += (last !== null ? separateItems(last, item) : text === '' ? '' : '\n') + item.str;
    if (item.hasEOL) last = null;
    else if (!isBlank) last = item;
  }
  return text;
}

function separateItems(last: StructuredTextItem, next: StructuredTextItem): string {
  const size = Math.max(last.fontSize, next.fontSize, 1);
  const gap = next.x - (last.x + last.width);
  if (Math.abs(next.y - last.y) > size / 2 || gap < -size) return '\n';
  // A letter is about half as wide as high. Wider gaps are between columns, and an empty cell
  // doubles a gap.
  return gap > size
    ? ' '.repeat(Math.min(200, Math.round((2 * gap) / size)))
    : gap > size / 8
      ? ' '
      : '';
}

const STYLES = ['comment-reference => sup', 'strike => s'];

/**
 * A Word document as Markdown: headings, lists, tables, footnotes and comments. Deleted text is
 * left out.
 */
export async function readDocx(bytes: Uint8Array, name: string): Promise<ReadText> {
  const { default: mammoth } = await import('mammoth');
  const { toMarkdown } = await import('../web/to-markdown.ts');
  const document = new OfficePackage(bytes);
  // The library unpacks without limits, so it gets files that were unpacked within our limits.
  // Pictures are empty.
  const parts = document.names.map((part) => {
    return [
      part,
      (/\.(xml|rels)$/i.test(part) ? document.readBytes(part) : null) ?? new Uint8Array(),
    ] as const;
  });
  const buffer = Buffer.from(zipSync(Object.fromEntries(parts), { level: 0 }));
  const convertImage = mammoth.images.imgElement(async () => ({ src: 'image' }));
  const { value } = await mammoth.convertToHtml({ buffer }, { convertImage, styleMap: STYLES });
  // A picture without a description.
  const text = toMarkdown(value.replaceAll('<img src="image" />', '[image]'));
  const main = Buffer.from(new Map(parts).get('word/document.xml') ?? []).toString('latin1');
  return { text: [text, ...countFormulas(main), ...document.listPictures(name)].join('\n\n') };
}

/** The library leaves formulas out. Without this line the text would seem whole. */
function countFormulas(main: string): readonly string[] {
  const count = main.match(/<m:oMath[\s>]/g)?.length ?? 0;
  return count === 0
    ? []
    : [`Formulas of the equation editor, which are missing in this text: ${count}`];
}

/** The text of a presentation, slide by slide, with tables, pictures and speaker's notes. */
export function readPptx(bytes: Uint8Array, name: string): ReadText {
  const document = new OfficePackage(bytes);
  const main = document.findRelated('', 'officeDocument') ?? 'ppt/presentation.xml';
  const relations = document.readRelations(main);
  const list = childrenOf(childAt(document.requireXml(main), 'sldIdLst'), 'sldId');
  const slides = list.flatMap((slide) => relations.get(relationIdOf(slide))?.target ?? []);
  const texts = slides.map((slide, index) =>
    describeSlide(document, slide, name, `${index + 1} of ${slides.length}`),
  );
  return { text: texts.join('\n\n') };
}

function describeSlide(
  document: OfficePackage,
  part: string,
  file: string,
  number: string,
): string {
  const slide = document.requireXml(part);
  const relations = document.readRelations(part);
  const hidden = slide.attributes.get('show') === '0' ? ' (hidden)' : '';
  const toPicture = (id: string) => `${file}/${relations.get(id)?.target ?? ''}`;
  const lines = describeShapes(childAt(slide, 'cSld', 'spTree'), toPicture);
  const spoken = describeNotes(document.readXml(document.findRelated(part, 'notesSlide')));
  return [`--- slide ${number}${hidden} ---`, ...lines, ...spoken].join('\n');
}

function describeShapes(
  tree: XmlElement | null,
  toPicture: (id: string) => string,
): readonly string[] {
  return childrenOf(tree).flatMap((shape) => {
    if (shape.name === 'grpSp') return describeShapes(shape, toPicture);
    if (shape.name === 'sp') return toParagraphs(childAt(shape, 'txBody'));
    if (shape.name === 'graphicFrame') return describeFrame(shape);
    return shape.name === 'pic' ? [describePicture(shape, toPicture)] : [];
  });
}

function toParagraphs(body: XmlElement | null): readonly string[] {
  const lines = childrenOf(body, 'p').map((paragraph) => {
    const level = Number(childAt(paragraph, 'pPr')?.attributes.get('lvl') ?? 0);
    const runs = childrenOf(paragraph).map((run) => (run.name === 'br' ? '\n' : toRunText(run)));
    return '  '.repeat(Math.min(level || 0, 8)) + runs.join('');
  });
  return lines.filter((line) => line.trim() !== '');
}

/** The baseline is positive for superscripts and negative for subscripts. */
function toRunText(run: XmlElement): string {
  const text = textOf(childAt(run, 't'));
  const baseline = Number(childAt(run, 'rPr')?.attributes.get('baseline') ?? 0);
  if (baseline > 0) return superscript(text);
  return baseline < 0 ? subscript(text) : text;
}

function describeFrame(frame: XmlElement): readonly string[] {
  const data = childAt(frame, 'graphic', 'graphicData');
  const rows = childrenOf(childAt(data, 'tbl'), 'tr').map((row) => {
    const cells = childrenOf(row, 'tc').map((cell) => {
      const lines = toParagraphs(childAt(cell, 'txBody')).flatMap((paragraph) =>
        paragraph.split('\n'),
      );
      return lines.map((line) => line.trim()).join(' / ');
    });
    return `| ${cells.join(' | ')} |`;
  });
  if (rows.length > 0) return rows;
  return childAt(data, 'chart') === null ? [] : ['[a chart, whose figures are not read]'];
}

function describePicture(picture: XmlElement, toPicture: (id: string) => string): string {
  const described = childAt(picture, 'nvPicPr', 'cNvPr')?.attributes.get('descr') ?? '';
  const [blip] = allWithin(picture, 'blip');
  const path = blip === undefined ? '' : JSON.stringify(toPicture(relationIdOf(blip, 'embed')));
  return `[picture ${[path, described].filter((text) => text !== '').join(': ')}]`;
}

/** Only the shape "body" has the notes. Other shapes repeat the slide's number and picture. */
function describeNotes(notes: XmlElement | null): readonly string[] {
  const shapes = childrenOf(childAt(notes, 'cSld', 'spTree'), 'sp');
  const isBody = (shape: XmlElement) =>
    childAt(shape, 'nvSpPr', 'nvPr', 'ph')?.attributes.get('type') === 'body';
  const lines = shapes.filter(isBody).flatMap((shape) => toParagraphs(childAt(shape, 'txBody')));
  return lines.length === 0 ? [] : ['Notes:', ...lines];
}
