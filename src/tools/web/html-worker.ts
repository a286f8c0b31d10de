import { parentPort, workerData } from 'node:worker_threads';
import { NodeHtmlMarkdown, type TranslatorConfigObject } from 'node-html-markdown';
import type { HtmlPiece, HtmlRequest } from './html-text.ts';

/* The thread in which `toHtmlText` converts the pieces of one page. */

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

const { pieces, base }: HtmlRequest = workerData;
for (const piece of pieces) parentPort?.postMessage(convert(piece));

function convert(html: string): HtmlPiece {
  const links = new Map<string, string>();
  const options = {
    ignore: IGNORED,
    // Backslashes before marks would become part of answers.
    globalEscape: [NOTHING, ''] as const,
    lineStartEscape: [NOTHING, ''] as const,
    maxConsecutiveNewlines: 2,
  };
  const text = narrowTables(NodeHtmlMarkdown.translate(html, options, toTranslators(links)).trim());
  return { text, links: [...links].map(([url, label]) => ({ url, text: label })) };
}

/** The converter aligns columns: one long cell would fill its whole column with blanks. */
function narrowTables(markdown: string): string {
  return markdown.replace(/^\|.*$/gm, (row) => row.replace(/ {2,}/g, ' ').replace(/-{4,}/g, '---'));
}

/** Links are collected and leave their text; of a picture its description stays. */
function toTranslators(links: Map<string, string>): TranslatorConfigObject {
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
