import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { MediaKind, MediaPart } from '../media.ts';
import type { ToolOutput } from '../tool.ts';

type Block = CallToolResult['content'][number];

/** What models can be shown, by media type. */
const SHOWN: ReadonlyMap<string, MediaKind> = new Map([
  ['image/png', 'image'],
  ['image/jpeg', 'image'],
  ['image/gif', 'image'],
  ['image/webp', 'image'],
  ['application/pdf', 'pdf'],
  ['audio/wav', 'audio'],
  ['audio/mpeg', 'audio'],
]);

/** The result of an MCP tool: its texts, and its pictures beside them. A tool's own error is thrown, as all tools do. */
export function toToolOutput(result: CallToolResult, hide: (text: string) => string): ToolOutput {
  const parts = result.content.map((block, index) => toPart(block, index));
  const texts = parts.map(({ text }) => text).filter((text) => text !== '');
  if (result.content.length === 0 && result.structuredContent !== undefined) {
    texts.push(JSON.stringify(result.structuredContent));
  }
  const text = hide(texts.join('\n') || '(the tool returned nothing)');
  if (result.isError === true) throw new Error(text);
  return { text, media: parts.flatMap(({ media }) => media) };
}

type Part = { readonly text: string; readonly media: readonly MediaPart[] };

function toPart(block: Block, index: number): Part {
  switch (block.type) {
    case 'text':
      return { text: block.text, media: [] };
    case 'image':
    case 'audio':
      return toMedia(block.mimeType, block.data, `${block.type} ${index + 1}`);
    case 'resource':
      return 'text' in block.resource
        ? { text: block.resource.text, media: [] }
        : toMedia(block.resource.mimeType ?? 'unknown', block.resource.blob, block.resource.uri);
    case 'resource_link':
      return { text: `${block.name}: ${block.uri}`, media: [] };
  }
}

function toMedia(mediaType: string, data: string, name: string): Part {
  const kind = SHOWN.get(mediaType.toLowerCase());
  if (kind === undefined) {
    return { text: `[${name}: a file of type ${mediaType.slice(0, 100)}, which cannot be shown]`, media: [] };
  }
  // The SDK has checked that it is base64, in which it lets blanks pass.
  const base64 = data.replace(/\s+/g, '');
  return { text: `[${name}]`, media: [{ kind, mediaType: mediaType.toLowerCase(), name, base64 }] };
}
