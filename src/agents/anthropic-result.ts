import type { MediaPart } from '../tools/media.ts';
import type { ToolResult } from '../tools/run-tool.ts';

/** A tool's result as the Messages API takes it: its text, or blocks of which the text is the first. */
export function toAnthropicResult({ output, media }: ToolResult) {
  return media.length === 0 ? output : [{ type: 'text' as const, text: output }, ...media.map(toBlock)];
}

function toBlock({ kind, mediaType, name, base64 }: MediaPart) {
  const type = 'base64' as const;
  if (kind === 'pdf') {
    const source = { type, media_type: 'application/pdf' as const, data: base64 };
    return { type: 'document' as const, source, title: name };
  }
  const source = { type, media_type: toImageType(mediaType), data: base64 };
  return { type: 'image' as const, source };
}

function toImageType(mediaType: string) {
  const types = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;
  return types.find((known) => known === mediaType) ?? 'image/png';
}
