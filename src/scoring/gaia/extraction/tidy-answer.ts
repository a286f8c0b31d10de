import { plainMath } from './plain-math.ts';

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
