import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import { EXTENSION, requirePackage } from '../../package.ts';
import { runConfined } from '../../processes/confined-node.ts';
import { quote } from '../../words/show.ts';
import {
  type DocumentKind,
  decodeText,
  detectKind,
  type FileKind,
  type ReadText,
} from './file-kind.ts';
import type { ReaderAnswer, ReaderRequest } from './reader-child.ts';
import { describeZip, ReadError } from './zip.ts';

type ReaderOptions = Readonly<{
  signal?: AbortSignal;
  /**
   * The kind, if it is known. "html" is never detected, because HTML attachments are read as plain
   * text.
   */
  kind?: FileKind;
  limits?: ReaderLimits;
}>;

const NEVER = new AbortController().signal;

/**
 * The text of a file: plain text, PDF, Word, Excel, PowerPoint, and a ZIP as the list of its files.
 * `name` is only for messages. Rejects with a sentence for a model (broken, encrypted, too large, a
 * picture ...), or with the signal's reason.
 */
export async function readDocument(
  bytes: Uint8Array,
  name: string,
  { signal = NEVER, kind = detectKind(bytes), limits = limitsOf(kind) }: ReaderOptions = {},
): Promise<ReadText> {
  try {
    if (kind === 'text') return { text: decodeText(bytes) };
    if (kind === 'zip') return { text: describeZip(bytes, name) };
    if (isDocument(kind)) return await runReader(bytes, kind, name, signal, limits);
    const readable =
      'Text, PDF, Office documents since 2007, ZIP, PNG, JPEG, GIF and WebP are read or shown';
    throw new ReadError(`has no text to read (${kind}). ${readable}`);
  } catch (error) {
    if (error instanceof ReadError)
      throw new Error(`${quote(name)} ${error.message}.`, { cause: error });
    throw error;
  }
}

function isDocument(kind: FileKind): kind is DocumentKind {
  return ['pdf', 'docx', 'xlsx', 'pptx', 'html'].includes(kind);
}

/** Optional packages that some kinds need. */
const LIBRARIES: Readonly<Partial<Record<DocumentKind, 'mammoth' | 'unpdf'>>> = {
  pdf: 'unpdf',
  docx: 'mammoth',
};

/** The limits for one file. A file that exceeds them counts as hostile. */
type ReaderLimits = Readonly<{ deadlineMs: number; memoryMb: number }>;

const LIMITS: ReaderLimits = { deadlineMs: 60_000, memoryMb: 1_500 };

/** A page of the web may be hostile, and attachments wait behind it. */
const PAGE_LIMITS: ReaderLimits = { ...LIMITS, deadlineMs: 15_000 };

function limitsOf(kind: FileKind): ReaderLimits {
  return kind === 'html' ? PAGE_LIMITS : LIMITS;
}

/**
 * The most readers at once: a run asks many questions concurrently, and each reader may take much
 * memory.
 */
const limit = pLimit(4);

/**
 * Runs a reader in a separate process, which is killed when it takes too long or too much memory: a
 * few wrong bytes can make a parser loop or allocate without end.
 */
async function runReader(
  bytes: Uint8Array,
  kind: DocumentKind,
  name: string,
  signal: AbortSignal,
  { deadlineMs, memoryMb }: ReaderLimits,
) {
  const library = LIBRARIES[kind];
  if (library !== undefined) requirePackage(library, `Reading ${quote(name)}`);
  const confined = {
    program: CHILD,
    readable: SOURCE,
    packages: PACKAGES,
    args: [JSON.stringify({ kind, name } satisfies ReaderRequest)],
    stdin: bytes,
    deadlineMs,
    memoryMb,
  };
  const ended = await limit(() => runConfined(confined, signal));
  if (ended === 'late')
    throw new ReadError(`takes longer to read than ${deadlineMs / 1000} s, the limit for a file`);
  // A process that ends without output has run out of memory.
  if (ended.stdout === '')
    throw new ReadError(`needs more memory to be read than ${memoryMb} MB, the limit for a file`);
  const answer: ReaderAnswer = JSON.parse(ended.stdout);
  if ('problem' in answer) throw new ReadError(answer.problem);
  return answer;
}

const CHILD = fileURLToPath(new URL(`./reader-child${EXTENSION}`, import.meta.url));
const SOURCE = fileURLToPath(new URL('../../', import.meta.url));
const PACKAGES = [
  '@mixmark-io/domino',
  'fast-xml-parser',
  'fastest-levenshtein',
  'fflate',
  'mammoth',
  'turndown',
  'unpdf',
];
