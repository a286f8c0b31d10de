import { guessUtf16 } from './plain-text.ts';
import type { DocumentKind } from './reader.ts';
import { listMembers } from './zip.ts';

type PictureKind = 'png' | 'jpeg' | 'gif' | 'webp' | 'bmp' | 'tiff' | 'heic' | 'avif';
type RecordingKind = 'mp3' | 'wav' | 'm4a' | 'flac' | 'ogg' | 'video';

/** What a file is by its content. "binary" is everything that is not known here. */
export type FileKind =
  | ('text' | 'zip' | 'archive' | 'old office' | 'binary')
  | DocumentKind
  | PictureKind
  | RecordingKind;

/**
 * The kind of a file by its first bytes, and of a ZIP by its members; names play no part. Text stays text whatever words
 * it begins with, except a PDF, which may be written in plain letters.
 */
export function detectKind(bytes: Uint8Array): FileKind {
  if (isText(bytes)) return isPlainPdf(bytes) ? 'pdf' : 'text';
  const kind = SIGNATURES.find(([matches]) => matches(bytes))?.[1];
  if (kind === 'zip') return detectOffice(bytes);
  return kind ?? (guessUtf16(bytes) === null ? 'binary' : 'text');
}

type Test = (bytes: Uint8Array) => boolean;

const SIGNATURES: readonly (readonly [Test, FileKind])[] = [
  [at(0, 'PK\x03\x04'), 'zip'],
  [at(0, 'PK\x05\x06'), 'zip'],
  [at(0, '\x89PNG\r\n'), 'png'],
  [at(0, '\xff\xd8\xff'), 'jpeg'],
  [at(0, 'GIF87a'), 'gif'],
  [at(0, 'GIF89a'), 'gif'],
  [at(0, 'II*\0'), 'tiff'],
  [at(0, 'MM\0*'), 'tiff'],
  // The size of the file is followed by reserved bytes.
  [(bytes) => at(0, 'BM')(bytes) && at(6, '\0\0\0\0')(bytes), 'bmp'],
  [(bytes) => at(0, 'RIFF')(bytes) && at(8, 'WEBP')(bytes), 'webp'],
  [(bytes) => at(0, 'RIFF')(bytes) && at(8, 'WAVE')(bytes), 'wav'],
  [(bytes) => at(0, 'RIFF')(bytes) && at(8, 'AVI ')(bytes), 'video'],
  // Versions 2 to 4.
  [(bytes) => at(0, 'ID3')(bytes) && [2, 3, 4].includes(bytes[3] ?? 0), 'mp3'],
  [(bytes) => HEIC.some((brand) => at(4, `ftyp${brand}`)(bytes)), 'heic'],
  [(bytes) => at(4, 'ftypavif')(bytes) || at(4, 'ftypavis')(bytes), 'avif'],
  [(bytes) => at(4, 'ftyp')(bytes) && !showsPictures(bytes), 'm4a'],
  // Each begins with its size, whose first byte is no letter.
  [(bytes) => (bytes[0] ?? 32) < 32 && ['ftyp', 'moov', 'mdat', 'wide'].some((box) => at(4, box)(bytes)), 'video'],
  [at(0, '\x1a\x45\xdf\xa3'), 'video'],
  [at(0, 'fLaC\0'), 'flac'],
  [at(0, 'OggS\0'), 'ogg'],
  [at(0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), 'old office'],
  [at(0, '\x1f\x8b'), 'archive'],
  [at(0, '7z\xbc\xaf'), 'archive'],
  [at(0, 'Rar!\x1a\x07'), 'archive'],
  [(bytes) => at(0, 'BZh')(bytes) && at(4, '1AY&SY')(bytes), 'archive'],
  // Programs look for the mark of a PDF in the first 1,024 bytes.
  [(bytes) => Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-'), 'pdf'],
  [isMpegAudio, 'mp3'],
];

const HEIC = ['heic', 'heix', 'hevc', 'hevx', 'heim', 'heis', 'mif1', 'msf1'];

/** Whether these bytes, each written as one character, are in the file at this place. */
function at(offset: number, expected: string): Test {
  return (bytes) => Buffer.from(bytes.subarray(offset, offset + expected.length)).toString('latin1') === expected;
}

/** A frame of MPEG audio, layer 3: eleven set bits, and no reserved version, bit rate or sample rate. */
function isMpegAudio([first, second = 0, third = 0]: Uint8Array): boolean {
  if (first !== 0xff || (second & 0xe6) !== 0xe2 || (second & 0x18) === 0x08) return false;
  return third >> 4 !== 0 && third >> 4 !== 15 && (third & 0x0c) !== 0x0c;
}

/** Whether an MPEG-4 file has a track of pictures. Its brand does not tell: not all recordings are marked M4A. */
function showsPictures(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const handlers: string[] = [];
  for (let found = file.indexOf('hdlr'); found !== -1; found = file.indexOf('hdlr', found + 4)) {
    handlers.push(file.toString('latin1', found + 12, found + 16));
  }
  if (handlers.includes('vide')) return true;
  return !handlers.includes('soun') && !at(8, 'M4A')(bytes) && !at(8, 'M4B')(bytes);
}

/** A ZIP is an Office document by the folder of its main part. A broken one stays a ZIP, whose reader says why. */
function detectOffice(bytes: Uint8Array): FileKind {
  try {
    const names = listMembers(bytes).map(({ name }) => name);
    if (!names.includes('[Content_Types].xml')) return 'zip';
    return OFFICE.find(([folder]) => names.some((name) => name.startsWith(folder)))?.[1] ?? 'zip';
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
 * Text has no control characters but tab, line feed, form feed, carriage return and escape, and at its end the one that
 * MS-DOS ended files with. UTF-16 needs its mark here.
 */
function isText(bytes: Uint8Array): boolean {
  if (at(0, '\xff\xfe')(bytes) || at(0, '\xfe\xff')(bytes)) return true;
  const whole = bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0x1a) + 1);
  return !whole.some((byte) => byte < 9 || byte === 11 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32));
}
