import { findMarks } from '../../words/thoughts/template-marks.ts';
import { toOneForm } from './one-form.ts';

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
const FORMATTED = /[*_`$\\"'“‘«「<]/;
const HTML = /^<(b|strong|i|em|u|mark|span|p|div|code|center)(?: [^<>]{0,80})?>([^<>]*)<\/\1>$/;

const ROUNDS = 4;

/**
 * Strips formatting from an answer: Markdown emphasis, code marks, math delimiters, LaTeX text
 * macros, and quotes around the whole. Signs, units, separators and a final period stay, because
 * the official rule counts them in lists; only after a decimal number it is removed.
 */
export function tidyAnswer(raw: string): string {
  let answer = dropCitations(dropMarks(toOneForm(raw).trim())).replace(DECIMAL_STOP, '$1');
  if (!FORMATTED.test(answer)) return answer;
  for (let round = 0; round < ROUNDS; round += 1) {
    const unfenced = /^```[ \t]{0,4}(?:\w{1,10})?\n([\s\S]*)```$/.exec(answer)?.[1] ?? answer;
    const closed = dropClosingTags(unfenced.replace(LINE_END, '$1'));
    const untagged = HTML.exec(closed)?.[2] ?? closed;
    const bare = unwrap(dropRemark(untagged.trim()), EMPHASIS);
    answer = unwrapPairs(unwrapMath(unwrapQuotes(bare))).trim();
  }
  return answer;
}

/**
 * What stands between the marks of chat templates in a value of JSON or an expected answer: another
 * message may follow. In the words of an output they are blank already.
 */
function dropMarks(answer: string): string {
  const marks = /[<[]/.test(answer) ? findMarks(answer) : [];
  const starts = [0, ...marks.map(([, end]) => end)];
  const parts = starts.map((start, i) => answer.slice(start, marks[i]?.[0]).trim());
  return parts.find((part) => part !== '') ?? answer;
}

/** "3.14." ends a sentence: no number has two periods. */
const DECIMAL_STOP = /^([-+$€£]{0,2}[\d,]{0,20}\.\d{1,20})\.$/;

/** "♥" and "™" may be part of an answer: only what is a picture by itself is dropped, as is "[1]" of a word. */
const CITATION =
  /(?<=\S)(?:\s{1,2}\[\^?\d{1,3}\]|(?<=\p{L}{2}|\])\[\^?[1-9]\d{0,2}\]|\s{0,2}\[\^\d{1,3}\]|(?<=\p{L}{4})[¹²³⁴-⁹]|\s{0,2}【[^【】\n]{1,60}】|\s{0,2}\p{Emoji_Presentation}\uFE0F?)(?:(?<=[^\p{L}\p{N}])\.)?$/u;

const CLOSING_TAG =
  /(?<=\S)\s{0,3}<(?:\/(p|div|h[1-6]|li|ul|ol|center|section|body|html|strong|b|em|i|u|mark|span|font|big)|br ?\/?)>$/i;
/** `D</b><br>Because`: the tag of the label ends, and so does its line. */
const LINE_END =
  /^([^<\n]{1,200})<\/(?:p|div|h[1-6]|li|strong|b|em|i|u|span)>\s{0,3}<(?:br ?\/?|p|div)>[\s\S]*$/i;
const MOST_TAGS = 6;

/** `17</p>` without the end of what began before the answer; `<b>17</b>` keeps its own. */
function dropClosingTags(answer: string, left = MOST_TAGS): string {
  const [written, name = 'br'] = CLOSING_TAG.exec(answer) ?? [];
  if (written === undefined || left === 0) return answer;
  const bare = answer.slice(0, -written.length);
  return bare.toLowerCase().includes(`<${name.toLowerCase()}`)
    ? answer
    : dropClosingTags(bare, left - 1);
}

/** `Paris [1]` and `17 ✅` without what follows the answer. */
function dropCitations(answer: string): string {
  const bare = answer.replace(CITATION, '');
  return bare === answer || !/[\p{L}\p{N}]/u.test(bare) ? answer : dropCitations(bare);
}

const SOURCE_REMARK =
  /(?<=\S)[ \t]{1,4}\((?:based on|according to|as of|as per|as (?:stated|listed|given|reported|shown) (?:in|on|by)|rounded (?:to|up|down)|sources?:|counted (?:from|in|on|by)|calculated (?:from|as|by|using))\s[^()\n]{2,200}\)\.?$/iu;

/** `17 (based on the page of 2022)` without where the answer is from; `Mercury (planet)` stays. */
export function dropSource(answer: string): string {
  return answer.replace(SOURCE_REMARK, '');
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

/** The sign that ends a sentence after a formula. */
const MATH_STOP = /^(\$[^$]+\$|\$\$[^$]+\$\$|\\\([^()]{1,200}\\\)|\\\[[^[\]]{1,200}\\\]) ?[.,;]$/;

function unwrapMath(text: string): string {
  const inner = unwrap(text.replace(MATH_STOP, '$1'), MATH);
  return (inner === text ? text : plainMath(inner.replace(/[.,;]\s{0,9}$/, '')))
    .replace(/\\(?:text(?:bf|it|rm)?|math(?:rm|bf|it|sf)|operatorname|emph) ?\{([^{}]*)\}/g, '$1')
    .replace(/\\([$%&#_])/g, '$1');
}

/**
 * Math without LaTeX spacing: `1{,}000` is 1,000 and `5\,000` is 5000. The rows of a matrix end
 * with two backslashes.
 */
export function plainMath(text: string): string {
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

const BRACKETED = /^(?:\[([^[\]]*)\]|<([^<>]*)>|\{([^{}]*)\})$/;
const TEMPLATE =
  /^(?:(?:insert|enter|put|type|write|provide) )?(?:(?:your|the) )?(?:final |short )?answer(?: (?:goes )?here)?$/i;
/** "[a single number]" and "<letter>": what belongs there, not what it is. */
const KIND =
  /^(?:(?:your|the|an?|final|short|single|exact|insert|enter|put|correct|numeric(?:al)?|option|choice) ){0,4}(?:answer|number|integer|value|letter|name|word|phrase|text|result|response|choice|option)s?(?: (?:here|only|or|in|words?|phrases?|numbers?)){0,4}$/i;
/** "[answer]. First let me search": a template in a plan. */
const BEFORE_PROSE =
  /^["'“`*]{0,3}(?:\[([^[\]\n]{1,60})\]|<([^<>\n]{1,60})>)["'”`*]{0,3}[.!;,:] {1,3}\p{L}/u;
const ADDRESSED = /\b(?:your|insert|here)\b/i;

/**
 * Whether an answer is the unfilled template of a prompt, such as "[YOUR FINAL ANSWER]" or "...".
 */
export function isPlaceholder(answer: string): boolean {
  const [, square, angled] = BEFORE_PROSE.exec(answer.slice(0, 80)) ?? [];
  if (KIND.test((square ?? angled ?? '').trim())) return true;
  if (answer.length > 60) return false;
  if (/^[.…]+$/.test(answer) && answer !== '.') return true;
  const [template = answer] =
    /^(?:\[[^[\]]*\]|<[^<>]*>)(?=["'”*`]{0,3},? (?:for example|for instance|e\.g\.|such as|like|where)(?![a-z]))/i.exec(
      answer,
    ) ?? [];
  const text = template.replace(/[.…)"'”*`]{1,4}$/, '').trim();
  const inner = BRACKETED.exec(text)?.slice(1).join('').trim();
  if (inner !== undefined) return inner === '' || /^[.…_]+$/.test(inner) || KIND.test(inner);
  if (/^_{2,}$/.test(text) || /^followed by (?:the|your|an?) /i.test(text)) return true;
  return TEMPLATE.test(text) && ADDRESSED.test(text);
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
