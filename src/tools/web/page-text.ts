import { readDocument } from '../readers/index.ts';
import { decodeText } from '../readers/plain-text.ts';
import type { DownloadedPage } from './download-page.ts';
import { toHtmlText } from './html-text.ts';

/** A page as a model reads it. */
export type PageText = {
  readonly title: string;
  readonly text: string;
  readonly links: readonly { readonly text: string; readonly url: string }[];
};

/** The readable text of what was downloaded: HTML here, every other kind by the readers of attachments. */
export async function toPageText(page: DownloadedPage, signal: AbortSignal): Promise<PageText> {
  const html = isHtml(page) ? decodeHtml(page) : null;
  if (html !== null) return toHtmlText(html, page.url.href, signal);
  const { text } = await readDocument(page.bytes, toFileName(page.url), { signal });
  return { title: toFileName(page.url), text, links: [] };
}

/** By its type, or by how it begins where a server sends none or the vaguest one. */
function isHtml({ contentType, bytes }: DownloadedPage): boolean {
  if (/html/i.test(contentType)) return true;
  const vague = contentType === '' || /^(text\/plain|application\/octet-stream)/i.test(contentType);
  return vague && /^\s*<(!doctype html|html)[\s>]/i.test(new TextDecoder('latin1').decode(bytes.subarray(0, 500)));
}

/** In the encoding that the server or the page itself names; without any, as files are read. */
function decodeHtml({ contentType, bytes }: DownloadedPage): string {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 2_000));
  const named = /charset=["']?\s*([\w-]{1,40})/i.exec(contentType) ?? /charset=["']?\s*([\w-]{1,40})/i.exec(head);
  try {
    return named?.[1] === undefined ? decodeText(bytes) : new TextDecoder(named[1]).decode(bytes);
  } catch {
    return decodeText(bytes);
  }
}

/** The end of an address, as the name of what is there. */
export function toFileName({ pathname, hostname }: URL): string {
  const last = pathname.split('/').findLast((part) => part !== '') ?? hostname;
  return last.slice(-100);
}
