import { lower, raise } from '../../markdown/math.ts';
import { childAt, childrenOf, textOf, type XmlElement } from '../xml.ts';

/** Text in pieces of different fonts; what is read out above Asian characters is left out. */
export function toRichText(item: XmlElement | null): string {
  const pieces = childrenOf(item).map((piece) => {
    if (piece.name === 't') return textOf(piece);
    return piece.name === 'r' ? toRunText(piece) : '';
  });
  return pieces.join('');
}

function toRunText(run: XmlElement): string {
  const text = textOf(childAt(run, 't'));
  const place = childAt(run, 'rPr', 'vertAlign')?.attributes.get('val');
  if (place === 'superscript') return raise(text);
  return place === 'subscript' ? lower(text) : text;
}
