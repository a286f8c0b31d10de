import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { MediaPart } from '../media.ts';
import { detectKind } from '../readers/file-kind.ts';
import { readDocument } from '../readers/index.ts';
import { playAudio, showImage } from '../show-attachment.ts';
import type { ToolContext, ToolOutput } from '../tool.ts';

type Block = CallToolResult['content'][number];
type Part = { readonly text: string; readonly media: readonly MediaPart[] };

/** The result of an MCP tool: its texts, and its pictures beside them. A tool's own error is thrown, as all tools do. */
export async function toToolOutput(
  result: CallToolResult,
  hide: (text: string) => string,
  context: ToolContext,
): Promise<ToolOutput> {
  const parts = await Promise.all(result.content.map((block, index) => toPart(block, index, hide, context)));
  const texts = parts.map(({ text }) => text).filter((text) => text !== '');
  if (result.content.length === 0 && result.structuredContent !== undefined) {
    texts.push(toJson(result.structuredContent, hide));
  }
  const text = hide(texts.join('\n') || '(the tool returned nothing)');
  if (result.isError === true) throw new Error(text);
  return { text, media: parts.flatMap(({ media }) => media) };
}

/** JSON writes a quote or a backslash of a key in another way: it is hidden before. */
function toJson(content: object, hide: (text: string) => string): string {
  return JSON.stringify(content, (_, part: unknown) => {
    if (typeof part === 'string') return hide(part);
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([name, value]) => [hide(name), value]));
  });
}

async function toPart(
  block: Block,
  index: number,
  hide: (text: string) => string,
  context: ToolContext,
): Promise<Part> {
  switch (block.type) {
    case 'text':
      return { text: block.text, media: [] };
    case 'image':
    case 'audio':
      return readFile(`${block.type} ${index + 1}`, block.data, context);
    case 'resource':
      return 'text' in block.resource
        ? { text: block.resource.text, media: [] }
        : // The name goes out with the file, beside the text.
          readFile(hide(block.resource.uri), block.resource.blob, context);
    case 'resource_link':
      return { text: `${block.name}: ${block.uri}`, media: [] };
  }
}

/** As attachments are read: by its content, and a broken picture never reaches an API. */
async function readFile(name: string, base64: string, context: ToolContext): Promise<Part> {
  const bytes = Buffer.from(base64, 'base64');
  const kind = detectKind(bytes);
  try {
    const shown = showImage({ name, bytes }, kind, context) ?? playAudio({ name, bytes }, kind, context);
    if (shown !== null) return typeof shown === 'string' ? { text: shown, media: [] } : shown;
    const { text } = await readDocument(bytes, name, { signal: context.signal });
    return { text: `[${name}]\n${text}`, media: [] };
  } catch (error) {
    context.signal.throwIfAborted();
    return { text: `[${error instanceof Error ? error.message : String(error)}]`, media: [] };
  }
}
