type Pairs = readonly (readonly [open: string, close: string])[];

// Marks that may wrap a whole answer, the longer ones first.
const EMPHASIS: Pairs = ['**', '*', '__', '_', '``', '`'].map((mark) => [mark, mark]);
const MATH: Pairs = [
  ['$$', '$$'],
  ['$', '$'],
  ['\\(', '\\)'],
  ['\\[', '\\]'],
];
const QUOTES: Pairs = ['""', "''", '“”', '‘’', '«»', '「」'].map((pair) => [
  pair.charAt(0),
  pair.charAt(1),
]);

/** Most answers contain no formatting characters. */
const FORMATTED = /[*_`$\\"'“‘«「]/;

const ROUNDS = 4;

/**
 * Strips formatting from an answer: Markdown emphasis, code marks, math delimiters, LaTeX text
 * macros, and quotes around the whole. Signs, units, separators and a final period stay, because
 * the official rule counts them in lists; only after a decimal number it is removed.
 */
export function tidyAnswer(raw: string): string {
  let answer = dropCitations(raw.trim()).replace(DECIMAL_STOP, '$1');
  if (!FORMATTED.test(answer)) return answer;
  for (let round = 0; round < ROUNDS; round += 1) {
    const unfenced = /^```[ \t]{0,4}(?:\w{1,10})?\n([\s\S]*)```$/.exec(answer)?.[1] ?? answer;
    const bare = unwrap(dropRemark(unfenced), EMPHASIS);
    answer = unwrapPairs(unwrapMath(unwrapQuotes(bare))).trim();
  }
  return answer;
}

/** "3.14." ends a sentence: no number has two periods. */
const DECIMAL_STOP = /^([-+$€£]{0,2}[\d,]{0,20}\.\d{1,20})\.$/;

/** "♥" and "™" may be part of an answer: only what is a picture by itself is dropped, as is "[1]" of a word. */
const CITATION =
  /(?<=\S)(?:\s{1,2}\[\^?\d{1,3}\]|(?<=\p{L}{2}|\])\[\^?[1-9]\d{0,2}\]|\s{0,2}\[\^\d{1,3}\]|(?<=\p{L}{4})[¹²³⁴-⁹]|\s{0,2}【[^【】\n]{1,60}】|\s{0,2}\p{Emoji_Presentation}\uFE0F?)(?:(?<=[^\p{L}\p{N}])\.)?$/u;

/** `Paris [1]` and `17 ✅` without what follows the answer. */
function dropCitations(answer: string): string {
  const bare = answer.replace(CITATION, '');
  return bare === answer || !/[\p{L}\p{N}]/u.test(bare) ? answer : dropCitations(bare);
}

/** `**48** (rounded up).` is 48; `**Mercury** (planet)` may be the full name, so it stays. */
function dropRemark(text: string): string {
  const match = /^\*\*([^*\n]+)\*\*(?:[ \t]{0,4}\(([^()\n]{1,200})\))?[ \t]{0,4}\.?$/.exec(text);
  const [, bold = text, remark = ''] = match ?? [];
  const isRemark =
    remark === '' || /^[-+$]?[\d.,]+%?$/.test(bold.trim()) || /^[a-z≈~]\S* \S/.test(remark);
  return isRemark ? bold : text;
}

function unwrap(text: string, pairs: Pairs): string {
  for (const [open, close] of pairs) {
    if (!text.startsWith(open) || !text.endsWith(close)) continue;
    const inner = text.slice(open.length, -close.length);
    // A mark that also occurs inside does not enclose the whole: "a", "b".
    if (inner.trim() !== '' && !inner.includes(open) && !inner.includes(close)) return inner;
  }
  return text;
}

// Two quotes with nothing between them are an empty answer.
function unwrapQuotes(text: string): string {
  return QUOTES.some(([open, close]) => text === open + close) ? '' : unwrap(text, QUOTES);
}

function unwrapMath(text: string): string {
  const inner = unwrap(text, MATH);
  return (inner === text ? text : plainMath(inner))
    .replace(/\\(?:text(?:bf|it|rm)?|math(?:rm|bf|it|sf)|operatorname|emph) ?\{([^{}]*)\}/g, '$1')
    .replace(/\\([$%&#_])/g, '$1');
}

/**
 * Math without LaTeX spacing: `1{,}000` is 1,000 and `5\,000` is 5000. The rows of a matrix end
 * with two backslashes.
 */
function plainMath(text: string): string {
  return text
    .replace(/\{,\}|,\\! ?(?=\d)/g, ',')
    .replace(/(?<!\\)\\[,!]/g, '')
    .replace(/(?<!\\)\\[;: ]/g, ' ');
}

// `**a**, **b**`: only pairs in Markdown's positions count, so 2**3 keeps its stars and US$ its
// sign.
function unwrapPairs(text: string): string {
  return text
    .replace(/(?<=^|[\s([])\*\*(?=\S)([^*\n]+)\*\*(?=$|[\s,.;:!?)\]])/g, '$1')
    .replace(/(?<=^|[\s([])`([^`\n]+)`(?=$|[\s,.;:!?)\]])/g, '$1')
    .replace(/(?<=^|[\s([])\$(?=\S)([^$\n]*[^$\s])\$(?=$|[\s,.;:!?)\]])/g, '$1');
}

// An escaped brace or backslash is a separate token, so it opens and closes nothing.
const BRACE = /\\f?boxed\s{0,4}(?:\{|(\d[\d.]{0,20}|[A-Za-z](?![A-Za-z])))|\\[\\{}]|[{}]/g;
/** Between boxes that are one answer: "\boxed{1}, \boxed{2} and \boxed{3}". */
const BETWEEN_BOXES =
  /^[\s$]{0,4}(?:[,;]|(?:,\s{0,4})?(?:\\text\s?\{)?\s{0,4}(?:and|or)\s{0,4}\}?)[\s$]{0,4}(?:[a-z] ?= ?)?$/;

type Box = Readonly<{
  outer: number;
  start: number;
  end: number;
  after: number;
}>;

/**
 * The content of the last LaTeX `\boxed{...}` that is closed and not blank, or of the last boxes
 * that commas, "and" or "or" join. Braces may nest.
 */
export function lastBox(text: string): string | null {
  const boxes = findBoxes(text).filter(
    ({ after }, i, all) => i === 0 || !isDenied(text, after, all[i + 1]?.outer),
  );
  const alone = boxes.findLastIndex(({ outer }, i) => {
    const previous = boxes[i - 1];
    return previous === undefined || !BETWEEN_BOXES.test(text.slice(previous.after, outer));
  });
  const joined = boxes.slice(alone).map(({ start, end }) => plainMath(text.slice(start, end)));
  return alone < 0 ? null : joined.join(', ');
}

/** The innermost boxes in order. */
function findBoxes(text: string): readonly Box[] {
  // One pass with a stack. Searching the end of each box separately is quadratic when many are
  // never closed.
  const open: (Pick<Box, 'outer' | 'start'> | null)[] = [];
  const boxes: Box[] = [];
  for (const { 0: token, 1: bare, index } of text.matchAll(BRACE)) {
    const after = index + token.length;
    if (bare !== undefined)
      boxes.push({ outer: index, start: after - bare.length, end: after, after });
    else if (token === '{') open.push(null);
    else if (token.length > 2) open.push({ outer: index, start: after });
    else if (token === '}') {
      const box = open.pop() ?? null;
      const hasInner = box !== null && (boxes.at(-1)?.outer ?? -1) > box.outer;
      if (box === null || hasInner || text.slice(box.start, index).trim() === '') continue;
      boxes.push({ ...box, end: index, after });
    }
  }
  return boxes;
}

const BRACKETED = /^(?:\[([^[\]]*)\]|<([^<>]*)>|\{([^{}]*)\})$/;
const TEMPLATE =
  /^(?:(?:insert|enter|put|type|write|provide) )?(?:(?:your|the) )?(?:final |short )?answer(?: (?:goes )?here)?$/i;
const ADDRESSED = /\b(?:your|insert|here)\b/i;

/**
 * Whether an answer is the unfilled template of a prompt, such as "[YOUR FINAL ANSWER]" or "...".
 */
export function isPlaceholder(answer: string): boolean {
  if (answer.length > 60) return false;
  if (/^[.…]+$/.test(answer) && answer !== '.') return true;
  const text = answer.replace(/[.…)"'”*`]{1,4}$/, '').trim();
  const inner = BRACKETED.exec(text)?.slice(1).join('').trim();
  if (inner !== undefined) return inner === '' || /^[.…]+$/.test(inner) || TEMPLATE.test(inner);
  return TEMPLATE.test(text) && ADDRESSED.test(text);
}

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
  const value = text.slice(from, end).replace(/\\(?:u[0-9a-f]{4}|[\s\S])/gi, unescapeOne);
  return { value, end: end + quote.length };
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charAt(at - backslashes - 1) === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\n': '' };

// A backslash before any other letter is LaTeX or a path: both characters stay.
function unescapeOne(sequence: string): string {
  const character = sequence.slice(1);
  if (character.length > 1) return String.fromCharCode(Number.parseInt(character.slice(1), 16));
  return ESCAPES[character] ?? (/[a-z]/i.test(character) ? sequence : character);
}

/** "12 would be wrong" and "12 does not fit" deny an answer; "Nobody Is Wrong" is a title. */
const DENIED = new RegExp(
  [
    String.raw`^[^\n]{0,80}?(?<!\p{L})(?:`,
    '(?:would be|is|was|are) (?:clearly |obviously |simply )?(?:wrong|incorrect|false|not (?:right|correct))',
    "|(?:isn't|cannot be|can't be|wouldn't be) (?:right|correct)",
    String.raw`|does(?: not|n't) (?:fit|match|work))(?!\p{L})`,
    '|^[^。\\n]{0,40}(?:是?错误?的|不对|不正确)',
  ].join(''),
  'u',
);

/**
 * Whether a text says after a place that the answer there is wrong. It looks no farther than the
 * line, and `until`.
 */
export function isDenied(text: string, end: number, until = text.length): boolean {
  const [line = ''] =
    /^[^\n\r]*/u.exec(text.slice(end, Math.min(until, end + 120)).trimStart()) ?? [];
  return DENIED.test(line);
}
