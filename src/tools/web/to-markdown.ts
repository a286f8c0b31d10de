import { createDocument, type Document, type DomNode } from '@mixmark-io/domino';
import Turndown, { type Rule } from 'turndown';
import { subscript, superscript, toMathText } from './formulas.ts';
import { createTableRules } from './tables.ts';

/** The content of a page without its navigation, and the targets of its links. */
export type HtmlText = Readonly<{
  title: string;
  /** Markdown without the targets of links. */
  text: string;
  links: readonly Readonly<{ text: string; url: string }>[];
}>;

/**
 * HTML as Markdown for a model. Links become their text, tables remain tables, superscripts are
 * marked.
 */
export function toMarkdown(html: string): string {
  return render(parsePage(html).page);
}

export function toHtmlText(html: string, base: string): HtmlText {
  const { title, page } = parsePage(html);
  return { title, text: render(page), links: readLinks(page, base) };
}

/** What is not part of the page's content. */
const IGNORED: ReadonlySet<string> = new Set(
  'BUTTON IFRAME INPUT NAV NOEMBED NOFRAMES NOSCRIPT SCRIPT SELECT STYLE TITLE svg #comment'.split(
    ' ',
  ),
);

/** turndown walks trees recursively. Deeper elements are left out, but their text stays. */
const MAX_DEPTH = 100;

/** The title of a page, and a copy of its content that can be walked. */
function parsePage(html: string): Readonly<{ title: string; page: DomNode }> {
  const document = createDocument(html, true);
  const page = document.createElement('div');
  const open: [DomNode, DomNode, number][] = [[document.documentElement, page, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [from, parent, depth] = next;
    if (isFormula(from)) parent.appendChild(document.createTextNode(from.textContent));
    if (IGNORED.has(from.nodeName) || isDrawn(from)) continue;
    const copy = copyNode(document, from, depth >= MAX_DEPTH);
    parent.appendChild(copy);
    const target = copy.nodeType === ELEMENT ? copy : parent;
    for (let child = from.lastChild; child !== null; child = child.previousSibling)
      open.push([child, target, depth + 1]);
  }
  return { title: document.title, page };
}

/** MathJax 2 keeps the TeX of a formula in a script. */
function isFormula(node: DomNode): boolean {
  return node.nodeName === 'SCRIPT' && /^math\/tex/.test(node.getAttribute('type') ?? '');
}

/** Whether an element is the drawing of a formula whose TeX or MathML stands beside it. */
function isDrawn(node: DomNode): boolean {
  if (node.nodeType !== ELEMENT) return false;
  const classes = node.getAttribute('class') ?? '';
  // MathJax and KaTeX may leave the MathML out.
  if (/^(?:MJX-MATH|NOBR)$/.test(node.nodeName) || /(?:^|\s)katex-html(?:\s|$)/.test(classes))
    return node.parentNode?.querySelector('math') !== undefined;
  return isMathJax(node) && hasSource(node);
}

/** Whether the TeX of MathJax 2 follows its preview and its drawing. */
function hasSource(drawing: DomNode): boolean {
  let next = drawing.nextSibling;
  for (let i = 0; i < 4 && next !== null; i++) {
    if (isFormula(next)) return true;
    next = isMathJax(next) || next.textContent.trim() === '' ? next.nextSibling : null;
  }
  return false;
}

function isMathJax(node: DomNode): boolean {
  return (
    /^(?:SPAN|DIV)$/.test(node.nodeName) && /(?:^|\s)MathJax/.test(node.getAttribute('class') ?? '')
  );
}

const ELEMENT = 1;

/** Elements that turndown takes for parts of a line. */
const BLOCKS: ReadonlySet<string> = new Set('DETAILS LABEL LEGEND MENU SUMMARY'.split(' '));

function copyNode(document: Document, node: DomNode, isDeep: boolean): DomNode {
  // A no-break space would hide words from a search.
  const text = node.nodeType === ELEMENT ? ' ' : (node.data ?? '').replaceAll('\u00a0', ' ');
  if (node.nodeType !== ELEMENT || isDeep) return document.createTextNode(text);
  return BLOCKS.has(node.nodeName) ? document.createElement('div') : node.cloneNode();
}

const MAX_LINKS = 2_000;

/** The first link to each address. */
function readLinks(page: DomNode, base: string): HtmlText['links'] {
  const links = new Map<string, string>();
  for (const link of Array.from(page.querySelectorAll('a'))) {
    const url = URL.parse(link.getAttribute('href') ?? '', base);
    const text = link.textContent.replace(/\s+/g, ' ').trim().slice(0, 200);
    const isNew = url?.protocol.startsWith('http') === true && !links.has(url.href);
    if (isNew && text !== '' && links.size < MAX_LINKS) links.set(url.href, text);
  }
  return [...links].map(([url, text]) => ({ url, text }));
}

function render(page: DomNode): string {
  const turndown = new Turndown({ hr: '---' });
  // A model reads plain text: "Prices_2024", not "Prices\\_2024".
  turndown.escape = (text) => text;
  const rules = { ...RULES, item: createItemRule(), ...createTableRules() };
  for (const [name, rule] of Object.entries(rules)) turndown.addRule(name, rule);
  return turndown.turndown(page);
}

/** What marks text of one line: turndown would mark paragraphs too. */
const MARKS: Readonly<Record<string, (text: string) => string>> = {
  b: (text) => `**${text}**`,
  strong: (text) => `**${text}**`,
  i: (text) => `_${text}_`,
  em: (text) => `_${text}_`,
  s: (text) => `~~${text}~~`,
  del: (text) => `~~${text}~~`,
  strike: (text) => `~~${text}~~`,
  sup: superscript,
  sub: subscript,
};

const RULES: Readonly<Record<string, Rule>> = {
  mark: {
    filter: Object.keys(MARKS),
    replacement: (content, { nodeName }) =>
      content.trim() === '' || content.includes('\n')
        ? content
        : (MARKS[nodeName.toLowerCase()]?.(content) ?? content),
  },
  link: { filter: 'a', replacement: (content) => content },
  break: {
    filter: 'br',
    // turndown would join two line breaks to one.
    replacement: (_, { previousSibling }) => (previousSibling?.nodeName === 'BR' ? '\n\n' : '\n'),
  },
  heading: {
    filter: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
    replacement: (content, { nodeName }) => {
      const text = content.trim().replace(/\n+/g, ' ');
      return text === '' ? '' : `\n\n${'#'.repeat(Number(nodeName[1]))} ${text}\n\n`;
    },
  },
  preformatted: {
    filter: 'pre',
    replacement: (_, node) => {
      for (const part of Array.from(node.querySelectorAll('br, img, math, sub, sup')))
        part.textContent = RAW[part.nodeName]?.(part) ?? '';
      // Some highlighters put each line into a block of its own.
      for (const line of Array.from(node.querySelectorAll('div, p, li, tr'))) {
        const before = line.previousSibling?.textContent ?? '\n';
        const begin = before.endsWith('\n') ? '' : '\n';
        const end = line.textContent.endsWith('\n') ? '' : '\n';
        line.textContent = `${begin}${line.textContent}${end}`;
      }
      const text = node.textContent.replace(/^\n+/, '').trimEnd();
      const ticks = (text.match(/`{3,}/g) ?? []).map(({ length }) => length + 1);
      const fence =
        node.querySelector('code') === undefined ? '' : '`'.repeat(Math.max(3, ...ticks));
      return fence === '' ? `\n\n${text}\n\n` : `\n\n${fence}\n${text}\n${fence}\n\n`;
    },
  },
  // turndown's own rule puts an empty line before a list in a list.
  list: {
    filter: ['ul', 'ol'],
    replacement: (content, { parentNode }) => {
      const breaks = parentNode?.nodeName === 'LI' ? '\n' : '\n\n';
      return `${breaks}${content.trim()}${breaks}`;
    },
  },
  image: { filter: 'img', replacement: (_, node) => describeImage(node) },
  formula: { filter: 'math', replacement: (_, node) => toMathText(node) },
};

/** What preformatted text has beside characters, by the names of elements. */
const RAW: Readonly<Record<string, (node: DomNode) => string>> = {
  BR: () => '\n',
  IMG: describeImage,
  math: toMathText,
  SUB: ({ textContent }) => subscript(textContent),
  SUP: ({ textContent }) => superscript(textContent),
};

/** turndown's own rule counts all items again for each. */
function createItemRule(): Rule {
  const numbers = new WeakMap<DomNode, number>();
  return {
    filter: 'li',
    replacement: (content, { parentNode }) => {
      const text = content.trim().replace(/\n(?=.)/g, '\n  ');
      if (text === '') return '';
      if (parentNode?.nodeName !== 'OL') return `\n* ${text}\n`;
      const start = Number.parseInt(parentNode.getAttribute('start') ?? '', 10);
      const number = numbers.get(parentNode) ?? (Number.isNaN(start) ? 1 : start);
      numbers.set(parentNode, number + 1);
      return `\n${number}. ${text}\n`;
    },
  };
}

/**
 * The description of a picture. The picture of a formula is left out, because the formula follows
 * as MathML.
 */
function describeImage(image: DomNode): string {
  const label = image.getAttribute('alt')?.trim() ?? '';
  const isMath = /\bmwe-math-fallback/.test(image.getAttribute('class') ?? '');
  return label === '' || isMath ? '' : `[image: ${label}]`;
}
