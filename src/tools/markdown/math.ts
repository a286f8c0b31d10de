import { type DomNode, elementsOf, nameOf } from './dom-node.ts';
import { lower, raise } from './raised.ts';

/** MathML in one line: "(a+b)/c", "x^2", "sqrt(2)"; what it is in other languages (TeX) is left out. */
export function toMathText(node: DomNode): string {
  const parts = elementsOf(node);
  const at = (index: number) => {
    const part = parts[index];
    return part === undefined ? '' : toMathText(part);
  };
  switch (nameOf(node)) {
    case 'annotation':
    case 'annotation-xml':
      return '';
    case 'msup':
    case 'mover':
      return at(0) + raise(at(1));
    case 'msub':
    case 'munder':
      return at(0) + lower(at(1));
    case 'msubsup':
    case 'munderover':
      return at(0) + lower(at(1)) + raise(at(2));
    case 'mfrac':
      return `${group(at(0))}/${group(at(1))}`;
    case 'msqrt':
      return `sqrt(${join(parts)})`;
    case 'mroot':
      return `root_${group(at(1))}(${at(0)})`;
    case 'mtr':
      return `${parts.map(toMathText).join(', ')}; `;
    default:
      return parts.length === 0 ? toToken(node) : join(parts);
  }
}

function join(parts: readonly DomNode[]): string {
  const texts = parts.map((part) => {
    const text = toMathText(part);
    // Else what follows a fraction would seem to be below its line.
    return nameOf(part) === 'mfrac' && parts.length > 1 ? `(${text})` : text;
  });
  return texts.join('');
}

/** Signs that apply a function or multiply are written, but not seen. */
function toToken(node: DomNode): string {
  const text = (node.textContent ?? '').replace(/[\u2061-\u2064]/g, '').replace(/\s+/g, ' ');
  return nameOf(node) === 'mtext' ? text : text.trim();
}

function group(text: string): string {
  return /^[\p{L}\d.]+$/u.test(text) ? text : `(${text})`;
}
