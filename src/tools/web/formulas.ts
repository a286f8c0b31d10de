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
 * turndown has no rule for MathML: x² would read x2.
 */
export function toMathText(node: DomNode): string {
  return readMath(node).replace(/ {2,}/g, ' ').trim();
}

function readMath(node: DomNode): string {
  const tex = findTex(node);
  if (tex !== null) {
    return /^\{\\displaystyle(.*)\}$/s.exec(tex)?.[1]?.trim() ?? tex;
  }
  const parts = Array.from(node.childNodes)
    .filter(({ nodeType, nodeName }) => nodeType === 1 && !nodeName.startsWith('annotation'))
    .map(readMath);
  if (parts.length === 0) return readToken(node);
  return (FORMS[node.nodeName] ?? join(''))(parts);
}

/** A number, a name, a sign, or words such as "if", which stand apart. */
function readToken({ nodeName, textContent }: DomNode): string {
  if (nodeName === 'mtext') return ` ${textContent.replace(/\s+/g, ' ').trim()} `;
  // These invisible characters mean "apply this function" and "times".
  return textContent.replace(/[\s\u2061-\u2064]+/g, '');
}

/** A formula may have annotations in several languages. */
function findTex(node: DomNode): string | null {
  const annotations = Array.from(node.querySelectorAll('annotation'));
  const tex = annotations.find((each) =>
    /^$|\btex\b|x-tex/i.test(each.getAttribute('encoding') ?? ''),
  );
  return tex?.textContent.trim() || node.getAttribute('alttext')?.trim() || null;
}

type Form = (parts: readonly string[]) => string;

const join =
  (separator: string): Form =>
  (parts) =>
    parts.join(separator);

/** Joins parts by the signs between them. */
const infix =
  (...signs: readonly string[]): Form =>
  (parts) =>
    parts.map((part, index) => (signs[index - 1] ?? '') + bracket(part)).join('');

const FORMS: Readonly<Record<string, Form>> = {
  msup: infix('^'),
  mover: infix('^'),
  msub: infix('_'),
  munder: infix('_'),
  msubsup: infix('_', '^'),
  munderover: infix('_', '^'),
  mfrac: (parts) => `(${infix('/')(parts)})`,
  msqrt: (parts) => `sqrt(${parts.join('')})`,
  mroot: ([inner, degree]) => `root(${degree}, ${inner})`,
  mfenced: (parts) => `(${parts.join(', ')})`,
  mtr: join(', '),
  mtable: join('; '),
};

/** Puts brackets around everything but a plain number, word or sign. */
function bracket(part: string): string {
  const text = part.trim();
  return /^([+\-−–]?\d+([.,]\d+)?[+\-−–]?|\p{L}+|.)$/u.test(text) ? text : `(${text})`;
}
