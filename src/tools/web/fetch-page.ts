import { optionalCount, optionalText, requiredText } from '../arguments.ts';
import { detectKind } from '../readers/file-kind.ts';
import { showImage } from '../show-attachment.ts';
import type { Tool, ToolContext, ToolOutput } from '../tool.ts';
import { type DownloadedPage, downloadPage, type WebAccess } from './download-page.ts';
import { isLeakText } from './leak-guard.ts';
import { type PageText, toFileName, toPageText } from './page-text.ts';
import { LEAK_REFUSED } from './page-url.ts';
import { isPublicAddress } from './public-address.ts';

const MAX_CHARACTERS = 30_000;

const PUBLIC_WEB: WebAccess = { isAllowed: isPublicAddress, timeoutMs: 30_000 };

/** Pages of the public web as text. `access` is there for tests: no setting reaches it. */
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
      const address = requiredText(args, 'url');
      const part = optionalCount(args, 'part') ?? 1;
      const show = optionalText(args, 'show') ?? 'text';
      const downloaded = await downloadPage(address, reached, signal);
      const picture = showPicture(downloaded, context);
      if (picture !== null) return picture;
      const page = await toPageText(downloaded, signal);
      if (isLeakText(`${page.title}\n${page.text}`)) throw new Error(`the page was not shown: ${LEAK_REFUSED}`);
      return toPart(downloaded.url, page, show === 'links' ? listLinks(page) : page.text, part);
    },
  };
}

/** A picture as it is, for the model's own eyes. */
function showPicture({ url, bytes }: DownloadedPage, context: ToolContext): ToolOutput | null {
  return showImage({ name: toFileName(url), bytes }, detectKind(bytes), context);
}

function listLinks({ links }: PageText): string {
  return links.map(({ text, url }) => `${text}: ${url}`).join('\n');
}

function toPart(url: URL, { title }: PageText, text: string, part: number): string {
  const parts = split(text);
  const shown = parts[part - 1];
  if (shown === undefined) throw new Error(`the page has parts 1 to ${parts.length}, but part ${part} was asked for.`);
  const more = part < parts.length ? `, go on with part ${part + 1}` : '';
  const head = `[${title === '' ? 'page' : title} | ${url.href} | part ${part} of ${parts.length}${more}]`;
  return `${head}\n${shown === '' ? '(nothing)' : shown}`;
}

/** At line ends where there are any, so that no number is cut in two. */
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
