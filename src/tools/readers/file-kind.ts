import { tryOrUndefined } from '../../words/show.ts';
import type { HtmlText } from '../web/to-markdown.ts';
import { listMembers } from './zip.ts';

type PictureKind = 'png' | 'jpeg' | 'gif' | 'webp';
type RecordingKind = 'mp3' | 'wav' | 'm4a' | 'flac' | 'ogg';

/** The kinds of files that have a reader. */
export type DocumentKind = 'pdf' | 'docx' | 'xlsx' | 'pptx' | 'html';

/**
 * The content of a file: its text, the number of `pages` of a PDF, the title and links of a web
 * page.
 */
export type ReadText = Readonly<{ text: string; pages?: number }> & Partial<HtmlText>;

/** The kind of a file by its content. "binary" is any unknown kind. */
export type FileKind = ('text' | 'zip' | 'binary') | DocumentKind | PictureKind | RecordingKind;

/**
 * The kind of a file by its first bytes, and of a ZIP by its members. The file's name does not
 * matter. Text is text whatever its first words are, except the mark of a PDF, which is plain
 * letters. (file-type 22 takes such texts for media, knows neither a PDF after a first line nor a
 * recording in MPEG-4 by its tracks, and is asynchronous.)
 */
export function detectKind(bytes: Uint8Array): FileKind {
  if (isTextFile(bytes))
    return /^(\xef\xbb\xbf)?\s*%PDF-\d/.test(toLatin1(bytes, 0, 1_024)) ? 'pdf' : 'text';
  const kind =
    SIGNATURES.find((signature) => hasSignature(bytes, signature))?.[0] ?? detectMedia(bytes);
  return kind === 'zip' ? detectOffice(bytes) : kind;
}

/** A kind, and its bytes by their offset. Each byte is one character. */
type Signature = readonly [
  kind: FileKind,
  ...parts: readonly (readonly [offset: number, expected: string])[],
];

const SIGNATURES: readonly Signature[] = [
  ['zip', [0, 'PK\x03\x04']],
  ['zip', [0, 'PK\x05\x06']],
  ['png', [0, '\x89PNG\r\n']],
  ['jpeg', [0, '\xff\xd8\xff']],
  ['gif', [0, 'GIF87a']],
  ['gif', [0, 'GIF89a']],
  ['webp', [0, 'RIFF'], [8, 'WEBP']],
  ['wav', [0, 'RIFF'], [8, 'WAVE']],
  ['mp3', [0, 'ID3\x02']],
  ['mp3', [0, 'ID3\x03']],
  ['mp3', [0, 'ID3\x04']],
  ['flac', [0, 'fLaC\0']],
  ['ogg', [0, 'OggS\0']],
];

function hasSignature(bytes: Uint8Array, [, ...parts]: Signature): boolean {
  return parts.every(
    ([offset, expected]) => toLatin1(bytes, offset, offset + expected.length) === expected,
  );
}

function toLatin1(bytes: Uint8Array, begin: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1', begin, end);
}

/** Formats without fixed first bytes: an MPEG-4 begins with the size of a box, an MP3 with a frame. */
function detectMedia(bytes: Uint8Array): FileKind {
  // Programs look for the mark of a PDF in the first 1,024 bytes.
  if (toLatin1(bytes, 0, 1_024).includes('%PDF-')) return 'pdf';
  if (toLatin1(bytes, 4, 8) === 'ftyp') return hasSoundAlone(bytes) ? 'm4a' : 'binary';
  return isMpegAudio(bytes) ? 'mp3' : 'binary';
}

/** The kind of an MPEG-4 by its tracks: the brand tells it only for some recordings. */
function hasSoundAlone(bytes: Uint8Array): boolean {
  const handlers = toLatin1(bytes, 0, bytes.length).matchAll(/hdlr[\s\S]{8}(vide|soun)/g);
  const tracks = Array.from(handlers, ([, track]) => track);
  return tracks.length === 0 ? toLatin1(bytes, 8, 11) === 'M4A' : !tracks.includes('vide');
}

/**
 * A frame of MPEG audio, layer 3: eleven set bits, and no reserved version, bit rate or sample
 * rate.
 */
function isMpegAudio([first, second = 0, third = 0]: Uint8Array): boolean {
  if (first !== 0xff || (second & 0xe6) !== 0xe2 || (second & 0x18) === 0x08) return false;
  return third >> 4 !== 0 && third >> 4 !== 15 && (third & 0x0c) !== 0x0c;
}

/**
 * The folder of its main part shows that a ZIP is an Office document. A broken one counts as a ZIP,
 * whose reader names the problem.
 */
function detectOffice(bytes: Uint8Array): FileKind {
  const names = tryOrUndefined(() => listMembers(bytes).map(({ name }) => name)) ?? [];
  if (!names.includes('[Content_Types].xml')) return 'zip';
  return OFFICE.find(([folder]) => names.some((name) => name.startsWith(folder)))?.[1] ?? 'zip';
}

const OFFICE = [
  ['word/', 'docx'],
  ['xl/', 'xlsx'],
  ['ppt/', 'pptx'],
] as const;

/**
 * Text contains no control characters except tab, line feed, form feed, carriage return and escape.
 */
function isTextFile(bytes: Uint8Array): boolean {
  if (hasUtf16Mark(bytes)) return true;
  return !bytes.some((byte) => byte < 9 || byte === 11 || (byte > 13 && byte < 32 && byte !== 27));
}

/**
 * Text in UTF-8, or UTF-16 with its mark. Anything else is read as Windows-1252, as old CSV files
 * often are.
 */
export function decodeText(bytes: Uint8Array): string {
  if (hasUtf16Mark(bytes))
    return new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes);
  const text = tryOrUndefined(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  return text ?? new TextDecoder('windows-1252').decode(bytes);
}

function hasUtf16Mark([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}
