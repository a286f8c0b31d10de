import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** What a page says, without its navigation, and where its links lead. */
export type HtmlText = {
  readonly title: string;
  /** Markdown without the targets of links. */
  readonly text: string;
  readonly links: readonly { readonly text: string; readonly url: string }[];
};

export type HtmlRequest = { readonly html: string; readonly base: string };

/** The text of longer pages is of no use to a model. */
const MAX_CHARACTERS = 5_000_000;
/** A page of 5 MB takes 3 s, but the machine may be busy. */
const MAX_MS = 30_000;

/**
 * HTML as readable text. A page that cannot be read within 30 s and 512 MB, as a few broken or hostile ones cannot,
 * loses its structure, its title and its links: only the tags are taken out.
 */
export async function toHtmlText(page: string, base: string, signal: AbortSignal): Promise<HtmlText> {
  const html = page.slice(0, MAX_CHARACTERS);
  return (await convert({ html, base }, signal)) ?? { title: '', text: await stripTags(html), links: [] };
}

/** Converts in a thread, which can be ended. Null when it fails. */
async function convert(request: HtmlRequest, signal: AbortSignal): Promise<HtmlText | null> {
  const worker = new Worker(new URL('./html-worker.ts', import.meta.url), {
    workerData: request,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 512 },
    stdout: true,
    stderr: true,
  });
  try {
    const [converted]: HtmlText[] = await once(worker, 'message', {
      signal: AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)]),
    });
    return converted === undefined ? null : { ...converted, text: converted.text.slice(0, MAX_CHARACTERS) };
  } catch {
    signal.throwIfAborted();
    return null;
  } finally {
    await worker.terminate();
  }
}

/** Takes time in proportion to the page, whatever it holds. A "<" that begins no tag stays. */
export async function stripTags(html: string): Promise<string> {
  const { parseFragment } = await import('parse5');
  // What is left is one text, of which the parser reads the character references.
  const [text] = parseFragment(html.replace(NO_TEXT, ' ').replaceAll('<', '&lt;')).childNodes;
  return text !== undefined && 'value' in text ? text.value.replace(/\s+/g, ' ').trim() : '';
}

/** Comments, elements without text of the page, and tags. */
const NO_TEXT = /<!--[\s\S]*?(?:-->|$)|<(script|style|noscript|template|svg)\b[\s\S]*?(?:<\/\1\s{0,9}>|$)|<[^<>]*>/gi;
