import { type DomNode, nameOf } from './dom-node.ts';
import { toMathText } from './math.ts';
import { lower, raise } from './raised.ts';

/** Told of each link that is met. */
export type OnLink = (link: DomNode) => void;

/** Elements that hold no text of the page itself. */
export const IGNORED: readonly string[] = [
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

/** Elements of whose text nothing else stands in the line. */
const BLOCKS =
  /^(address|article|aside|blockquote|br|caption|center|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|label|legend|li|main|menu|ol|option|p|pre|section|summary|table|tr|ul)$/;

/** The text of a cell in one line, its own lines apart by " / ": nothing that stands apart runs together. */
export function toCellText(cell: DomNode, onLink: OnLink): string {
  const lines = cell.childNodes.map((child) => toLines(child, onLink)).join('');
  const texts = lines.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
  return texts
    .filter((text) => text !== '')
    .join(' / ')
    .replaceAll('|', '\\|');
}

function toLines(node: DomNode, onLink: OnLink): string {
  const name = nameOf(node);
  if (name === '') return (node.textContent ?? '').replace(/\s+/g, ' ');
  // A row that began in an unclosed cell is a row of its own.
  if (IGNORED.includes(name) || name === 'tr') return '';
  if (name === 'math') return toMathText(node);
  if (name === 'img') return describeImage(node);
  if (name === 'a') onLink(node);
  const text = node.childNodes.map((child) => toLines(child, onLink)).join('');
  if (name === 'sup') return raise(text);
  if (name === 'sub') return lower(text);
  if (['s', 'del', 'strike'].includes(name) && text.trim() !== '') return `~~${text}~~`;
  return BLOCKS.test(name) ? `\n${text}\n` : text;
}

/** Of a picture its description stays, but of a formula that is there as a formula too. */
export function describeImage(image: DomNode): string {
  const label = image.getAttribute?.('alt')?.trim() ?? '';
  const isMath = /\bmwe-math-fallback/.test(image.getAttribute?.('class') ?? '');
  return label === '' || isMath ? '' : `[image: ${label}]`;
}
