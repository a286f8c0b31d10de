import { extractTextItems, getDocumentProxy, type StructuredTextItem } from 'unpdf';
import { ReadError, type Reading } from './reader.ts';

const MAX_PAGES = 2_000;

/** The text of a PDF, page after page. Spaces between the cells of a table are as wide as on the page. */
export async function readPdf(bytes: Uint8Array): Promise<Reading> {
  const document = await openPdf(bytes);
  if (document.numPages > MAX_PAGES) {
    throw new ReadError(`is too long: it has ${document.numPages} pages; at most ${MAX_PAGES} are read`);
  }
  const { items, totalPages } = await extractTextItems(document);
  const pages = items.map((page, index) => {
    const text = toLines(page) || '(no text on this page; it may be a picture)';
    return `--- page ${index + 1} of ${totalPages} ---\n${text}`;
  });
  return { text: pages.join('\n\n'), pages: totalPages };
}

async function openPdf(bytes: Uint8Array) {
  try {
    // A copy, since the library keeps the buffer.
    return await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0 });
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') {
      throw new ReadError('is encrypted with a password, which is not known');
    }
    throw error;
  }
}

/** In the order in which the page was written: it separates columns of text and keeps the cells of a row together. */
function toLines(items: readonly StructuredTextItem[]): string {
  let text = '';
  let last: StructuredTextItem | null = null;
  for (const item of items) {
    if (item.str.trim() === '') {
      if (item.hasEOL) last = null;
      continue;
    }
    text += (last === null ? (text === '' ? '' : '\n') : separate(last, item)) + item.str;
    last = item.hasEOL ? null : item;
  }
  return text;
}

function separate(last: StructuredTextItem, next: StructuredTextItem): string {
  const size = Math.max(last.fontSize, next.fontSize, 1);
  const gap = next.x - (last.x + last.width);
  if (Math.abs(next.y - last.y) > size / 2 || gap < -size) return '\n';
  // A letter is about half as wide as it is high. Wider gaps are between columns; an empty cell makes them double.
  return gap > size ? ' '.repeat(Math.min(200, Math.round((2 * gap) / size))) : gap > size / 8 ? ' ' : '';
}
