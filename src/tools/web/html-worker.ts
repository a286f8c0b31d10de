import { parentPort, workerData } from 'node:worker_threads';
import { attributeOf, findWithin, type HtmlNode, parseHtml, textOf } from '../markdown/html-tree.ts';
import { renderPage } from '../markdown/to-markdown.ts';
import type { HtmlRequest, HtmlText } from './html-text.ts';

/* The thread in which `toHtmlText` converts one page. */

const MAX_LINKS = 2_000;

const { html, base }: HtmlRequest = workerData;
const { title, body } = parseHtml(html);
parentPort?.postMessage({ title, text: renderPage(body), links: readLinks(body) } satisfies HtmlText);

/** The first link to each address. */
function readLinks(page: HtmlNode): HtmlText['links'] {
  const links = new Map<string, string>();
  for (const link of findWithin(page, ['a'])) {
    const url = URL.parse(attributeOf(link, 'href'), base);
    const text = textOf(link).replace(/\s+/g, ' ').trim().slice(0, 200);
    const isNew = url?.protocol.startsWith('http') === true && !links.has(url.href);
    if (isNew && text !== '' && links.size < MAX_LINKS) links.set(url.href, text);
  }
  return [...links].map(([url, text]) => ({ url, text }));
}
