import type OpenAI from 'openai';
import { type MediaPart, toDataUrl } from '../tools/media.ts';

/** The files that tools returned, as a message of the user: a tool's own message holds nothing but text in this API. */
export function toChatFiles(media: readonly MediaPart[]): readonly OpenAI.ChatCompletionUserMessageParam[] {
  if (media.length === 0) return [];
  const names = media.map(({ name }) => JSON.stringify(name)).join(', ');
  const text = `What the tools above returned: ${names}`;
  return [{ role: 'user', content: [{ type: 'text', text }, ...media.map(toPart)] }];
}

function toPart(part: MediaPart): OpenAI.ChatCompletionContentPart {
  const { kind, mediaType, name, base64 } = part;
  if (kind === 'pdf') return { type: 'file', file: { filename: name, file_data: toDataUrl(part) } };
  if (kind === 'image') return { type: 'image_url', image_url: { url: toDataUrl(part) } };
  return { type: 'input_audio', input_audio: { data: base64, format: mediaType === 'audio/wav' ? 'wav' : 'mp3' } };
}
