const STRING_QUOTES = ['"""', "'''", '"', "'", '`'];

/**
 * A string literal of Python, JavaScript or JSON that starts at `start`: its value and where it
 * ends. Null if none starts there.
 */
export function readStringLiteral(
  text: string,
  start: number,
): { value: string; end: number } | null {
  const quote = STRING_QUOTES.find((candidate) => text.startsWith(candidate, start));
  if (quote === undefined) return null;
  const from = start + quote.length;
  let end = text.indexOf(quote, from);
  while (isEscaped(text, end)) end = text.indexOf(quote, end + 1);
  if (end === -1) return null;
  return { value: unescapeText(text.slice(from, end)), end: end + quote.length };
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charAt(at - backslashes - 1) === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

const ESCAPE = new RegExp(
  [
    // "\theta" is no tab and "\neq" no line break: models forget to double the backslash.
    String.raw`\\(?:t(?:imes|ext[a-z]{0,6}|heta|an|frac|o|au|riangle[a-z]{0,8}|ilde|op)|`,
    'n(?:e|eq|eg|u|abla|ot|otin|mid)|r(?:ight[a-z]{0,8}|ho|angle|ceil|floor|m))(?![a-z])',
    String.raw`|\\(?:u[0-9a-fA-F]{4}|[\s\S])`,
  ].join(''),
  'g',
);
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\n': '' };

/** The text of a literal, without its escapes. A backslash of LaTeX or of a path stays. */
export function unescapeText(written: string): string {
  return written.includes('\\') ? written.replace(ESCAPE, unescapeOne) : written;
}

function unescapeOne(sequence: string): string {
  const character = sequence.slice(1);
  if (/^u[0-9a-f]{4}$/i.test(character))
    return String.fromCharCode(Number.parseInt(character.slice(1), 16));
  if (character.length > 1) return sequence;
  return ESCAPES[character] ?? (/[a-z]/i.test(character) ? sequence : character);
}
