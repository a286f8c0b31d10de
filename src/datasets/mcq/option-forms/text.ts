import { quote } from '../../../records/show-value.ts';
import type { Field, Place } from '../../record-fields.ts';
import { fault, labelByPosition } from '../options.ts';
import type { OptionForm } from './form.ts';
import { list } from './list.ts';

/**
 * All options in one text: "a|b|c" as in source note 004's table (`\|` stands for a bar in a text), one per line,
 * "A) a B) b", or a list as JSON writes it.
 */
export const text: OptionForm = {
  name: 'in one text',
  fits: (value) => typeof value === 'string',
  read: (place, field) => {
    if (typeof field.value !== 'string') throw fault(place, field, 'must be text with "|" between the options');
    const parsed = parseList(field.value);
    if (parsed !== null) return list.read(place, { ...field, value: parsed });
    return labelByPosition(place, field, splitOptions(place, field, field.value));
  },
};

function parseList(source: string): readonly unknown[] | null {
  if (!/^\s*\[/.test(source)) return null;
  try {
    const value: unknown = JSON.parse(source);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** "|x|" between spaces or signs of operation: the bars of an absolute value, or an option that fills its bars. */
const BARS = /(?<=^|[\s(=<>+*/-])\|[^\s|](?:[^|\n]{0,20}[^\s|])?\|(?=[\s)=<>+*/^.-])/u;

function splitOptions(place: Place, field: Field, source: string): readonly string[] {
  const bars = BARS.exec(source)?.[0];
  if (bars !== undefined) {
    throw fault(
      place,
      field,
      `has ${quote(bars)}, whose bars may be part of a text; write "\\|" for such a bar, or the options as a JSON list`,
    );
  }
  const parts = source.includes('|') ? source.split(/(?<!\\)\|/) : [source];
  if (parts.length > 1) return parts.map((part) => part.replaceAll('\\|', '|'));
  const lines = source.trim().split('\n');
  if (lines.length > 1) return lines;
  const labelled = splitAtLabels(source);
  if (labelled.length > 26) throw fault(place, field, 'must have at most 26 options');
  return labelled;
}

/** "A) four B) five C) six": cut where the next letter stands as a label. */
function splitAtLabels(source: string): readonly string[] {
  const parts: string[] = [];
  let rest = source.trim();
  for (let code = 66; code <= 90; code++) {
    const letter = String.fromCharCode(code);
    const cut = rest.search(new RegExp(`\\s\\(?${letter}[).:]\\s`));
    if (cut === -1) break;
    parts.push(rest.slice(0, cut));
    rest = rest.slice(cut + 1);
  }
  return /^\(?A[).:]\s/.test(source.trim()) ? [...parts, rest] : [source];
}
