import { plural } from '../text/plural.ts';
import { quote } from './show-value.ts';

/** A note of the objects in a JSON text that name a field twice: JSON.parse keeps the last one, and says nothing. */
export function noteRepeatedKeys(text: string): readonly string[] {
  const repeats = findRepeats(text);
  const [first] = repeats;
  if (first === undefined) return [];
  const line = text.slice(0, first.at).split('\n').length;
  return [
    `${plural(repeats.length, 'field is', 'fields are')} named twice in one object, first ${quote(first.key)} on line ${line}; the last value counts.`,
  ];
}

type Repeat = { readonly key: string; readonly at: number };

/**
 * One pass, without a regular expression over whole strings, for text that is known to be valid. Nearly all of it is
 * long strings, over which `indexOf` leaps.
 */
function findRepeats(text: string): readonly Repeat[] {
  const repeats: Repeat[] = [];
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === OPENING_BRACE) open.push(new Set());
    else if (sign === OPENING_BRACKET) open.push(null);
    else if (sign === CLOSING_BRACE || sign === CLOSING_BRACKET) open.pop();
    else if (sign === QUOTE) {
      const end = stringEnd(text, at);
      const keys = open.at(-1);
      if (keys !== undefined && keys !== null && isKey(text, end + 1)) {
        const key = text.slice(at + 1, end);
        if (keys.has(key)) repeats.push({ key, at });
        keys.add(key);
      }
      at = end;
    }
  }
  return repeats;
}

const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    if (!isEscaped(text, end)) return end;
  }
  return text.length;
}

/** By an odd number of backslashes before it: of an even number each second one is the escaped one. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (at - first) % 2 === 1;
}

function isKey(text: string, from: number): boolean {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\n' || text[at] === '\r') at += 1;
  return text[at] === ':';
}
