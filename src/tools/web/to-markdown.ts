import {
  attributeOf,
  findWithin,
  type HtmlNode,
  isLayout,
  parseHtml,
  subscript,
  superscript,
  textOf,
  toMathText,
  toTableText,
} from './html.ts';

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
  return render(parseHtml(html).body, {});
}

export function toHtmlText(html: string, base: string): HtmlText {
  const { title, body } = parseHtml(html);
  return { title, text: render(body, {}), links: readLinks(body, base) };
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

/** The context of an element. */
type Context = Readonly<{
  /**
   * Whether it is in the cell of a table. A cell is one line: bold text, headings and lists get no
   * marks.
   */
  inCell?: boolean;
  /** Whether it is in preformatted text, whose white space remains as it is. */
  inPre?: boolean;
  /** The next number of a numbered list. */
  list?: { next: number };
}>;

/** Text whose white space may change, raw text, or line breaks: at least this many, or one more. */
type Piece = string | { readonly raw: string } | { readonly breaks: 1 | 2 | 'more' };

type Writer = (node: HtmlNode, context: Context) => readonly Piece[];

function render(node: HtmlNode, context: Context): string {
  return join(write(node, context)).trim();
}

/**
 * Joins pieces. Spaces and line breaks are written only if text follows them. There are never two
 * empty lines in a row.
 */
function join(pieces: readonly Piece[]): string {
  let text = '';
  let breaks = 0;
  let space = '';
  for (const piece of pieces) {
    if (typeof piece !== 'string' && 'breaks' in piece) {
      breaks = piece.breaks === 'more' ? Math.min(breaks + 1, 2) : Math.max(breaks, piece.breaks);
      continue;
    }
    const content = typeof piece === 'string' ? piece.replace(/\s+/g, ' ') : piece.raw;
    const shown = typeof piece === 'string' ? content.trim() : content;
    if (content.startsWith(' ')) space = ' ';
    if (shown === '') continue;
    text += (text === '' ? '' : '\n'.repeat(breaks) || space) + shown;
    breaks = 0;
    space = content.endsWith(' ') ? ' ' : '';
  }
  return text;
}

const write: Writer = (node, context) =>
  node.children.flatMap((child) => {
    const { name } = child;
    const breaks = PARAGRAPHS.has(name) ? (context.inCell ? 1 : 2) : LINES.has(name) ? 1 : 0;
    const writer =
      WRITERS.get(name) ?? (context.inCell ? undefined : MARKDOWN_WRITERS.get(name)) ?? write;
    const pieces = writer(child, context);
    return breaks === 0 ? pieces : [{ breaks }, ...pieces, { breaks }];
  });

/** Elements with an empty line before and after. */
const PARAGRAPHS: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote caption center dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 ' +
    'h5 h6 header hr main menu p pre section table tbody td tfoot th thead'
  ).split(' '),
);

/** Elements that begin and end a line. */
const LINES: ReadonlySet<string> = new Set(
  'details label legend li ol option summary tr ul'.split(' '),
);

/** The writers of elements that look the same in the cell of a table. */
const WRITERS: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  // A text.
  ['', ({ text }, { inPre }) => [inPre ? { raw: text } : text]],
  ['br', () => [{ breaks: 'more' }]],
  ['img', (node) => [describeImage(node)]],
  ['math', (node) => [{ raw: toMathText(node) }]],
  ['sup', mark(superscript)],
  ['sub', mark(subscript)],
  ...['s', 'del', 'strike'].map((name) => [name, mark((text) => `~~${text}~~`)] as const),
]);

/** The writers of the other elements for which Markdown has a form. */
const MARKDOWN_WRITERS: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  ...['b', 'strong'].map((name) => [name, mark((text) => `**${text}**`)] as const),
  ...['i', 'em'].map((name) => [name, mark((text) => `_${text}_`)] as const),
  [
    'code',
    (node, context) => (context.inPre ? write : mark((text) => `\`${text}\``))(node, context),
  ],
  ...[1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, writeHeading(level)] as const),
  ['ul', (node) => write(node, {})],
  ['ol', (node) => write(node, { list: { next: startOf(node) } })],
  ['li', writeItem],
  ['blockquote', (node) => [{ raw: render(node, {}).replace(/^(?=.)/gm, '> ') }]],
  ['hr', () => [{ raw: '---' }]],
  ['pre', writePreformatted],
  [
    'table',
    (node, context) =>
      isLayout(node) ? write(node, context) : [{ raw: toTableText(node, toCellText) }],
  ],
]);

/** Marks text of one line. */
function mark(change: (text: string) => string): Writer {
  return (node, context) => {
    const pieces = write(node, context);
    const text = join(pieces);
    if (text === '' || pieces.some((piece) => typeof piece !== 'string' && 'breaks' in piece))
      return pieces;
    const first = pieces[0];
    const last = pieces.at(-1);
    const isSpace = (piece: Piece | undefined, where: RegExp) =>
      typeof piece === 'string' && where.test(piece);
    return [
      isSpace(first, /^\s/) ? ' ' : '',
      { raw: change(text) },
      isSpace(last, /\s$/) ? ' ' : '',
    ];
  };
}

function writeHeading(level: number): Writer {
  return (node, context) => {
    const text = render(node, context).replace(/\n+/g, ' ');
    return text === '' ? [] : [{ raw: `${'#'.repeat(level)} ${text}` }];
  };
}

function writeItem(node: HtmlNode, { list }: Context): readonly Piece[] {
  const marker = list === undefined ? '*' : `${list.next++}.`;
  const text = render(node, {}).replace(/\n(?=.)/g, '\n  ');
  return text === '' ? [] : [{ raw: `${marker} ${text}` }];
}

/** Program code gets a fence. */
function writePreformatted(node: HtmlNode): readonly Piece[] {
  const text = join(write(node, { inPre: true })).trimEnd();
  return [{ raw: findWithin(node, ['code']).length === 0 ? text : `\`\`\`\n${text}\n\`\`\`` }];
}

/** The text of a cell in one line, with " / " in place of its line breaks. */
function toCellText(cell: HtmlNode): string {
  return render(cell, { inCell: true }).replace(/\n+/g, ' / ').replaceAll('|', '\\|');
}

/**
 * The description of a picture. The picture of a formula is left out, because the formula follows
 * as MathML.
 */
function describeImage(image: HtmlNode): string {
  const label = attributeOf(image, 'alt').trim();
  const isMath = /\bmwe-math-fallback/.test(attributeOf(image, 'class'));
  return label === '' || isMath ? '' : `[image: ${label}]`;
}

function startOf(list: HtmlNode): number {
  const start = Number.parseInt(attributeOf(list, 'start'), 10);
  return Number.isNaN(start) ? 1 : start;
}
