/** Words that turn around what stands beside them. */
const NEGATION = /^(?:not|no|never|neither|nor|without|except|or|but)$/;

/**
 * Whether two answers say the same, loosely: "42", "42." and "x = 42 km" do, "4" and "42" do not.
 * It tells whether an output contradicts itself, never whether an answer is right.
 */
export function isSameAnswer(a: string, b: string): boolean {
  if (a === b) return true;
  const one = wordsOf(a);
  const two = wordsOf(b);
  const [short, long] = one.length <= two.length ? [one, two] : [two, one];
  if (short.join('') === long.join('')) return true;
  const at = long.findIndex((_, i) => short.every((word, j) => long[i + j] === word));
  if (short.length === 0 || at === -1) return false;
  const others = [...long.slice(0, at), ...long.slice(at + short.length)];
  return !others.some((word) => NEGATION.test(word) || /\d/.test(word));
}

const MAX_LENGTH = 300;
/** Commands of LaTeX that only set a formula, its brackets, and signs that group thousands. */
const LAYOUT =
  /\\(?:text|math|operator)[a-z]{0,8}|\\(?:left|right|displaystyle|boxed|[,!;:()[\]])|(?<=\d)(?:,|\{,\})(?=\d{3}(?!\d))/g;

function wordsOf(text: string): readonly string[] {
  const plain = text.slice(0, MAX_LENGTH).normalize('NFKC').toLowerCase().replace('dfrac', 'frac');
  const words =
    plain.replace(LAYOUT, '').match(/[-−]?\d+(?:\.\d+)?|[\p{L}\p{M}]+|[+*/^<>=]/gu) ?? [];
  return words.map((word) => (/\d/.test(word) ? String(Number(word.replace('−', '-'))) : word));
}
