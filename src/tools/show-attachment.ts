import { quote } from '../records/show-value.ts';
import type { AttachedFile } from './attachment-file.ts';
import { readImageSize } from './image-size.ts';
import { NO_MEDIA, refuseMedia, toMediaPart } from './media.ts';
import type { FileKind } from './readers/file-kind.ts';
import type { ToolContext, ToolOutput } from './tool.ts';

const IMAGE_TYPES: Readonly<Partial<Record<FileKind, string>>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};

/** The largest side in pixels that all APIs take. */
const MAX_SIDE = 8_000;

/** A picture for the model's own eyes; null for what is none. Throws when it is broken or cannot be shown. */
export function showImage({ name, bytes }: AttachedFile, kind: FileKind, context: ToolContext): ToolOutput | null {
  const mediaType = IMAGE_TYPES[kind];
  if (mediaType === undefined) return null;
  const size = readImageSize(bytes, kind);
  if (size === null) throw new Error(`${quote(name)} is a broken ${kind} picture: it may have been cut off.`);
  const text = `${name}: ${kind} picture, ${size.width} x ${size.height} pixels.`;
  if (Math.max(size.width, size.height) > MAX_SIDE) {
    throw new Error(`${text} It cannot be shown: at most ${MAX_SIDE} pixels a side are.`);
  }
  return show(text, toMediaPart('image', mediaType, name, bytes), context);
}

const AUDIO_TYPES: Readonly<Partial<Record<FileKind, string>>> = { wav: 'audio/wav', mp3: 'audio/mpeg' };

/** A recording for the model's own ears; null when the model has none, or for what is no such recording. */
export function playAudio({ name, bytes }: AttachedFile, kind: FileKind, context: ToolContext): ToolOutput | null {
  const mediaType = AUDIO_TYPES[kind];
  if (mediaType === undefined || bytes.length > (context.media ?? NO_MEDIA).audio) return null;
  return show(`${name}: ${kind} recording.`, toMediaPart('audio', mediaType, name, bytes), context);
}

const MAX_PAGES = 100;

/** A PDF as its pages look; null when the model's API does not take it, and its text has to do. */
export function showPdf({ name, bytes }: AttachedFile, pages: number, context: ToolContext): ToolOutput | null {
  if (pages > MAX_PAGES || bytes.length > (context.media ?? NO_MEDIA).pdf) return null;
  const text = `${name}: PDF, pages: ${pages}. Its text can also be read by lines, with first_line.`;
  return show(text, toMediaPart('pdf', 'application/pdf', name, bytes), context);
}

function show(text: string, part: ReturnType<typeof toMediaPart>, { media = NO_MEDIA }: ToolContext): ToolOutput {
  const refusal = refuseMedia(part, media);
  if (refusal !== null) throw new Error(`${text} ${refusal}`);
  return { text: `${text} It comes with this result.`, media: [part] };
}
