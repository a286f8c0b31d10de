import { type MediaPart, toDataUrl } from '../tools/media.ts';
import type { ToolResult } from '../tools/run-tool.ts';

/** A tool's result as the Responses API takes it: its text, or parts of which the text is the first. */
export function toResponsesOutput({ output, media }: ToolResult) {
  return media.length === 0 ? output : [{ type: 'input_text' as const, text: output }, ...media.map(toPart)];
}

function toPart(part: MediaPart) {
  if (part.kind === 'pdf') return { type: 'input_file' as const, filename: part.name, file_data: toDataUrl(part) };
  return { type: 'input_image' as const, image_url: toDataUrl(part), detail: 'auto' as const };
}
