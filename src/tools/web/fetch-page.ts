import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { attempt } from '../../text/thrown.ts';
import { showImage } from '../media.ts';
import { decodeText, detectKind } from '../readers/file-kind.ts';
import { readDocument } from '../readers/index.ts';
import { optionalCount, optionalText, requiredText, type Tool } from '../tool.ts';
import { isLeakText, LEAK_REFUSED } from './leak-guard.ts';
import { type DownloadedPage, downloadPage, isPublicAddress, type WebAccess } from './request-page.ts';
import type { HtmlRequest, HtmlText } from './to-markdown.ts';

const MAX_CHARACTERS = 30_000;

const PUBLIC_WEB: WebAccess = { isAllowed: isPublicAddress, timeoutMs: 30_000 };

/** Pages of the public web as text. `access` is for tests: no setting reaches it. */
export function createFetchPage(access: Partial<WebAccess> = {}): Tool {
  const reached = { ...PUBLIC_WEB, ...access };
  return {
    name: 'fetch_page',
    description:
      'Fetches a page of the web by its address and returns its text (HTML as Markdown, also PDF and other documents; pictures if you can see them), ' +
      `at most ${MAX_CHARACTERS} characters at a time: ask for the next part with part. With show "links" it returns ` +
      'where the links of the page lead instead. It cannot search; no forms, no JavaScript.',
    schema: {
      type: 'object',
      properties: {
        url: { type: 'string', description: 'The whole address, with http:// or https://.' },
        part: { type: 'integer', description: 'Which part of a long page, from 1 (default 1).' },
        show: { type: 'string', enum: ['text', 'links'], description: 'What to return (default "text").' },
      },
      required: ['url'],
    },
    version: '1',
    run: async (args, context) => {
      const { signal } = context;
      const part = optionalCount(args, 'part') ?? 1;
      const show = optionalText(args, 'show') ?? 'text';
      const downloaded = await downloadPage(requiredText(args, 'url'), reached, signal);
      const { url, bytes } = downloaded;
      const picture = showImage({ name: toFileName(url), bytes, kind: detectKind(bytes) }, context);
      if (picture !== null) return picture;
      const page = await readPage(downloaded, signal);
      if (isLeakText(`${page.title}\n${page.text}`)) throw new Error(`the page was not shown: ${LEAK_REFUSED}`);
      const links = page.links.map((link) => `${link.text}: ${link.url}`);
      return toPart(url, page.title, show === 'links' ? links.join('\n') : page.text, part);
    },
  };
}

/** The readable text of what was downloaded: HTML here, every other kind by the readers of attachments. */
async function readPage(page: DownloadedPage, signal: AbortSignal): Promise<HtmlText> {
  if (isHtml(page)) return toHtmlText(decodeHtml(page), page.url.href, signal);
  const name = toFileName(page.url);
  const { text } = await readDocument(page.bytes, name, { signal });
  return { title: name, text, links: [] };
}

/** By its type; by how it begins where the server sends no type or the vaguest one. */
function isHtml({ contentType, bytes }: DownloadedPage): boolean {
  if (/html/i.test(contentType)) return true;
  const isVague = contentType === '' || /^(text\/plain|application\/octet-stream)/i.test(contentType);
  return isVague && /^\s*<(!doctype html|html)[\s>]/i.test(new TextDecoder('latin1').decode(bytes.subarray(0, 500)));
}

/** In the encoding that the server or the page names; without one, as files are decoded. */
function decodeHtml({ contentType, bytes }: DownloadedPage): string {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 2_000));
  const [, encoding] = /charset=["']?\s*([\w-]{1,40})/i.exec(`${contentType}\n${head}`) ?? [];
  const decoded = encoding === undefined ? undefined : attempt(() => new TextDecoder(encoding).decode(bytes));
  return decoded ?? decodeText(bytes);
}

/** The end of an address, as the name of what is there. */
function toFileName({ pathname, hostname }: URL): string {
  const last = pathname.split('/').findLast((part) => part !== '') ?? hostname;
  return last.slice(-100);
}

/** The text of longer pages is of no use to a model. */
const MAX_TEXT = 5_000_000;
/** A page of 5 MB takes 3 s, but the machine may be busy. */
const MAX_MS = 30_000;
const MAX_MB = 512;

/** HTML as readable text, converted in a thread that can be ended: a few broken or hostile pages take too much. */
export async function toHtmlText(html: string, base: string, signal: AbortSignal): Promise<HtmlText> {
  const worker = new Worker(new URL('./to-markdown.ts', import.meta.url), {
    workerData: { html: html.slice(0, MAX_TEXT), base } satisfies HtmlRequest,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_MB },
    stdout: true,
    stderr: true,
  });
  try {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)]);
    const [converted]: HtmlText[] = await once(worker, 'message', { signal: deadline });
    if (converted !== undefined) return { ...converted, text: converted.text.slice(0, MAX_TEXT) };
  } catch {
    signal.throwIfAborted();
  } finally {
    await worker.terminate();
  }
  throw new Error(`the page is too large or too broken to be read within ${MAX_MS / 1000} s and ${MAX_MB} MB.`);
}

function toPart(url: URL, title: string, text: string, part: number): string {
  const parts = split(text);
  const shown = parts[part - 1];
  if (shown === undefined) throw new Error(`the page has parts 1 to ${parts.length}, but part ${part} was asked for.`);
  const more = part < parts.length ? `, go on with part ${part + 1}` : '';
  const head = `[${title === '' ? 'page' : title} | ${url.href} | part ${part} of ${parts.length}${more}]`;
  return `${head}\n${shown === '' ? '(nothing)' : shown}`;
}

/** Cuts at line ends where there are any, so that no number is cut in two. */
function split(text: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  while (start + MAX_CHARACTERS < text.length) {
    const lineEnd = text.lastIndexOf('\n', start + MAX_CHARACTERS);
    const end = lineEnd > start + MAX_CHARACTERS / 2 ? lineEnd + 1 : start + MAX_CHARACTERS;
    parts.push(text.slice(start, end).trimEnd().toWellFormed());
    start = end;
  }
  return [...parts, text.slice(start).toWellFormed()];
}
