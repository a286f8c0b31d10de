import { Worker } from 'node:worker_threads';
import { decodeEntities } from './html-entities.ts';
import { splitHtml } from './split-html.ts';

/** What a page says, without its navigation, and where its links lead. */
export type HtmlText = {
  readonly title: string;
  /** Markdown without the targets of links. */
  readonly text: string;
  readonly links: readonly { readonly text: string; readonly url: string }[];
};

/** What the worker is told: the pieces of a page. */
export type HtmlRequest = { readonly pieces: readonly string[]; readonly base: string };

/** What it says of each, in their order. */
export type HtmlPiece = Pick<HtmlText, 'text' | 'links'>;

/** More is text of no use. */
const MAX_CHARACTERS = 5_000_000;
const MAX_MS = 10_000;

/**
 * HTML as readable text. The converter runs in a thread of its own that is ended after 10 s: some nested pages of a few
 * kilobytes keep it busy for minutes. From what it has not done by then only the tags are taken out.
 */
export async function toHtmlText(html: string, base: string, signal: AbortSignal): Promise<HtmlText> {
  const pieces = splitHtml(html.slice(0, MAX_CHARACTERS));
  const read = await convert({ pieces, base }, signal);
  const texts = pieces.map((piece, index) => read[index]?.text ?? stripTags(piece));
  const links = new Map(read.flatMap((piece) => piece.links.map((link) => [link.url, link])));
  return { title: findTitle(html), text: texts.filter((text) => text !== '').join('\n\n'), links: [...links.values()] };
}

/** The pieces that were read before the end, whatever that was. */
async function convert(request: HtmlRequest, signal: AbortSignal): Promise<readonly HtmlPiece[]> {
  const worker = new Worker(new URL('./html-worker.ts', import.meta.url), {
    workerData: request,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 512, stackSizeMb: 16 },
    stdout: true,
    stderr: true,
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  const timer = setTimeout(end, MAX_MS);
  const read: HtmlPiece[] = [];
  signal.addEventListener('abort', end, { once: true });
  worker.on('message', (piece: HtmlPiece) => read.push(piece));
  worker.once('error', end).once('exit', end);
  try {
    await promise;
    return read;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    await worker.terminate();
  }
}

function findTitle(html: string): string {
  const start = html.search(/<title[\s>]/i);
  const open = start === -1 ? -1 : html.indexOf('>', start);
  const close = open === -1 ? -1 : html.indexOf('<', open);
  if (close === -1) return '';
  const title = html.slice(open + 1, Math.min(close, open + 1_000));
  return decodeEntities(title.replace(/\s+/g, ' ').trim());
}

/** Linear in whatever it is given: "<" to ">" is a tag, and an unfinished one is left as it is. */
export function stripTags(html: string): string {
  const parts: string[] = [];
  let start = 0;
  for (let open = html.indexOf('<'); open !== -1; open = html.indexOf('<', start)) {
    const close = html.indexOf('>', open);
    if (close === -1) break;
    parts.push(html.slice(start, open));
    start = close + 1;
  }
  parts.push(html.slice(start));
  return decodeEntities(parts.join(' ').replace(/\s+/g, ' ').trim());
}
