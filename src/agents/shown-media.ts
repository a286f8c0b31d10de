import type { MediaLimits } from '../tools/media.ts';
import { onOff } from './parameters.ts';

/** Parameters that say what a model is shown as it is; what it is not, it gets as text if there is one. */
export const MEDIA_PARAMETERS = { images: onOff(), pdfs: onOff() } as const;

/** Recordings: only some models of the chat API hear. */
export const AUDIO_PARAMETER = { audio: onOff() } as const;

type MediaValues = { readonly images?: boolean; readonly pdfs?: boolean; readonly audio?: boolean };

/** What an API takes, and what of it a model is shown unless the spec says otherwise. */
export type ApiMedia = {
  /** In bytes before they are written as base64. */
  readonly most: MediaLimits;
  readonly byDefault: { readonly images: boolean; readonly pdfs: boolean };
};

export const OPENAI_MEDIA: ApiMedia = {
  most: { image: 20_000_000, pdf: 20_000_000, audio: 0 },
  byDefault: { images: true, pdfs: true },
};

/** Compatible servers mostly take pictures, and no PDF. */
export const CHAT_MEDIA: ApiMedia = {
  most: { image: 20_000_000, pdf: 20_000_000, audio: 20_000_000 },
  byDefault: { images: true, pdfs: false },
};

/** A picture may have 5 MB as base64, a whole request 32 MB. */
export const ANTHROPIC_MEDIA: ApiMedia = {
  most: { image: 3_700_000, pdf: 10_000_000, audio: 0 },
  byDefault: { images: true, pdfs: true },
};

/** What a model is shown, by its API and the parameters of its spec. */
export function chooseMedia({ most, byDefault }: ApiMedia, values: MediaValues): MediaLimits {
  return {
    image: (values.images ?? byDefault.images) ? most.image : 0,
    pdf: (values.pdfs ?? byDefault.pdfs) ? most.pdf : 0,
    audio: values.audio === true ? most.audio : 0,
  };
}
