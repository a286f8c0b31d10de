const PIECE = 15_000;

/** Above this a table or list is cut between its rows too: a large one may be the whole page. */
const LARGE_PIECE = 60_000;

/**
 * Cuts a page into pieces that can be read one by one, before blocks, tables and lists: the converter's time grows with
 * the square of what it is given. Comments, scripts and the like are left out. Linear in whatever it is given.
 */
export function splitHtml(page: string): readonly string[] {
  const html = removeUnread(page);
  const pieces: string[] = [];
  const open = new Map<string, number>();
  let start = 0;
  let prefix = '';
  const cutAt = (end: number, next: string) => {
    pieces.push(prefix + html.slice(start, end));
    start = end;
    prefix = next;
  };
  for (const { index, 1: slash, 2: word = '' } of html.matchAll(TAG)) {
    const name = word.toLowerCase();
    const size = index - start;
    const inside = WHOLE.some((whole) => (open.get(whole) ?? 0) > 0);
    if (slash === '' && size > PIECE && !inside && !ROWS.has(name)) cutAt(index, '');
    else if (slash === '' && size > LARGE_PIECE && ROWS.has(name)) cutAt(index, ROWS.get(name) ?? '');
    if (WHOLE.includes(name)) open.set(name, Math.max(0, (open.get(name) ?? 0) + (slash === '' ? 1 : -1)));
  }
  return [...pieces, prefix + html.slice(start)];
}

const TAG = /<(\/?)(table|tr|ul|ol|li|nav|pre|p|div|section|article|blockquote|h[1-6])\b/gi;

/** What is not cut inside, except between rows. */
const WHOLE = ['table', 'ul', 'ol', 'nav', 'pre'];

/** With what the piece begins that is cut before one. */
const ROWS: ReadonlyMap<string, string> = new Map([
  ['tr', '<table>'],
  ['li', '<ul>'],
]);

/** Without comments and elements whose content is no text. What is never closed goes to the end, as in a browser. */
function removeUnread(html: string): string {
  const parts: string[] = [];
  let start = 0;
  UNREAD.lastIndex = 0;
  for (let found = UNREAD.exec(html); found !== null; found = UNREAD.exec(html)) {
    parts.push(html.slice(start, found.index));
    start = findEnd(html, found[1], UNREAD.lastIndex);
    UNREAD.lastIndex = start;
  }
  return [...parts, html.slice(start)].join('');
}

const UNREAD = /<!--|<(script|style|noscript|template|svg)\b/gi;

/** Behind the end of a comment (no name) or of an element. */
function findEnd(html: string, name: string | undefined, from: number): number {
  const mark = name === undefined ? /--(?=>)/g : new RegExp(`</${name}`, 'gi');
  mark.lastIndex = from;
  const close = mark.test(html) ? html.indexOf('>', mark.lastIndex) : -1;
  return close === -1 ? html.length : close + 1;
}
