import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';

/** An element of a page, or a text (its name is ""). */
export type HtmlNode = {
  /** In lower case. */
  readonly name: string;
  readonly text: string;
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
  readonly children: HtmlNode[];
};

export type HtmlPage = { readonly title: string; readonly body: HtmlNode };

/** Elements whose text is not part of what the page says. */
const IGNORED: ReadonlySet<string> = new Set(
  'button iframe input nav noembed noframes noscript script select style svg title'.split(' '),
);

/** Deeper elements are left out and their text is kept, so that every walk over the tree may be recursive. */
const MAX_DEPTH = 100;

/** A page of 5 MB has fewer. */
const MAX_ELEMENTS = 500_000;

/** Reads HTML as a browser does. Throws when the page has too many elements. */
export function parseHtml(html: string): HtmlPage {
  const body = toElement('body');
  let title = '';
  const open: [DefaultTreeAdapterTypes.Node, HtmlNode, number][] = [[parseBounded(html), body, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [from, parent, depth] = next;
    if ('value' in from) parent.children.push({ ...toElement(''), text: from.value });
    if (!('childNodes' in from)) continue;
    let target = parent;
    if ('tagName' in from) {
      const [first] = from.childNodes;
      if (from.tagName === 'title' && title === '' && first !== undefined && 'value' in first) title = first.value;
      if (IGNORED.has(from.tagName)) continue;
      target = depth < MAX_DEPTH ? toElement(from.tagName, from.attrs) : parent;
      if (target === parent) parent.children.push({ ...toElement(''), text: ' ' });
      else parent.children.push(target);
    }
    // Taken out of the parser's tree, so that its memory can be freed.
    for (const child of from.childNodes.splice(0).reverse()) open.push([child, target, depth + 1]);
  }
  return { title: title.replace(/\s+/g, ' ').trim(), body };
}

function toElement(name: string, attributes: HtmlNode['attributes'] = []): HtmlNode {
  return { name, text: '', attributes, children: [] };
}

/** A formatting tag that is never closed is repeated in each paragraph that follows: 30 kB can become 1 GB. */
function parseBounded(html: string): DefaultTreeAdapterTypes.Document {
  let elements = 0;
  const createElement: typeof defaultTreeAdapter.createElement = (...args) => {
    if (++elements > MAX_ELEMENTS) throw new Error(`the page has more than ${MAX_ELEMENTS} elements`);
    return defaultTreeAdapter.createElement(...args);
  };
  return parse(html, { treeAdapter: { ...defaultTreeAdapter, createElement } });
}

export function attributeOf({ attributes }: HtmlNode, name: string): string {
  return attributes.find((attribute) => attribute.name === name)?.value ?? '';
}

export function textOf(node: HtmlNode): string {
  return node.text + node.children.map(textOf).join('');
}

/** The outermost elements with one of these names, in their order. Elements of `closed` are not searched. */
export function findWithin(
  node: HtmlNode,
  names: readonly string[],
  closed: readonly string[] = [],
): readonly HtmlNode[] {
  return node.children.flatMap((child) => {
    if (names.includes(child.name)) return [child];
    return closed.includes(child.name) ? [] : findWithin(child, names, closed);
  });
}
