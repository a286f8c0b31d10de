import { guessUtf16 } from './plain-text.ts';
import { listMembers } from './zip.ts';

/** What a file is by its content. "text" is any text; "binary" what nothing here knows. */
export type FileKind =
  | 'text'
  | 'pdf'
  | 'docx'
  | 'xlsx'
  | 'pptx'
  | 'zip'
  | 'png'
  | 'jpeg'
  | 'gif'
  | 'webp'
  | 'bmp'
  | 'tiff'
  | 'heic'
  | 'avif'
  | 'mp3'
  | 'wav'
  | 'm4a'
  | 'flac'
  | 'ogg'
  | 'video'
  | 'old office'
  | 'archive'
  | 'binary';

/**
 * The kind of a file by its first bytes, and of a ZIP by its members; names play no part. What is text throughout stays
 * text whatever words it begins with, but for a PDF, which may be written in plain letters.
 */
export function detectKind(bytes: Uint8Array): FileKind {
  if (isText(bytes)) return isPlainPdf(bytes) ? 'pdf' : 'text';
  const kind = SIGNATURES.find(([test]) => test(bytes))?.[1];
  if (kind === 'zip') return detectOffice(bytes);
  return kind ?? (guessUtf16(bytes) === null ? 'binary' : 'text');
}

type Test = (bytes: Uint8Array) => boolean;

const SIGNATURES: readonly (readonly [Test, FileKind])[] = [
  [begins(0x50, 0x4b, 0x03, 0x04), 'zip'],
  [begins(0x50, 0x4b, 0x05, 0x06), 'zip'],
  [begins(0x89, ...ascii('PNG\r\n')), 'png'],
  [begins(0xff, 0xd8, 0xff), 'jpeg'],
  [begins(...ascii('GIF87a')), 'gif'],
  [begins(...ascii('GIF89a')), 'gif'],
  [begins(...ascii('II*'), 0), 'tiff'],
  [begins(...ascii('MM'), 0, 0x2a), 'tiff'],
  // What follows the size of the file is reserved.
  [(bytes) => begins(...ascii('BM'))(bytes) && begins(0, 0, 0, 0)(bytes.subarray(6)), 'bmp'],
  [(bytes) => begins(...ascii('RIFF'))(bytes) && has(bytes, 8, 'WEBP'), 'webp'],
  [(bytes) => begins(...ascii('RIFF'))(bytes) && has(bytes, 8, 'WAVE'), 'wav'],
  [(bytes) => begins(...ascii('RIFF'))(bytes) && has(bytes, 8, 'AVI '), 'video'],
  // Of versions 2 to 4.
  [(bytes) => begins(...ascii('ID3'))(bytes) && [2, 3, 4].includes(bytes[3] ?? 0), 'mp3'],
  [(bytes) => has(bytes, 4, 'ftyp') && HEIC.includes(brandOf(bytes)), 'heic'],
  [(bytes) => has(bytes, 4, 'ftyp') && ['avif', 'avis'].includes(brandOf(bytes)), 'avif'],
  [(bytes) => has(bytes, 4, 'ftyp') && !showsPictures(bytes), 'm4a'],
  // Each begins with its size: no letter.
  [(bytes) => (bytes[0] ?? 32) < 32 && ['ftyp', 'moov', 'mdat', 'wide'].some((box) => has(bytes, 4, box)), 'video'],
  [begins(0x1a, 0x45, 0xdf, 0xa3), 'video'],
  [begins(...ascii('fLaC'), 0), 'flac'],
  [begins(...ascii('OggS'), 0), 'ogg'],
  [begins(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1), 'old office'],
  [begins(0x1f, 0x8b), 'archive'],
  [begins(...ascii('7z'), 0xbc, 0xaf), 'archive'],
  [begins(...ascii('Rar!'), 0x1a, 0x07), 'archive'],
  [(bytes) => begins(...ascii('BZh'))(bytes) && has(bytes, 4, '1AY&SY'), 'archive'],
  // Readers of PDF look for its mark in the first 1,024 bytes.
  [(bytes) => Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-'), 'pdf'],
  [isMpegAudio, 'mp3'],
];

const HEIC = ['heic', 'heix', 'hevc', 'hevx', 'heim', 'heis', 'mif1', 'msf1'];

function brandOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(8, 12)).toString('latin1');
}

function begins(...expected: readonly number[]): Test {
  return (bytes) => expected.every((byte, index) => bytes[index] === byte);
}

function has(bytes: Uint8Array, offset: number, text: string): boolean {
  return ascii(text).every((byte, index) => bytes[offset + index] === byte);
}

function ascii(text: string): readonly number[] {
  return [...Buffer.from(text, 'latin1')];
}

/** A frame of MPEG audio, layer 3: eleven set bits, and no reserved version, bit rate or sample rate. */
function isMpegAudio([first, second = 0, third = 0]: Uint8Array): boolean {
  if (first !== 0xff || (second & 0xe6) !== 0xe2 || (second & 0x18) === 0x08) return false;
  return third >> 4 !== 0 && third >> 4 !== 15 && (third & 0x0c) !== 0x0c;
}

/** Whether an MPEG-4 file has a track for the eye. A recording may bear the mark of any of them, not M4A alone. */
function showsPictures(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const handlers: string[] = [];
  for (let at = file.indexOf('hdlr'); at !== -1; at = file.indexOf('hdlr', at + 4)) {
    handlers.push(file.toString('latin1', at + 12, at + 16));
  }
  if (handlers.includes('vide')) return true;
  return !handlers.includes('soun') && !has(bytes, 8, 'M4A') && !has(bytes, 8, 'M4B');
}

/** A ZIP is an Office document by the folder of its main part. A broken one stays a ZIP, whose reader says what is wrong. */
function detectOffice(bytes: Uint8Array): FileKind {
  try {
    const names = listMembers(bytes).map(({ name }) => name);
    if (!names.includes('[Content_Types].xml')) return 'zip';
    const found = OFFICE.find(([folder]) => names.some((name) => name.startsWith(folder)));
    return found?.[1] ?? 'zip';
  } catch {
    return 'zip';
  }
}

const OFFICE = [
  ['word/', 'docx'],
  ['xl/', 'xlsx'],
  ['ppt/', 'pptx'],
] as const;

/** The mark at the very beginning, and an object soon after it. */
function isPlainPdf(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 4_000)).toString('latin1');
  return /^(\xef\xbb\xbf)?\s{0,100}%PDF-\d/.test(head) && /\s\d{1,9} \d{1,5} obj\b/.test(head);
}

/**
 * No control characters but tab, line feed, form feed, carriage return and escape, and at the end the one that MS-DOS ended
 * files with; UTF-16 needs its mark here.
 */
function isText(bytes: Uint8Array): boolean {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) return true;
  const end = bytes.findLastIndex((byte) => byte !== 0x1a) + 1;
  const whole = end < bytes.length ? bytes.subarray(0, end) : bytes;
  return !whole.some((byte) => byte < 9 || byte === 11 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32));
}
