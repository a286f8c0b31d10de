import { quote } from './show-value.ts';

/** A note of the objects in a JSON text that name a field twice: JSON.parse keeps the last one, and says nothing. */
export function noteRepeatedKeys(text: string): readonly string[] {
  const repeats = findRepeats(text);
  const [first] = repeats;
  if (first === undefined) return [];
  const line = text.slice(0, first.at).split('\n').length;
  return [
    `${repeats.length} ${repeats.length === 1 ? 'field is' : 'fields are'} named twice in one object, first ${quote(first.key)} on line ${line}; the last value counts.`,
  ];
}

type Repeat = { readonly key: string; readonly at: number };

/** One pass, without a regular expression over whole strings, for text that is known to be valid. */
function findRepeats(text: string): readonly Repeat[] {
  const repeats: Repeat[] = [];
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '{') open.push(new Set());
    else if (sign === '[') open.push(null);
    else if (sign === '}' || sign === ']') open.pop();
    else if (sign === '"') {
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

function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

function isKey(text: string, from: number): boolean {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\n' || text[at] === '\r') at += 1;
  return text[at] === ':';
}
