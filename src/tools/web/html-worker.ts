import { parentPort, workerData } from 'node:worker_threads';
import type { DomNode } from '../markdown/dom-node.ts';
import { toMarkdown } from '../markdown/to-markdown.ts';
import type { HtmlPiece, HtmlRequest } from './html-text.ts';

/* The thread in which `toHtmlText` converts the pieces of one page. */

const MAX_LINKS = 2_000;

const { pieces, base }: HtmlRequest = workerData;
for (const piece of pieces) parentPort?.postMessage(convert(piece));

function convert(html: string): HtmlPiece {
  const links = new Map<string, string>();
  const text = toMarkdown(html, (link) => addLink(links, link));
  return { text, links: [...links].map(([url, label]) => ({ url, text: label })) };
}

function addLink(links: Map<string, string>, node: DomNode): void {
  const url = URL.parse(node.getAttribute?.('href') ?? '', base);
  const label = (node.textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, 200);
  const isNew = url?.protocol.startsWith('http') === true && !links.has(url.href);
  if (isNew && label !== '' && links.size < MAX_LINKS) links.set(url.href, label);
}
