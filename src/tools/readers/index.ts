import { quote } from '../../text/show.ts';
import { detectKind, type FileKind } from './file-kind.ts';
import { decodeText, describeDoubt } from './plain-text.ts';
import { type DocumentKind, READERS, ReadError, type Reading } from './reader.ts';
import { runReader } from './run-reader.ts';
import { describeZip } from './zip.ts';

/** A file as text. */
export type DocumentText = Reading & {
  /** What the file is by its content. */
  readonly kind: FileKind;
};

const NEVER = new AbortController().signal;

/**
 * The text of a file: plain text, PDF, Word, Excel, PowerPoint, and a ZIP as the list of its files. `name` is only shown.
 * Rejects with a sentence for a model (broken, encrypted, too large, a picture ...), or with the signal's reason.
 */
export async function readDocument(
  bytes: Uint8Array,
  name: string,
  { signal = NEVER }: { readonly signal?: AbortSignal } = {},
): Promise<DocumentText> {
  const kind = detectKind(bytes);
  try {
    if (kind === 'text') return { kind, text: toText(bytes) };
    if (kind === 'zip') return { kind, text: describeZip(bytes, name) };
    if (hasReader(kind)) return { kind, ...(await runReader({ bytes, kind, name }, signal)) };
    throw new ReadError(NO_TEXT[kind] ?? `is a ${kind} file of ${bytes.length} bytes, which has no text to read`);
  } catch (error) {
    if (error instanceof ReadError) throw new Error(`${quote(name)} ${error.message}.`, { cause: error });
    throw error;
  }
}

function hasReader(kind: FileKind): kind is DocumentKind {
  return Object.hasOwn(READERS, kind);
}

function toText(bytes: Uint8Array): string {
  const text = decodeText(bytes);
  const doubt = describeDoubt(bytes, text);
  return doubt === null ? text : `${text}\n${doubt}`;
}

const PICTURE = 'picture, a format that no model is shown (PNG, JPEG, GIF and WebP are)';

const NO_TEXT: Readonly<Partial<Record<FileKind, string>>> = {
  'old office':
    'is an Office file that cannot be read: it is in the format of before 2007 (.doc, .xls, .ppt), or encrypted with a ' +
    'password',
  archive: 'is a packed archive of a kind that is not read (only ZIP is)',
  video: 'is a video, which cannot be read',
  bmp: `is a BMP ${PICTURE}`,
  tiff: `is a TIFF ${PICTURE}`,
  heic: `is a HEIC ${PICTURE}`,
  avif: `is an AVIF ${PICTURE}`,
};
