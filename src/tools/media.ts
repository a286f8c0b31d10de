import { detectKind, type FileKind } from './readers/file-kind.ts';

/** A file that a model sees or hears itself. The agents convert it into the form of their API. */
export type MediaPart = Readonly<{
  kind: MediaKind;
  /**
   * "image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf", "audio/wav" or
   * "audio/mpeg".
   */
  mediaType: string;
  name: string;
  base64: string;
}>;

type MediaKind = 'image' | 'pdf' | 'audio';

/** The most bytes of one file that a model's API accepts, by kind; 0 if it accepts none. */
export type MediaLimits = Readonly<Record<MediaKind, number>>;

const NO_MEDIA: MediaLimits = { image: 0, pdf: 0, audio: 0 };

/** The file as a data URL, the form for OpenAI's APIs. */
export function toDataUrl({ mediaType, base64 }: MediaPart): string {
  return `data:${mediaType};base64,${base64}`;
}

type MediaFile = Readonly<{ name: string; bytes: Uint8Array; kind: FileKind }>;

type Limited = { readonly media?: MediaLimits };

type Shown = Readonly<{ text: string; media: readonly MediaPart[] }>;

/** A picture or recording that the model sees or hears itself; null for any other file. */
export function showMedia(name: string, bytes: Uint8Array, limits: Limited): Shown | null {
  const file = { name, bytes, kind: detectKind(bytes) };
  return showImage(file, limits) ?? playAudio(file, limits);
}

/** Throws when the picture cannot be shown. */
function showImage(file: MediaFile, limits: Limited): Shown | null {
  const { name, kind } = file;
  if (!PICTURES.includes(kind)) return null;
  return showFile(`${name}: ${kind} picture.`, 'image', `image/${kind}`, file, limits);
}

const PICTURES: readonly FileKind[] = ['png', 'jpeg', 'gif', 'webp'];

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
  return showFile(`${file.name}: ${file.kind} recording.`, 'audio', mediaType, file, limits);
}

const MAX_PAGES = 100;

/** A PDF whose pages the model sees; null if the model's API does not accept it. */
export function showPdf(file: MediaFile, pages: number, limits: Limited): Shown | null {
  const most = (limits.media ?? NO_MEDIA).pdf;
  if (pages > MAX_PAGES || file.bytes.length > most) return null;
  const text = `${file.name}: PDF, pages: ${pages}. Its text can also be read, with part 1.`;
  return showFile(text, 'pdf', 'application/pdf', file, limits);
}

function showFile(
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

/** The words above files that could not be put into the results of their tools. */
export function introduceFiles(media: readonly MediaPart[]): string {
  return `What the tools above returned: ${media.map(({ name }) => JSON.stringify(name)).join(', ')}`;
}

/** The most characters of one part. */
export const PART_CHARACTERS = 30_000;

/**
 * One part of a long text, below a line with its number and how to go on. Throws a sentence for the
 * model if there is no such part.
 */
export function showPart(name: string, text: string, part: number): string {
  const parts = splitParts(text);
  const shown = parts[part - 1];
  if (shown === undefined)
    throw new Error(`${name} has parts 1 to ${parts.length}, but part ${part} was asked for.`);
  const more = part < parts.length ? `, go on with part ${part + 1}` : '';
  return `[${name} | part ${part} of ${parts.length}${more}]\n${shown === '' ? '(nothing)' : shown}`;
}

/** Cuts at line ends if there are any, so no number is split. */
function splitParts(text: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  while (start + PART_CHARACTERS < text.length) {
    const lineEnd = text.lastIndexOf('\n', start + PART_CHARACTERS);
    const end = lineEnd > start + PART_CHARACTERS / 2 ? lineEnd + 1 : start + PART_CHARACTERS;
    parts.push(text.slice(start, end).trimEnd().toWellFormed());
    start = end;
  }
  return [...parts, text.slice(start).trimEnd().toWellFormed()];
}
