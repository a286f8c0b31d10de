import { quote } from '../text/show.ts';
import { detectKind, type FileKind } from './readers/file-kind.ts';

/** A file that a model sees or hears itself. The agents convert it into the form of their API. */
export type MediaPart = {
  readonly kind: MediaKind;
  /**
   * "image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf", "audio/wav" or
   * "audio/mpeg".
   */
  readonly mediaType: string;
  readonly name: string;
  readonly base64: string;
};

type MediaKind = 'image' | 'pdf' | 'audio';

/** The most bytes of one file that a model's API accepts, by kind; 0 if it accepts none. */
export type MediaLimits = Readonly<Record<MediaKind, number>>;

const NO_MEDIA: MediaLimits = { image: 0, pdf: 0, audio: 0 };

/** The file as a data URL, the form for OpenAI's APIs. */
export function toDataUrl({ mediaType, base64 }: MediaPart): string {
  return `data:${mediaType};base64,${base64}`;
}

type MediaFile = { readonly name: string; readonly bytes: Uint8Array; readonly kind: FileKind };
type Limited = { readonly media?: MediaLimits };
type Shown = { readonly text: string; readonly media: readonly MediaPart[] };

/** The largest side in pixels that all APIs accept. */
const MAX_SIDE = 8_000;

/** A picture or recording that the model sees or hears itself; null for any other file. */
export function showMedia(name: string, bytes: Uint8Array, limits: Limited): Shown | null {
  const file = { name, bytes, kind: detectKind(bytes) };
  return showImage(file, limits) ?? playAudio(file, limits);
}

/** Throws when the picture is broken or cannot be shown. */
function showImage(file: MediaFile, limits: Limited): Shown | null {
  const { name, bytes, kind } = file;
  const measure = MEASURES[kind];
  if (measure === undefined) return null;
  const size = bytes.length < 30 ? null : measure(Buffer.from(bytes));
  if (size === null || size.includes(0)) {
    throw new Error(`${quote(name)} is a broken ${kind} picture: it may have been cut off.`);
  }
  const text = `${name}: ${kind} picture, ${size.join(' x ')} pixels.`;
  if (Math.max(...size) > MAX_SIDE) {
    throw new Error(`${text} It cannot be shown: at most ${MAX_SIDE} pixels a side are.`);
  }
  return show(text, 'image', `image/${kind}`, file, limits);
}

/** The kinds of recordings. */
export const AUDIO: readonly FileKind[] = ['mp3', 'wav', 'm4a', 'flac', 'ogg'];

const AUDIO_TYPES: Readonly<Partial<Record<FileKind, string>>> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
};

/** A recording that the model hears itself; null when the model cannot, or for any other file. */
function playAudio(file: MediaFile, limits: Limited): Shown | null {
  const mediaType = AUDIO_TYPES[file.kind];
  if (mediaType === undefined || file.bytes.length > (limits.media ?? NO_MEDIA).audio) return null;
  return show(`${file.name}: ${file.kind} recording.`, 'audio', mediaType, file, limits);
}

const MAX_PAGES = 100;

/** A PDF whose pages the model sees; null if the model's API does not accept it. */
export function showPdf(file: MediaFile, pages: number, limits: Limited): Shown | null {
  const most = (limits.media ?? NO_MEDIA).pdf;
  if (pages > MAX_PAGES || file.bytes.length > most) return null;
  const text = `${file.name}: PDF, pages: ${pages}. Its text can also be read by lines, with first_line.`;
  return show(text, 'pdf', 'application/pdf', file, limits);
}

function show(
  text: string,
  kind: MediaKind,
  mediaType: string,
  file: MediaFile,
  { media = NO_MEDIA }: Limited,
): Shown {
  const { name, bytes } = file;
  const most = media[kind];
  if (most === 0) throw new Error(`${text} It cannot be shown to this model.`);
  if (bytes.length > most) {
    throw new Error(
      `${text} It has ${bytes.length} bytes, but this model is shown at most ${most}.`,
    );
  }
  const part = { kind, mediaType, name, base64: Buffer.from(bytes).toString('base64') };
  return { text: `${text} It comes with this result.`, media: [part] };
}

type Size = readonly [width: number, height: number];

/**
 * Width and height by kind of picture; null for an incomplete picture, which an API would refuse
 * with an error.
 */
const MEASURES: Readonly<Partial<Record<FileKind, (file: Buffer) => Size | null>>> = {
  png: (file) =>
    file.includes('IEND', -64) ? [file.readUInt32BE(16), file.readUInt32BE(20)] : null,
  gif: (file) => [file.readUInt16LE(6), file.readUInt16LE(8)],
  jpeg: measureJpeg,
  webp: measureWebp,
};

/** Reads the segments up to the frame header, which has the size. */
function measureJpeg(file: Buffer): Size | null {
  if (!file.includes('ffd9', 2, 'hex')) return null;
  for (
    let at = 2;
    at + 9 <= file.length && file[at] === 0xff;
    at += 2 + file.readUInt16BE(at + 2)
  ) {
    const marker = file[at + 1] ?? 0;
    // 0xc4, 0xc8 and 0xcc are tables among the frame headers.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [file.readUInt16BE(at + 7), file.readUInt16BE(at + 5)];
  }
  return null;
}

/** Three formats in one container: plain, lossless and extended. */
function measureWebp(file: Buffer): Size | null {
  if (file.readUInt32LE(4) + 8 > file.length) return null;
  const format = file.toString('latin1', 12, 16);
  if (format === 'VP8 ') return [file.readUInt16LE(26) & 0x3fff, file.readUInt16LE(28) & 0x3fff];
  if (format === 'VP8X') return [file.readUIntLE(24, 3) + 1, file.readUIntLE(27, 3) + 1];
  const bits = file.readUInt32LE(21);
  return format === 'VP8L' ? [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1] : null;
}
