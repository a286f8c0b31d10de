import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';

/** An element of a page, or a text (its name is ""). */
export type HtmlNode = Readonly<{
  /** In lower case. */
  name: string;
  text: string;
  attributes: readonly Readonly<{ name: string; value: string }>[];
  children: HtmlNode[];
}>;

/** Reads HTML as a browser does. Throws when the page has too many elements. */
export function parseHtml(html: string): Readonly<{ title: string; body: HtmlNode }> {
  const body = toNode('body');
  let title = '';
  const open: [DefaultTreeAdapterTypes.Node, HtmlNode, number][] = [[parseBounded(html), body, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [from, parent, depth] = next;
    if ('value' in from) parent.children.push(toNode('', from.value));
    if (!('childNodes' in from)) continue;
    let target = parent;
    if ('tagName' in from) {
      const [first] = from.childNodes;
      if (from.tagName === 'title' && title === '' && first !== undefined && 'value' in first)
        title = first.value;
      if (IGNORED.has(from.tagName)) continue;
      const isDeep = depth >= MAX_DEPTH;
      const node = isDeep ? toNode('', ' ') : toNode(from.tagName, '', from.attrs);
      parent.children.push(node);
      target = isDeep ? parent : node;
    }
    // Removed from the parser's tree, so its memory can be freed.
    for (const child of from.childNodes.splice(0).reverse()) open.push([child, target, depth + 1]);
  }
  return { title: title.replace(/\s+/g, ' ').trim(), body };
}

export function attributeOf({ attributes }: HtmlNode, name: string): string {
  return attributes.find((attribute) => attribute.name === name)?.value ?? '';
}

export function textOf(node: HtmlNode): string {
  return node.text + node.children.map(textOf).join('');
}

/**
 * The outermost elements with one of these names, in order. The insides of `closed` elements are
 * not searched.
 */
export function findWithin(
  node: HtmlNode,
  names: readonly string[],
  closed: readonly string[] = [],
): HtmlNode[] {
  return node.children.flatMap((child) => {
    if (names.includes(child.name)) return [child];
    return closed.includes(child.name) ? [] : findWithin(child, names, closed);
  });
}

/**
 * Whether a table is only for layout: it has no cells, or its cells contain tables, headings or
 * long text.
 */
export function isLayout(table: HtmlNode): boolean {
  const cells = rowsOf(table).flatMap(cellsOf);
  const isText = cells.every(
    (cell) => findWithin(cell, NOT_IN_CELLS).length === 0 && textOf(cell).length <= LONG_CELL,
  );
  return cells.length === 0 || !isText;
}

/** The table as Markdown without aligned columns; "" for a table without text. */
export function toTableText(table: HtmlNode, toCellText: ToCellText): string {
  const rows = toGrid(table, toCellText).filter((row) => row.some((text) => text !== ''));
  const width = rows.slice(0, 1_000).reduce((widest, { length }) => Math.max(widest, length), 0);
  const pad = (row: readonly string[]) =>
    Array.from({ length: Math.max(width, row.length) }, (_, x) => row[x] ?? '');
  const [first, ...rest] = rows.map((row) => toLine(pad(row)));
  const caption = findWithin(table, ['caption'], ['tr', 'table']).slice(0, 1).map(toCellText);
  const lines = first === undefined ? [] : [first, toLine(pad([]).map(() => '---')), ...rest];
  return [...caption.flatMap((text) => (text === '' ? [] : [text, ''])), ...lines].join('\n');
}

/** Elements whose text is not part of the page's content. */
const IGNORED: ReadonlySet<string> = new Set(
  'button iframe input nav noembed noframes noscript script select style svg title'.split(' '),
);

/**
 * Deeper elements are left out but their text stays, so every function may walk the tree
 * recursively.
 */
const MAX_DEPTH = 100;

/** The most elements of a page. A page of 5 MB has fewer. */
const MAX_ELEMENTS = 500_000;

/**
 * The parser repeats a formatting tag that is never closed in each later paragraph: 30 kB can
 * become 1 GB.
 */
function parseBounded(html: string): DefaultTreeAdapterTypes.Document {
  let elements = 0;
  const createElement: typeof defaultTreeAdapter.createElement = (...args) => {
    if (++elements > MAX_ELEMENTS)
      throw new Error(`the page has more than ${MAX_ELEMENTS} elements`);
    return defaultTreeAdapter.createElement(...args);
  };
  return parse(html, { treeAdapter: { ...defaultTreeAdapter, createElement } });
}

function toNode(name: string, text = '', attributes: HtmlNode['attributes'] = []): HtmlNode {
  return { name, text, attributes, children: [] };
}

type ToCellText = (cell: HtmlNode) => string;

const LONG_CELL = 2_000;

const NOT_IN_CELLS = ['table', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'pre'];

function toLine(texts: readonly string[]): string {
  return `| ${texts.join(' | ')} |`;
}

const MAX_COLUMNS = 200;

/**
 * The most repeats of cells in one table: a page may ask to repeat a cell in millions of places.
 */
const MAX_REPEATS = 20_000;

const MAX_REPEATED = 200;

/**
 * The texts by row and column. A cell that spans several rows or columns is repeated in each, but a
 * title over the whole width is not.
 */
function toGrid(table: HtmlNode, toCellText: ToCellText): readonly (readonly string[])[] {
  const rows = rowsOf(table);
  const grid: string[][] = rows.map(() => []);
  let repeats = 0;
  for (const [y, row] of rows.entries()) {
    const cells = cellsOf(row);
    let x = 0;
    for (const cell of cells) {
      while (grid[y]?.[x] !== undefined) x++;
      const text = toCellText(cell);
      const isTitle = cells.length === 1 && x === 0;
      const repeated = text.length > MAX_REPEATED ? `${text.slice(0, MAX_REPEATED)}…` : text;
      const [height, width] = [
        spanOf(cell, 'rowspan'),
        Math.min(spanOf(cell, 'colspan'), MAX_COLUMNS),
      ];
      for (let at = 0; at < height * width && (at === 0 || ++repeats <= MAX_REPEATS); at++) {
        const across = at % width;
        const line = grid[y + Math.floor(at / width)];
        if (line === undefined) break;
        line[x + across] ??= at === 0 ? text : isTitle && across > 0 ? '' : repeated;
      }
    }
  }
  return grid;
}

/**
 * The number of rows or columns that a cell spans. A rowspan of zero means to the end of the table.
 */
function spanOf(cell: HtmlNode, name: string): number {
  const span = Number.parseInt(attributeOf(cell, name), 10);
  return span === 0 && name === 'rowspan' ? Number.POSITIVE_INFINITY : Math.max(1, span || 1);
}

function rowsOf(table: HtmlNode): readonly HtmlNode[] {
  return findWithin(table, ['tr'], ['table']);
}

function cellsOf(row: HtmlNode): readonly HtmlNode[] {
  return findWithin(row, ['td', 'th'], ['table']);
}

/** Superscript in plain text: "10^23", which would otherwise read 1023. */
export function superscript(text: string): string {
  const inner = text.trim();
  // Footnote marks are not part of the text, and "1st" is not a power.
  if (inner === '' || /^\[|^(st|nd|rd|th)$|^[®™*†‡°]+$/i.test(inner)) return text;
  return `^${bracket(inner)}`;
}

/** Subscript in plain text: "H_2O". */
export function subscript(text: string): string {
  const inner = text.trim();
  return inner === '' ? text : `_${bracket(inner)}`;
}

/**
 * A formula in TeX, which most pages have beside their MathML, else in one line: "x^2", "(a/b)".
 */
export function toMathText(node: HtmlNode): string {
  const [annotation] = findWithin(node, ['annotation']);
  if (annotation !== undefined) {
    const tex = textOf(annotation).trim();
    return /^\{\\displaystyle(.*)\}$/s.exec(tex)?.[1]?.trim() ?? tex;
  }
  const parts = node.children.filter(({ name }) => name !== '').map(toMathText);
  // These invisible characters mean "apply this function" and "times".
  if (parts.length === 0) return textOf(node).replace(/[\s\u2061-\u2064]+/g, '');
  const signs = SIGNS.get(node.name);
  if (signs === undefined)
    return node.name === 'msqrt' ? `sqrt(${parts.join('')})` : parts.join('');
  const joined = parts.map((part, index) => (signs[index - 1] ?? '') + bracket(part)).join('');
  return node.name === 'mfrac' ? `(${joined})` : joined;
}

/** The text between the parts of an element. */
const SIGNS: ReadonlyMap<string, string> = new Map([
  ...['msup', 'mover'].map((name) => [name, '^'] as const),
  ...['msub', 'munder'].map((name) => [name, '_'] as const),
  ...['msubsup', 'munderover'].map((name) => [name, '_^'] as const),
  ['mfrac', '/'],
]);

/** Puts brackets around everything but a plain number, word or sign. */
function bracket(text: string): string {
  return /^([+\-−–]?\d+([.,]\d+)?[+\-−–]?|\p{L}+|.)$/u.test(text) ? text : `(${text})`;
}
