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
  | 'mp3'
  | 'wav'
  | 'm4a'
  | 'flac'
  | 'ogg'
  | 'video'
  | 'old office'
  | 'archive'
  | 'binary';

/** The kind of a file by its first bytes, and of a ZIP by its members; names play no part. */
export function detectKind(bytes: Uint8Array): FileKind {
  const kind = SIGNATURES.find(([test]) => test(bytes))?.[1];
  if (kind === 'zip') return detectOffice(bytes);
  return kind ?? (isText(bytes) ? 'text' : 'binary');
}

type Test = (bytes: Uint8Array) => boolean;

const SIGNATURES: readonly (readonly [Test, FileKind])[] = [
  [begins(0x50, 0x4b, 0x03, 0x04), 'zip'],
  [begins(0x50, 0x4b, 0x05, 0x06), 'zip'],
  [begins(0x89, ...ascii('PNG\r\n')), 'png'],
  [begins(0xff, 0xd8, 0xff), 'jpeg'],
  [begins(...ascii('GIF8')), 'gif'],
  [(bytes) => begins(...ascii('RIFF'))(bytes) && has(bytes, 8, 'WEBP'), 'webp'],
  [(bytes) => begins(...ascii('RIFF'))(bytes) && has(bytes, 8, 'WAVE'), 'wav'],
  [(bytes) => begins(...ascii('RIFF'))(bytes) && has(bytes, 8, 'AVI '), 'video'],
  [begins(...ascii('ID3')), 'mp3'],
  [(bytes) => has(bytes, 4, 'ftyp') && !showsPictures(bytes), 'm4a'],
  [(bytes) => ['ftyp', 'moov', 'mdat', 'wide'].some((box) => has(bytes, 4, box)), 'video'],
  [begins(0x1a, 0x45, 0xdf, 0xa3), 'video'],
  [begins(...ascii('fLaC')), 'flac'],
  [begins(...ascii('OggS')), 'ogg'],
  [begins(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1), 'old office'],
  [begins(0x1f, 0x8b), 'archive'],
  [begins(...ascii('7z'), 0xbc, 0xaf), 'archive'],
  [begins(...ascii('Rar!')), 'archive'],
  [begins(...ascii('BZh')), 'archive'],
  // Readers of PDF look for its mark in the first 1,024 bytes.
  [(bytes) => Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-') && !begins(...ascii('{'))(bytes), 'pdf'],
  [isMpegAudio, 'mp3'],
];

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

/** No control characters but tab, line feed, form feed, carriage return and escape; UTF-16 needs its mark. */
function isText(bytes: Uint8Array): boolean {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) return true;
  return !bytes.some((byte) => byte < 9 || byte === 11 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32));
}
