const ROUNDS = 4;

/** Most answers hold none of the characters that format one. */
const FORMATTED = /[*_`$\\"'“‘«「]/;

// Opening and closing of what may wrap a whole answer. Longer ones first.
const WRAPPERS: readonly (readonly [string, string])[] = [
  ['**', '**'],
  ['*', '*'],
  ['__', '__'],
  ['_', '_'],
  ['``', '``'],
  ['`', '`'],
];

const MATH: readonly (readonly [string, string])[] = [
  ['$$', '$$'],
  ['$', '$'],
  ['\\(', '\\)'],
  ['\\[', '\\]'],
];

const QUOTES: readonly (readonly [string, string])[] = [
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['‘', '’'],
  ['«', '»'],
  ['「', '」'],
];

/**
 * Strips what formats an answer and is no part of it: Markdown emphasis, code marks, math delimiters, LaTeX text
 * macros, quotes around the whole. Signs, units, separators and a final point stay, because the official rule counts
 * them in lists.
 */
export function tidyAnswer(raw: string): string {
  let answer = raw.trim();
  if (!FORMATTED.test(answer)) return answer;
  for (let round = 0; round < ROUNDS; round += 1) {
    const tidier = tidyOnce(answer);
    if (tidier === answer) break;
    answer = tidier;
  }
  return answer;
}

function tidyOnce(raw: string): string {
  const bare = dropRemark(unwrapFence(raw));
  return unwrapPairs(unwrapMath(unwrapQuotes(unwrap(bare, WRAPPERS)))).trim();
}

function unwrapFence(text: string): string {
  return /^```[ \t]{0,4}(?:\w{1,10})?\n([\s\S]*)```$/.exec(text)?.[1] ?? text;
}

/** `**48** (rounded up).` is 48; `**Mercury** (planet)` may be the name in full, so it stays. */
function dropRemark(text: string): string {
  const match = /^\*\*([^*\n]+)\*\*(?:[ \t]{0,4}\(([^()\n]{1,200})\))?[ \t]{0,4}\.?$/.exec(text);
  if (match === null) return text;
  const [, bold = '', remark = ''] = match;
  const isRemark = remark === '' || /^[-+$]?[\d.,]+%?$/.test(bold.trim()) || /^[a-z≈~]\S* \S/.test(remark);
  return isRemark ? bold : text;
}

function unwrap(text: string, wrappers: typeof WRAPPERS): string {
  for (const [open, close] of wrappers) {
    if (!text.startsWith(open) || !text.endsWith(close)) continue;
    const inner = text.slice(open.length, -close.length);
    // A wrapper that recurs inside does not enclose the whole: "a", "b".
    if (inner.trim() !== '' && !inner.includes(open) && !inner.includes(close)) return inner;
  }
  return text;
}

// `**a**, **b**`: only pairs that stand like Markdown's do, so that 2**3 keeps its stars and US$ its sign.
function unwrapPairs(text: string): string {
  return text
    .replace(/(?<=^|[\s([])\*\*(?=\S)([^*\n]+)\*\*(?=$|[\s,.;:!?)\]])/g, '$1')
    .replace(/(?<=^|[\s([])`([^`\n]+)`(?=$|[\s,.;:!?)\]])/g, '$1')
    .replace(/(?<=^|[\s([])\$(?=\S)([^$\n]*[^$\s])\$(?=$|[\s,.;:!?)\]])/g, '$1');
}

// Quotes with nothing between are an empty answer, not an answer of two quotes.
function unwrapQuotes(text: string): string {
  return QUOTES.some(([open, close]) => text === open + close) ? '' : unwrap(text, QUOTES);
}

function unwrapMath(text: string): string {
  const inner = unwrap(text, MATH);
  return plainMacros(inner === text ? text : plainMath(inner));
}

function plainMacros(text: string): string {
  return text
    .replace(/\\(?:text(?:bf|it|rm)?|math(?:rm|bf|it|sf)|operatorname|emph) ?\{([^{}]*)\}/g, '$1')
    .replace(/\\([$%&#_])/g, '$1');
}

const BRACKETED = /^(?:\[([^[\]]*)\]|<([^<>]*)>|\{([^{}]*)\})$/;
const TEMPLATE =
  /^(?:(?:insert|enter|put|type|write|provide) )?(?:(?:your|the) )?(?:final |short )?answer(?: (?:goes )?here)?$/i;
const ADDRESSED = /\b(?:your|insert|here)\b/i;

/** Whether an answer is the unfilled template of a prompt, such as "[YOUR FINAL ANSWER]" or "...". */
export function isPlaceholder(answer: string): boolean {
  if (answer.length > 60) return false;
  const text = answer.replace(/[.…)"'”*`]{1,4}$/, '').trim();
  if (/^[.…]+$/.test(answer) && answer !== '.') return true;
  const inner = BRACKETED.exec(text)?.slice(1).join('').trim();
  if (inner !== undefined) return inner === '' || /^[.…]+$/.test(inner) || TEMPLATE.test(inner);
  return TEMPLATE.test(text) && ADDRESSED.test(text);
}

/** Math without LaTeX spacing: `1{,}000` is 1,000 and `5\,000` is 5000. */
export function plainMath(text: string): string {
  return text
    .replace(/\{,\}/g, ',')
    .replace(/\\[,!]/g, '')
    .replace(/\\[;: ]/g, ' ');
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['\n', ''],
]);

const STRING_QUOTES = ['"""', "'''", '"', "'", '`'];

/** A string literal of Python, JavaScript or JSON that starts at `start`: its value and where it ends; null if none. */
export function readStringLiteral(text: string, start: number): { value: string; end: number } | null {
  const quote = STRING_QUOTES.find((candidate) => text.startsWith(candidate, start));
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
