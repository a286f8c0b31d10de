/** A file that a model looks at or listens to itself, where its API takes that: adapters turn it into the API's words. */
export type MediaPart = {
  readonly kind: MediaKind;
  /** "image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf", "audio/wav" or "audio/mpeg". */
  readonly mediaType: string;
  readonly name: string;
  readonly base64: string;
};

export type MediaKind = 'image' | 'pdf' | 'audio';

/** The most bytes of one file of a kind that a model's API takes; 0 where it takes none. */
export type MediaLimits = Readonly<Record<MediaKind, number>>;

export const NO_MEDIA: MediaLimits = { image: 0, pdf: 0, audio: 0 };

export function toMediaPart(kind: MediaKind, mediaType: string, name: string, bytes: Uint8Array): MediaPart {
  return {
    kind,
    mediaType,
    name,
    base64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64'),
  };
}

/** The file as a data URL, in which form OpenAI's APIs take it. */
export function toDataUrl({ mediaType, base64 }: MediaPart): string {
  return `data:${mediaType};base64,${base64}`;
}

/** Whether a model can be shown this part, and if not, a sentence for the model that says why. */
export function refuseMedia({ kind, name, base64 }: MediaPart, limits: MediaLimits): string | null {
  const bytes = Math.floor((base64.length * 3) / 4);
  if (bytes <= limits[kind]) return null;
  const what = `${kind} ${JSON.stringify(name.slice(0, 200))}`;
  if (limits[kind] === 0) return `The ${what} cannot be shown to this model.`;
  return `The ${what} has about ${bytes} bytes, but this model is shown at most ${limits[kind]}.`;
}
