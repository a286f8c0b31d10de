const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['\n', ''],
]);

const QUOTES = ['"""', "'''", '"', "'", '`'];

/** A string literal of Python, JavaScript or JSON that starts at `start`: its value and where it ends; null if none. */
export function readStringLiteral(text: string, start: number): { value: string; end: number } | null {
  const quote = QUOTES.find((candidate) => text.startsWith(candidate, start));
  if (quote === undefined) return null;
  const from = start + quote.length;
  const end = findClosing(text, from, quote);
  return end === -1 ? null : { value: unescapeText(text.slice(from, end)), end: end + quote.length };
}

function findClosing(text: string, from: number, quote: string): number {
  let end = text.indexOf(quote, from);
  while (isEscaped(text, end)) end = text.indexOf(quote, end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charAt(at - backslashes - 1) === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

function unescapeText(text: string): string {
  return text.replace(/\\(?:u[0-9a-f]{4}|[\s\S])/gi, unescapeOne);
}

// An escaped letter that is no escape is LaTeX or a path: both characters stay.
function unescapeOne(sequence: string): string {
  const character = sequence.slice(1);
  if (character.length > 1) return String.fromCharCode(Number.parseInt(character.slice(1), 16));
  return ESCAPES.get(character) ?? (/[a-z]/i.test(character) ? sequence : character);
}
