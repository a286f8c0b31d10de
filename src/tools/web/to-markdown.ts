import { parentPort, workerData } from 'node:worker_threads';
import {
  attributeOf,
  findWithin,
  type HtmlNode,
  isLayout,
  isLine,
  lower,
  parseHtml,
  raise,
  textOf,
  toMathText,
  toRowText,
  toTableText,
} from './html.ts';

/** What a page says, without its navigation, and where its links lead. */
export type HtmlText = {
  readonly title: string;
  /** Markdown without the targets of links. */
  readonly text: string;
  readonly links: readonly { readonly text: string; readonly url: string }[];
};

/** HTML as Markdown for a model: links leave their text, tables stay tables, superscripts are marked. */
export function toMarkdown(html: string): string {
  return render(parseHtml(html).body, {}).text.trim();
}

/** What this module does when it is the program of a thread. */
export type HtmlRequest = { readonly html: string; readonly base: string };

function toHtmlText({ html, base }: HtmlRequest): HtmlText {
  const { title, body } = parseHtml(html);
  return { title, text: render(body, {}).text.trim(), links: readLinks(body, base) };
}

const MAX_LINKS = 2_000;

/** The first link to each address. */
function readLinks(page: HtmlNode, base: string): HtmlText['links'] {
  const links = new Map<string, string>();
  for (const link of findWithin(page, ['a'])) {
    const url = URL.parse(attributeOf(link, 'href'), base);
    const text = textOf(link).replace(/\s+/g, ' ').trim().slice(0, 200);
    const isNew = url?.protocol.startsWith('http') === true && !links.has(url.href);
    if (isNew && text !== '' && links.size < MAX_LINKS) links.set(url.href, text);
  }
  return [...links].map(([url, text]) => ({ url, text }));
}

/** What is around an element. */
type Context = {
  /** The cell of a table, which takes one line: bold text, headings and lists get no marks. */
  readonly inCell?: boolean;
  /** Preformatted text, whose white space stays as it is. */
  readonly inPre?: boolean;
  /** A numbered list; counts its items. */
  readonly list?: { next: number };
};

function render(node: HtmlNode, context: Context): TextFlow {
  const flow = new TextFlow();
  writeChildren(node, flow, context);
  return flow;
}

type Writer = (node: HtmlNode, flow: TextFlow, context: Context) => void;

const writeChildren: Writer = (node, flow, context) => {
  for (const child of node.children) {
    const { name } = child;
    const breaks = PARAGRAPHS.has(name) ? (context.inCell ? 1 : 2) : LINES.has(name) ? 1 : 0;
    const writer = WRITERS.get(name) ?? (context.inCell ? undefined : MARKDOWN_WRITERS.get(name)) ?? writeChildren;
    flow.break(breaks);
    writer(child, flow, context);
    flow.break(breaks);
  }
};

/** Elements with an empty line before and after them. */
const PARAGRAPHS: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote caption center dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 ' +
    'h5 h6 header hr main menu p pre section table tbody td tfoot th thead'
  ).split(' '),
);

/** Elements that begin and end a line. */
const LINES: ReadonlySet<string> = new Set('details label legend li ol option summary tr ul'.split(' '));

/** How elements are written that look the same in the cell of a table. */
const WRITERS: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  // A text.
  ['', ({ text }, flow, { inPre }) => (inPre ? flow.put(text) : flow.add(text))],
  ['br', (_, flow) => flow.breakLine()],
  ['img', (node, flow) => flow.add(describeImage(node))],
  ['math', (node, flow) => flow.put(toMathText(node))],
  ['sup', (node, flow, context) => flow.append(render(node, context), raise)],
  ['sub', (node, flow, context) => flow.append(render(node, context), lower)],
  ['s', surround('~~')],
  ['del', surround('~~')],
  ['strike', surround('~~')],
]);

/** How the other elements are written that Markdown has a form for. */
const MARKDOWN_WRITERS: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  ['b', surround('**')],
  ['strong', surround('**')],
  ['i', surround('_')],
  ['em', surround('_')],
  ['code', (node, flow, context) => (context.inPre ? writeChildren : surround('`'))(node, flow, context)],
  ...[1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, writeHeading(level)] as const),
  ['ul', (node, flow) => writeChildren(node, flow, {})],
  ['ol', (node, flow) => writeChildren(node, flow, { list: { next: startOf(node) } })],
  ['li', writeItem],
  ['blockquote', (node, flow) => flow.put(render(node, {}).text.replace(/^(?=.)/gm, '> '))],
  ['hr', (_, flow) => flow.put('---')],
  ['pre', writePreformatted],
  ['table', writeUnless(isLayout, (table) => toTableText(table, toCellText))],
  [
    'tr',
    writeUnless(
      (row) => !isLine(row),
      (row) => toRowText(row, toCellText),
    ),
  ],
]);

function surround(mark: string): Writer {
  return (node, flow, context) => flow.append(render(node, context), (text) => mark + text + mark);
}

function writeUnless(isPlain: (node: HtmlNode) => boolean, toText: (node: HtmlNode) => string): Writer {
  return (node, flow, context) => {
    if (isPlain(node)) writeChildren(node, flow, context);
    else flow.put(toText(node));
  };
}

function writeHeading(level: number): Writer {
  return (node, flow, context) => {
    const text = render(node, context).text.replace(/\n+/g, ' ');
    if (text !== '') flow.put(`${'#'.repeat(level)} ${text}`);
  };
}

function writeItem(node: HtmlNode, flow: TextFlow, { list }: Context): void {
  const marker = list === undefined ? '*' : `${list.next++}.`;
  const text = render(node, {}).text.replace(/\n(?=.)/g, '\n  ');
  if (text !== '') flow.put(`${marker} ${text}`);
}

/** Programs get a fence. */
function writePreformatted(node: HtmlNode, flow: TextFlow): void {
  const text = render(node, { inPre: true }).text.trimEnd();
  flow.put(findWithin(node, ['code']).length === 0 ? text : `\`\`\`\n${text}\n\`\`\``);
}

/** The text of a cell in one line, with " / " between the lines that it has on the page. */
function toCellText(cell: HtmlNode): string {
  return render(cell, { inCell: true }).text.replace(/\n+/g, ' / ').replaceAll('|', '\\|');
}

/** The description of a picture. A picture of a formula is left out: the formula follows as MathML. */
function describeImage(image: HtmlNode): string {
  const label = attributeOf(image, 'alt').trim();
  const isMath = /\bmwe-math-fallback/.test(attributeOf(image, 'class'));
  return label === '' || isMath ? '' : `[image: ${label}]`;
}

function startOf(list: HtmlNode): number {
  const start = Number.parseInt(attributeOf(list, 'start'), 10);
  return Number.isNaN(start) ? 1 : start;
}

/** Text that is built piece by piece. Spaces and line breaks wait until something follows them. */
class TextFlow {
  readonly #parts: string[] = [];
  #breaks = 0;
  #space = '';
  /** What came before the first piece. */
  #first = { breaks: 0, space: '' };

  get text(): string {
    return this.#parts.join('');
  }

  /** At least so many line breaks before what follows: two leave an empty line. */
  break(count: number): void {
    this.#breaks = Math.max(this.#breaks, count);
  }

  /** One more line break, but never two empty lines. */
  breakLine(): void {
    this.#breaks = Math.min(this.#breaks + 1, 2);
  }

  /** Text whose runs of white space are one space each. */
  add(text: string): void {
    const content = text.replace(/\s+/g, ' ');
    if (content.startsWith(' ')) this.#space = ' ';
    if (content.trim() === '') return;
    this.put(content.trim());
    if (content.endsWith(' ')) this.#space = ' ';
  }

  /** Text as it is. */
  put(text: string): void {
    if (text === '') return;
    if (this.#parts.length === 0) this.#first = { breaks: this.#breaks, space: this.#space };
    else this.#parts.push('\n'.repeat(this.#breaks) || this.#space);
    this.#parts.push(text);
    this.#breaks = 0;
    this.#space = '';
  }

  /** What another flow holds, with the breaks and spaces around it. Text of more than one line is not marked. */
  append(inner: TextFlow, mark: (text: string) => string): void {
    const { text } = inner;
    this.break(inner.#first.breaks);
    this.#space ||= inner.#first.space;
    this.put(text === '' || text.includes('\n') ? text : mark(text));
    this.break(inner.#breaks);
    this.#space ||= inner.#space;
  }
}

// At the end, when the tables above are there.
if (typeof workerData?.html === 'string') parentPort?.postMessage(toHtmlText(workerData));
