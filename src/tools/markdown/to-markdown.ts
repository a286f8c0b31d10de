import { NodeHtmlMarkdown, type TranslatorConfigObject } from 'node-html-markdown';
import { describeImage, IGNORED, type OnLink } from './cell-text.ts';
import { closeRows } from './close-rows.ts';
import type { DomNode } from './dom-node.ts';
import { toMathText } from './math.ts';
import { lower, raise } from './raised.ts';
import { isLayout, isLine, toRowText, toTableText } from './table.ts';

const NOTHING = /(?!)/g;

/** HTML as Markdown for a model: links leave their text, tables stay tables, and what is raised is marked. */
export function toMarkdown(html: string, onLink: OnLink = () => {}): string {
  const options = {
    ignore: [...IGNORED],
    // Backslashes before marks would become part of answers.
    globalEscape: [NOTHING, ''] as const,
    lineStartEscape: [NOTHING, ''] as const,
    maxConsecutiveNewlines: 2,
  };
  return NodeHtmlMarkdown.translate(closeRows(html), options, toTranslators(onLink), MARKS).trim();
}

const MARKS: TranslatorConfigObject = {
  sup: { postprocess: ({ content }) => raise(content) },
  sub: { postprocess: ({ content }) => lower(content) },
};

function toTranslators(onLink: OnLink): TranslatorConfigObject {
  return {
    ...MARKS,
    a: ({ node }) => {
      onLink(node);
      return {};
    },
    img: ({ node }) => ({ content: describeImage(node) }),
    math: ({ node }) => ({ content: toMathText(node) }),
    table: ({ node }) =>
      isLayout(node) ? { surroundingNewlines: 2 } : { surroundingNewlines: 2, content: toTableText(node, onLink) },
    tr: ({ node }) => (isLine(node) ? { surroundingNewlines: 1, content: toRowText(node, onLink) } : {}),
    ol: ({ node, listKind, visitor }) => {
      setStart(node, visitor.nodeMetadata.get(node));
      return { surroundingNewlines: listKind === undefined ? 2 : 1 };
    },
    'summary,legend,label,option,details': { surroundingNewlines: 1 },
  };
}

/** The converter counts from 1 unless it finds another number there. */
function setStart(list: DomNode, counter: { listItemNumber?: number } | undefined): void {
  const start = Number.parseInt(list.getAttribute?.('start') ?? '', 10);
  if (counter !== undefined && Number.isSafeInteger(start)) counter.listItemNumber = start - 1;
}
