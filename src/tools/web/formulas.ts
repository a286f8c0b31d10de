import type { DomNode } from '@mixmark-io/domino';

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
export function toMathText(node: DomNode): string {
  const tex = findTex(node);
  if (tex !== null) {
    return /^\{\\displaystyle(.*)\}$/s.exec(tex)?.[1]?.trim() ?? tex;
  }
  const parts = Array.from(node.childNodes)
    .filter(({ nodeType, nodeName }) => nodeType === 1 && !nodeName.startsWith('annotation'))
    .map(toMathText);
  // These invisible characters mean "apply this function" and "times".
  if (parts.length === 0) return node.textContent.replace(/[\s\u2061-\u2064]+/g, '');
  const signs = SIGNS.get(node.nodeName);
  if (signs === undefined)
    return node.nodeName === 'msqrt' ? `sqrt(${parts.join('')})` : parts.join('');
  const joined = parts.map((part, index) => (signs[index - 1] ?? '') + bracket(part)).join('');
  return node.nodeName === 'mfrac' ? `(${joined})` : joined;
}

/** A formula may have annotations in several languages. */
function findTex(node: DomNode): string | null {
  const annotations = Array.from(node.querySelectorAll('annotation'));
  const tex = annotations.find((each) =>
    /^$|\btex\b|x-tex/i.test(each.getAttribute('encoding') ?? ''),
  );
  return tex?.textContent.trim() || node.getAttribute('alttext')?.trim() || null;
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
