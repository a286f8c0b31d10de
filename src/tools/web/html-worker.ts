import { parentPort, workerData } from 'node:worker_threads';
import { NodeHtmlMarkdown, type TranslatorConfigObject } from 'node-html-markdown';
import { decodeEntities } from './html-entities.ts';
import type { HtmlRequest, HtmlText } from './html-text.ts';

/* The thread in which `toHtmlText` converts one page. */

const NOTHING = /(?!)/g;
const MAX_LINKS = 2_000;

/** Elements that hold no text of the page itself. */
const IGNORED = [
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'iframe',
  'nav',
  'button',
  'select',
  'input',
  'head',
];

const request: HtmlRequest = workerData;
parentPort?.postMessage(convert(request));

function convert({ html, base }: HtmlRequest): HtmlText {
  const links = new Map<string, string>();
  const options = {
    ignore: IGNORED,
    // Backslashes before marks would become part of answers.
    globalEscape: [NOTHING, ''] as const,
    lineStartEscape: [NOTHING, ''] as const,
    maxConsecutiveNewlines: 2,
  };
  const text = narrowTables(NodeHtmlMarkdown.translate(html, options, toTranslators(base, links)).trim());
  return { title: findTitle(html), text, links: [...links].map(([url, label]) => ({ url, text: label })) };
}

/** The converter aligns columns: one long cell would fill its whole column with blanks. */
function narrowTables(markdown: string): string {
  return markdown.replace(/^\|.*$/gm, (row) => row.replace(/ {2,}/g, ' ').replace(/-{4,}/g, '---'));
}

/** Links are collected and leave their text; of a picture its description stays. */
function toTranslators(base: string, links: Map<string, string>): TranslatorConfigObject {
  return {
    a: ({ node }) => {
      const url = URL.parse(node.getAttribute('href') ?? '', base);
      const label = (node.textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, 200);
      const isNew = url?.protocol.startsWith('http') === true && !links.has(url.href);
      if (isNew && label !== '' && links.size < MAX_LINKS) links.set(url.href, label);
      return {};
    },
    img: ({ node }) => {
      const label = node.getAttribute('alt')?.trim() ?? '';
      return label === '' ? { ignore: true } : { content: `[image: ${label}]` };
    },
  };
}

function findTitle(html: string): string {
  const start = html.search(/<title[\s>]/i);
  const open = start === -1 ? -1 : html.indexOf('>', start);
  const close = open === -1 ? -1 : html.indexOf('<', open);
  if (close === -1) return '';
  const title = html.slice(open + 1, Math.min(close, open + 1_000));
  return decodeEntities(title.replace(/\s+/g, ' ').trim());
}
