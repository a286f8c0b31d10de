import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Attachment } from '../types.ts';
import type { ToolContext } from './tool.ts';

const MAX_BYTES = 20_000_000;

/** The text of an attachment, found by its name and nothing else: a model never names a path. Throws when it is no text. */
export async function readAttachmentText(name: string, { attachments }: ToolContext): Promise<string> {
  const attachment = attachments.find((known) => known.name === name);
  if (attachment === undefined) throw new Error(describeMissing(name, attachments));
  const bytes = await readBytes(attachment);
  const text = decode(bytes);
  if (text !== null) return text;
  const kind = extname(name) === '' ? 'binary' : `binary ${extname(name)}`;
  throw new Error(`${JSON.stringify(name)} is a ${kind} file of ${bytes.length} bytes: it cannot be read as text.`);
}

function describeMissing(name: string, attachments: readonly Attachment[]): string {
  const known = attachments.map((attachment) => JSON.stringify(attachment.name)).join(', ');
  const remedy = known === '' ? 'This question has no attachment.' : `Attachments: ${known}.`;
  return `there is no attachment ${JSON.stringify(name.slice(0, 200))}. ${remedy}`;
}

async function readBytes({ name, path }: Attachment): Promise<Uint8Array> {
  const file = await open(path).catch(() => null);
  // The path stays unsaid: it tells where the dataset lies.
  if (file === null) throw new Error(`${JSON.stringify(name)} can no longer be read.`);
  await using _ = file;
  const { size } = await file.stat();
  if (size <= MAX_BYTES) return file.readFile();
  throw new Error(`${JSON.stringify(name)} has ${size} bytes; more than ${MAX_BYTES} are not read.`);
}

/** Null for a binary file. What is no UTF-8 is taken as Windows-1252, which old CSV files are often written in. */
function decode(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes.some(isBinary)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Control characters that no text has: all but tab, line feed, form feed, carriage return and escape. */
function isBinary(byte: number): boolean {
  return byte < 9 || byte === 11 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32);
}
