import { tryOrUndefined } from '../../words/show.ts';
import { PART_CHARACTERS, showMedia, showPart } from '../media.ts';
import { decodeText } from '../readers/file-kind.ts';
import { readDocument } from '../readers/index.ts';
import { optionalCount, optionalText, requiredText, type Tool } from '../tool.ts';
import { isLeakText, LEAK_REFUSED } from './leak-guard.ts';
import {
  type DownloadedPage,
  downloadPage,
  isPublicAddress,
  type WebAccess,
} from './request-page.ts';
import type { HtmlText } from './to-markdown.ts';

const PUBLIC_WEB: WebAccess = { isAllowed: isPublicAddress, timeoutMs: 30_000 };

/** Pages of the public web as text. `access` is for tests: no setting reaches it. */
export function createFetchPage(access: Partial<WebAccess> = {}): Tool {
  const reached = { ...PUBLIC_WEB, ...access };
  return {
    name: 'fetch_page',
    description:
      'Fetches a page of the web by its address and returns its text (HTML as Markdown, also PDF and other documents; pictures if you can see them), ' +
      `at most ${PART_CHARACTERS} characters at a time: ask for the next part with part. With show "links" it returns ` +
      'where the links of the page lead instead. It cannot search; no forms, no JavaScript.',
    schema: {
      type: 'object',
      properties: {
        url: { type: 'string', description: 'The complete address, with http:// or https://.' },
        part: { type: 'integer', description: 'Which part of a long page, from 1 (default 1).' },
        show: {
          type: 'string',
          enum: ['text', 'links'],
          description: 'What to return (default "text").',
        },
      },
      required: ['url'],
    },
    readsWeb: true,
    run: async (args, context) => {
      const { signal } = context;
      const part = optionalCount(args, 'part') ?? 1;
      const show = optionalText(args, 'show') ?? 'text';
      const downloaded = await downloadPage(requiredText(args, 'url'), reached, signal);
      const { url, bytes } = downloaded;
      const shown = showMedia(toFileName(url), bytes, context);
      if (shown !== null) return shown;
      const page = await readPage(downloaded, signal);
      if (isLeakText(`${page.title}\n${page.text}`))
        throw new Error(`the page was not shown: ${LEAK_REFUSED}`);
      const links = page.links.map((link) => `${link.text}: ${link.url}`);
      const name = `${page.title || 'page'} | ${url.href}`;
      return showPart(name, show === 'links' ? links.join('\n') : page.text, part);
    },
  };
}

/** The readable text of a downloaded file. Every kind except HTML is read like an attachment. */
async function readPage(page: DownloadedPage, signal: AbortSignal): Promise<HtmlText> {
  if (isHtml(page)) {
    const options = { kind: 'html', signal } as const;
    const {
      text,
      title = '',
      links = [],
    } = await readDocument(Buffer.from(decodeHtml(page)), page.url.href, options);
    return { text, title, links };
  }
  const name = toFileName(page.url);
  const { text } = await readDocument(page.bytes, name, { signal });
  return { title: name, text, links: [] };
}

/**
 * Whether a page is HTML: by its type, or by its first characters if the server sends no type or
 * only the most general one.
 */
function isHtml({ contentType, bytes }: DownloadedPage): boolean {
  if (/html/i.test(contentType)) return true;
  const isVague =
    contentType === '' || /^(text\/plain|application\/octet-stream)/i.test(contentType);
  return (
    isVague &&
    /^\s*<(!doctype html|html)[\s>]/i.test(new TextDecoder('latin1').decode(bytes.subarray(0, 500)))
  );
}

/**
 * Decodes a page in the encoding that the server or the page names. Without one, it is decoded like
 * a file.
 */
export function decodeHtml({ contentType, bytes }: DownloadedPage): string {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 2_000));
  const [, encoding] = /charset=["']?\s*([\w-]{1,40})/i.exec(`${contentType}\n${head}`) ?? [];
  const decoded =
    encoding === undefined
      ? undefined
      : tryOrUndefined(() => new TextDecoder(encoding).decode(bytes));
  return decoded ?? decodeText(bytes);
}

/** The end of an address, as a file name. */
function toFileName({ pathname, hostname }: URL): string {
  const last = pathname.split('/').findLast((part) => part !== '') ?? hostname;
  return last.slice(-100);
}
