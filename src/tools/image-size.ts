import type { FileKind } from './readers/file-kind.ts';

export type ImageSize = { readonly width: number; readonly height: number };

/**
 * Width and height in pixels of a whole picture; null when it is broken or cut off, which a model's API answers with an
 * error that would end the conversation.
 */
export function readImageSize(bytes: Uint8Array, kind: FileKind): ImageSize | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (file.length < 30) return null;
  const size = MEASURES[kind]?.(file) ?? null;
  return size === null || size.width === 0 || size.height === 0 ? null : size;
}

const MEASURES: Readonly<Partial<Record<FileKind, (file: Buffer) => ImageSize | null>>> = {
  png: (file) =>
    file.includes('IEND', file.length - 64) ? { width: file.readUInt32BE(16), height: file.readUInt32BE(20) } : null,
  gif: (file) => ({ width: file.readUInt16LE(6), height: file.readUInt16LE(8) }),
  jpeg: measureJpeg,
  webp: measureWebp,
};

const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);

/** Walks the segments up to the frame header, which holds the size. */
function measureJpeg(file: Buffer): ImageSize | null {
  if (!file.includes(END_OF_IMAGE, 2)) return null;
  for (let at = 2; at + 9 <= file.length && file[at] === 0xff; at += 2 + file.readUInt16BE(at + 2)) {
    const marker = file[at + 1] ?? 0;
    // 0xc4, 0xc8 and 0xcc are tables among the frame headers.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: file.readUInt16BE(at + 7), height: file.readUInt16BE(at + 5) };
  }
  return null;
}

/** Three formats in one container: plain, lossless and extended. */
function measureWebp(file: Buffer): ImageSize | null {
  if (file.readUInt32LE(4) + 8 > file.length) return null;
  const format = file.toString('latin1', 12, 16);
  if (format === 'VP8 ') return { width: file.readUInt16LE(26) & 0x3fff, height: file.readUInt16LE(28) & 0x3fff };
  if (format === 'VP8X') return { width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1 };
  if (format !== 'VP8L') return null;
  const bits = file.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}
