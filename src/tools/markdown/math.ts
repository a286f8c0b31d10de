import type { HtmlNode } from './html-tree.ts';

/** Superscript in plain text: "10^23", which would otherwise read 1023. */
export function raise(text: string): string {
  const inner = text.trim();
  // Marks of notes are not part of the text, and "1st" is not a power.
  if (inner === '' || /^\[|^(st|nd|rd|th)$|^[®™*†‡°]+$/i.test(inner)) return text;
  return `^${bracket(inner)}`;
}

/** Subscript in plain text: "H_2O". */
export function lower(text: string): string {
  const inner = text.trim();
  return inner === '' ? text : `_${bracket(inner)}`;
}

/** Puts brackets around everything but a plain number or word. */
function bracket(text: string): string {
  return /^([+\-−–]?\d+([.,]\d+)?[+\-−–]?|[\p{L}]+|[+\-−])$/u.test(text) ? text : `(${text})`;
}

/** MathML in one line: "(a+b)/c", "x^2", "sqrt(2)". Copies of the formula in other languages (TeX) are left out. */
export function toMathText(node: HtmlNode): string {
  const parts = node.children.filter(({ name }) => name !== '');
  const texts = parts.map(toMathText);
  const [first = '', second = '', third = ''] = texts;
  // Without brackets, what follows a fraction would seem to belong to its denominator.
  const joined = texts.map((text, index) => (parts[index]?.name === 'mfrac' && parts.length > 1 ? `(${text})` : text));
  if (/^annotation/.test(node.name)) return '';
  if (parts.length === 0) return toToken(node);
  switch (node.name) {
    case 'msup':
    case 'mover':
      return first + raise(second);
    case 'msub':
    case 'munder':
      return first + lower(second);
    case 'msubsup':
    case 'munderover':
      return first + lower(second) + raise(third);
    case 'mfrac':
      return `${group(first)}/${group(second)}`;
    case 'msqrt':
      return `sqrt(${joined.join('')})`;
    case 'mroot':
      return `root_${group(second)}(${first})`;
    case 'mtr':
      return `${texts.join(', ')}; `;
    default:
      return joined.join('');
  }
}

/** A number, a name or a sign, without the invisible signs for "apply this function" and "times". */
function toToken({ name, children }: HtmlNode): string {
  const text = children.map((child) => child.text).join('');
  const visible = text.replace(/[\u2061-\u2064]/g, '').replace(/\s+/g, ' ');
  return name === 'mtext' ? visible : visible.trim();
}

function group(text: string): string {
  return /^[\p{L}\d.]+$/u.test(text) ? text : `(${text})`;
}
