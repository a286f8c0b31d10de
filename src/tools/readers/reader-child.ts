import { buffer as readAll } from 'node:stream/consumers';
import { messageOf } from '../../words/thrown.ts';
import { type DocumentKind, decodeText, type ReadText } from './file-kind.ts';
import { ReadError } from './zip.ts';

/*
 * The program that reads one document for `readDocument`: {kind, name} as JSON in its argument, its
 * bytes on stdin, {text, ...} or {problem} as JSON on stdout.
 */

export type ReaderRequest = Readonly<{ kind: DocumentKind; name: string }>;

export type ReaderAnswer = ReadText | { readonly problem: string };

type Reader = (bytes: Uint8Array, name: string) => ReadText | Promise<ReadText>;

/**
 * Readers by kind of file. Each is loaded on first use, with its library. To add one, add its file,
 * its kind in `DocumentKind` and a line here.
 */
const READERS = {
  pdf: async () => (await import('./documents.ts')).readPdf,
  docx: async () => (await import('./documents.ts')).readDocx,
  xlsx: async () => (await import('./xlsx.ts')).readXlsx,
  pptx: async () => (await import('./documents.ts')).readPptx,
  html: async () => {
    const { toHtmlText } = await import('../web/to-markdown.ts');
    return (bytes: Uint8Array, base: string) =>
      toHtmlText(decodeText(bytes).slice(0, MAX_CHARACTERS), base);
  },
} as const satisfies Readonly<Record<DocumentKind, () => Promise<Reader>>>;

const MAX_CHARACTERS = 5_000_000;

const answer = JSON.stringify(await read(await readAll(process.stdin)));
process.stdout.write(answer, () => process.exit());

async function read(bytes: Uint8Array): Promise<ReaderAnswer> {
  const { kind, name }: ReaderRequest = JSON.parse(process.argv[2] ?? '');
  try {
    const reader = await READERS[kind]();
    const content = await reader(bytes, name);
    const left = content.text.length - MAX_CHARACTERS;
    if (left <= 0) return content;
    const text = `${content.text.slice(0, MAX_CHARACTERS)}\n[... ${left} more characters are not read]`;
    return { ...content, text };
  } catch (error) {
    if (error instanceof ReadError) return { problem: error.message };
    const reason = messageOf(error).replace(/\s+/g, ' ').slice(0, 300);
    return { problem: `is broken, or not a ${kind} file (${reason})` };
  }
}
