import { Worker } from 'node:worker_threads';
import { decodeEntities } from './html-entities.ts';

/** What a page says, without its navigation, and where its links lead. */
export type HtmlText = {
  readonly title: string;
  /** Markdown without the targets of links. */
  readonly text: string;
  readonly links: readonly { readonly text: string; readonly url: string }[];
};

/** What the worker is told. */
export type HtmlRequest = { readonly html: string; readonly base: string };

/** More is text of no use; the converter's time grows faster than its input. */
const MAX_CHARACTERS = 3_000_000;
const MAX_MS = 8_000;

/**
 * HTML as readable text. The converter runs in a thread of its own that is ended after 8 s: some nested pages of a few
 * kilobytes keep it busy for minutes. Then only the tags are taken out.
 */
export async function toHtmlText(html: string, base: string, signal: AbortSignal): Promise<HtmlText> {
  const request: HtmlRequest = { html: html.slice(0, MAX_CHARACTERS), base };
  return (await convert(request, signal)) ?? { title: '', text: stripTags(request.html), links: [] };
}

/** Null when the converter fails or takes too long. */
async function convert(request: HtmlRequest, signal: AbortSignal): Promise<HtmlText | null> {
  const worker = new Worker(new URL('./html-worker.ts', import.meta.url), {
    workerData: request,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 512, stackSizeMb: 16 },
    stdout: true,
    stderr: true,
  });
  const { promise, resolve } = Promise.withResolvers<HtmlText | null>();
  const giveUp = () => resolve(null);
  const timer = setTimeout(giveUp, MAX_MS);
  signal.addEventListener('abort', giveUp, { once: true });
  worker.once('message', resolve).once('error', giveUp).once('exit', giveUp);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
    await worker.terminate();
  }
}

/** Linear in whatever it is given: "<" to ">" is a tag, and an unfinished one is left as it is. */
export function stripTags(html: string): string {
  const parts: string[] = [];
  let start = 0;
  for (let open = html.indexOf('<'); open !== -1; open = html.indexOf('<', start)) {
    const close = html.indexOf('>', open);
    if (close === -1) break;
    parts.push(html.slice(start, open));
    start = skipContent(html, open, close + 1);
  }
  parts.push(html.slice(start));
  return decodeEntities(parts.join(' ').replace(/\s+/g, ' ').trim());
}

/** Behind a tag, or behind the end of a script or style, whose content is no text. */
function skipContent(html: string, open: number, next: number): number {
  const name = /^<(script|style)\b/i.exec(html.slice(open, open + 8))?.[1]?.toLowerCase();
  if (name === undefined) return next;
  const end = html.indexOf(`</${name}`, next);
  return end === -1 ? html.length : end;
}
