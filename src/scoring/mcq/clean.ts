import { findAll } from '../../words/find-all.ts';
import { type Range, replaceRanges, toSpaces } from '../../words/ranges.ts';
import { blankThoughts, ownText } from '../../words/thoughts/thoughts.ts';
import { anyOf } from './patterns.ts';

/**
 * Only the two ends of a longer output are read: the answer is at one of them, and the work stays
 * bounded.
 */
const HEAD = 8_000;
const TAIL = 32_000;

export type Cleaned = Readonly<{
  text: string;
  /** Whether the output ends inside a thinking block. */
  truncated: boolean;
  /** Where marks of the prompt's form end an answer: "<eoa>". */
  ends: readonly number[];
  /** The place in the output of a place in the text. */
  place: (at: number) => number;
}>;

/**
 * Removes text that is not part of the reply (other messages, thinking) and formatting (Markdown,
 * HTML, LaTeX). Each removed character becomes a space, so no words join. A box becomes ⟦ and ⟧.
 */
export function cleanOutput(output: string): Cleaned {
  const message = ownText(output);
  const blanked = blankThoughts(message);
  const from = blanked.length - blanked.trimStart().length;
  const to = blanked.trimEnd().length;
  const skipped = Math.max(0, to - from - HEAD - TAIL);
  const bothEnds = (text: string): string =>
    skipped > 0 ? text.slice(from, from + HEAD) + text.slice(to - TAIL, to) : text.slice(from, to);
  return {
    text: withoutReferences(clean(bothEnds(blanked))),
    truncated: message.truncated,
    ends: [...findAll(bothEnds(message.text), END_OF_ANSWER)].map(({ index }) => index),
    place: (at) => message.offset + from + at + (at >= HEAD ? skipped : 0),
  };
}

/** Blanks a list of references, whose initials are no labels, and the marks that refer to it. */
function withoutReferences(text: string): string {
  const at = text.search(REFERENCES);
  return at < 1 ? text : text.slice(0, at).replace(CITATION, toSpaces) + toSpaces(text.slice(at));
}

/** Replaces ranges of a text by spaces; line breaks stay. */
export function blank(text: string, ranges: readonly Range[]): string {
  return replaceRanges(text, ranges, toSpaces);
}

/** With it, prompts of Chinese examinations have an answer end. */
const END_OF_ANSWER = /<eoa>/giu;
/** "<b>", "<br>", "<p style=...>". */
const TAG =
  /<\/?(br|p|div|li|ul|ol|h[1-6]|b|i|u|em|strong|span|code|sub|sup|mark|center|font)(?:[ /][^<>\n]{0,80})?>/giu;
/** "B：√", "C：×" at the end of a line or clause. */
const MARK = /(?<=[:：\s])[√×](?=\s{0,3}(?:$|[\n;；。,，]))/gu;
/** "References\n[1] A. Smith, ..." at the end of an output. */
const REFERENCES =
  /\n[ ]{0,6}(?:references|bibliography|sources|citations)[ :]{0,6}\n(?:\s{0,3}\[\d{1,3}\][^\n]{0,400}(?:\n|$)){1,50}\s{0,9}$/iu;
const CITATION = /\[\d{1,3}\]/gu;
/** "~~C~~" is struck out, so it is no answer. */
const STRUCK = /~~[^~\n]{1,200}~~/gu;
/** "**", "# ", "#B", "> ", "- ", "_B_", "\(", "\,", "\quad", "$", "___". */
const MARKUP = new RegExp(
  [
    String.raw`\*+|\x60+|~~|_{2,}|&nbsp;|(?<=^|\n)[ \t]{0,3}(?:#{1,6}|>)(?= |[A-Z][.)]?\s{0,9}(?:\n|$))`,
    String.raw`(?<=^|[\s:("])_(?=[^\s_{][^\n_]{0,80}_(?:[\s.,;:)"]|$))`,
    String.raw`(?<=(?:^|[\s:("])_[^\s_{][^\n_]{0,80})_(?=[\s.,;:)"]|$)`,
    String.raw`(?<=\n)[ \t]{0,8}[-•+–](?= )|^[ \t]{0,8}[-•+–](?= (?![\d(]))`,
    String.raw`\\[()[\],;!]|\\(?:q?quad|left|right|displaystyle)(?![a-z])|(?<!\\)\$`,
  ].join('|'),
  'gu',
);

/** "E' la risposta C" means "È la risposta C". */
const ITALIAN_IS = /(?<!\p{L})E'(?= (?:la|il|l)(?![a-z]))/gu;

/** "- [x]" and "( )" at the start of a line. */
const CHECKBOX = /^([ \t]{0,8}(?:[-*•+] ?)?)[[(]([ xX✓✗])[\])](?= )/gmu;

/**
 * Gives options and outputs one spelling: special characters become plain ones, formatting becomes
 * spaces.
 */
export function clean(text: string): string {
  let cleaned = /[^\n -~]/u.test(text) ? foldSigns(text) : text;
  cleaned = cleaned.replace(
    CHECKBOX,
    (_, bullet: string, mark: string) => `${bullet} ${mark === ' ' ? '✗' : '✓'} `,
  );
  cleaned = tickMarkedLines(cleaned);
  if (cleaned.includes("E' ")) cleaned = cleaned.replace(ITALIAN_IS, 'È ');
  if (cleaned.includes('<'))
    cleaned = cleaned.replace(TAG, (tag: string, name: string) =>
      isLabelInBrackets(cleaned, tag) ? tag : toBreak(tag, name),
    );
  if (/[√×]/u.test(cleaned)) cleaned = cleaned.replace(MARK, (mark) => (mark === '√' ? '✓' : '✗'));
  if (cleaned.includes('~~')) cleaned = cleaned.replace(STRUCK, toSpaces);
  if (cleaned.includes('\\') || cleaned.includes('boxed{'))
    cleaned = openGroups(cleaned.replace(SHORT_FRACTION, toFraction));
  return cleaned.replace(MARKUP, toSpaces);
}

const MARKED = /[*_→<>←]|\((?:the )?(?:correct|right)/u;
/** "- **B. Paris**", "-> B) Paris", "B. Paris <-- correct", "*B. Paris", "B. Paris (correct answer)". */
const OPTION_LINE = new RegExp(
  [
    String.raw`^([ \t]{0,8}(?:[-*•+] )?)(\*{1,3}|__|(?:[-=]?>|→) ?)?\(?([A-Z])[).:、](?![A-Za-z])[^\n]{0,200}?`,
    String.raw`(\*{1,3}|__| {0,3}(?:<[-=]{1,2}|←)[^\n]{0,40}| {0,3}\((?:the )?(?:correct|right)(?: (?:answer|option|choice))?\))?[ \t]{0,8}$`,
  ].join(''),
  'gmu',
);

/** A tick takes the place of what marks one line of a list of options and no other. */
function tickMarkedLines(text: string): string {
  if (!MARKED.test(text)) return text;
  let list: RegExpExecArray[] = [];
  const ticks: [at: number, mark: string][] = [];
  const endList = (): void => {
    const marked = list.filter(([, , before, , after]) => before ?? after);
    const [line] = marked;
    if (list.length > 2 && line !== undefined && marked.length === 1) {
      const [all, indent = '', before = '', , after = ''] = line;
      const end = line.index + all.trimEnd().length;
      if (before !== '') ticks.push([line.index + indent.length, before]);
      else ticks.push([end - after.length, after]);
    }
    list = [];
  };
  for (const line of findAll(text, OPTION_LINE)) {
    const last = list.at(-1);
    const isNext = last !== undefined && last.index + last[0].length + 1 === line.index;
    if (!isNext || (line[3] ?? '') <= (last[3] ?? '')) endList();
    list.push(line);
  }
  endList();
  let ticked = text;
  for (const [at, mark] of ticks)
    ticked = `${ticked.slice(0, at)}${'✓'.padEnd(mark.length)}${ticked.slice(at + mark.length)}`;
  return ticked;
}

/** "Answer: <B>" */
function isLabelInBrackets(text: string, tag: string): boolean {
  return /^<[A-Z]>$/u.test(tag) && !text.includes(`</${tag.slice(1)}`);
}

/** A block element of HTML becomes a separate line. */
function toBreak(tag: string, name: string): string {
  return `${/^(?:br|p|div|li|ul|ol|h)/iu.test(name) ? '\n' : ' '}${toSpaces(tag.slice(1))}`;
}

const SIGNS = new Map(
  [
    '-−‐‑‒',
    "'‘’‚‛′",
    '"“”„‟″«»「」『』',
    '[【〔〖',
    ']】〕〗',
    '✓✅✔☑',
    '✗❌✘✖❎☐',
    '→➡⇒➔',
    ':∶',
  ].flatMap(([by = '', ...signs]) => signs.map((sign) => [sign, by] as const)),
);

/** "🅐" and "🅰", from which on the alphabet follows. */
const SQUARES = [0x1f150, 0x1f170];
const isLetter = (place: number): boolean => place >= 0 && place < 26;

/**
 * Typographic, full-width and circled characters become plain ones; invisible ones become spaces.
 */
function foldSigns(text: string): string {
  return text.replace(/[^\n -~À-ͯ\p{Script=Han}]/gu, (sign) => {
    const folded = SIGNS.get(sign);
    if (folded !== undefined) return folded;
    const square = SQUARES.map((first) => (sign.codePointAt(0) ?? 0) - first).find(isLetter);
    if (square !== undefined) return String.fromCharCode(65 + square).padEnd(sign.length);
    if (/[\s\p{Cf}\p{Cc}\p{VS}\p{Extended_Pictographic}]|\u{20e3}/u.test(sign))
      return ' '.repeat(sign.length);
    // Superscripts stay: "10⁸" is not 108.
    const plain = /[⁰-⁹⁻¹²³]/u.test(sign) ? sign : sign.normalize('NFKC');
    return plain.length <= sign.length ? plain.padEnd(sign.length) : sign;
  });
}

/** "\\frac13" */
const SHORT_FRACTION = /\\[dt]?frac ?(\d) ?(\d)(?!\d)/gu;

function toFraction(written: string, top: string, bottom: string): string {
  return `${top}/${bottom}`.padStart(written.length);
}

const GROUP =
  /(?:\\|(?<![\\a-z])(?=f?boxed))(boxed|fbox|framebox|text[a-z]{0,6}|math[a-z]{2}|operatorname|mbox|rm|bf|underline)\s?\{/gu;
/** A box with more text than this contains no answer. */
const LONGEST_GROUP = 400;

/** "\boxed{\text{B}}" becomes "⟦B⟧", with spaces in place of the rest. */
function openGroups(text: string): string {
  const signs = text.split('');
  for (const group of findAll(text, GROUP)) {
    const open = group.index + group[0].length - 1;
    const close = closingBrace(text, open);
    if (close === null) continue;
    const isBox = /box|frame/u.test(group[1] ?? '') && group[1] !== 'mbox';
    signs.fill(' ', group.index, open);
    signs[open] = isBox ? '⟦' : ' ';
    signs[close] = isBox ? '⟧' : ' ';
  }
  return signs.join('');
}

function closingBrace(text: string, open: number): number | null {
  let depth = 0;
  for (const brace of text.slice(open, open + LONGEST_GROUP).matchAll(/[{}]/gu)) {
    depth += brace[0] === '{' ? 1 : -1;
    if (depth === 0) return open + brace.index;
  }
  return null;
}

/** Capitals that look like a Latin one, in Cyrillic and Greek, with the Latin one below each. */
const ALIKE = 'АВЕКМНОРСТХ' + 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ';
const LATIN = 'ABEKMHOPCTX' + 'ABEZHIKMNOPTYX';
const LATIN_OF: ReadonlyMap<string, string> = new Map(
  [...ALIKE].map((letter, i) => [letter, LATIN.charAt(i)]),
);

const BEFORE_ANSWER = anyOf(
  '^|[\\n:=–—-]',
  '(?:ответ|вариант)[а-я]{0,2}|является|буква|απάντηση|επιλογή|είναι',
);
/** A capital alone in the place of an answer. "В" before a word is "in". */
const ANSWER_PLACE = new RegExp(
  `(?<=${BEFORE_ANSWER}\\s{0,3}[("'⟦]?)[${ALIKE}](?=[)"'⟧]?[.,;!]?\\s*(?:\\n|$)|[).] |[,;] )`,
  'giu',
);
const NOT_LATIN = /[\u0370-\u04ff]/u;
/** Alone, these letters show that an output has labels of its own alphabet. */
const OWN_ALPHABET = /(?<![\p{L}\p{N}])[БГДΓΔ](?![\p{L}\p{N}])/u;

/**
 * Gives labels the Latin letters of the question where a keyboard of another alphabet wrote ones that
 * look the same: "Ответ: В" with a Cyrillic letter names B. The text keeps its length.
 */
export function toLatinLabels(text: string, labels: readonly string[]): string {
  if (!NOT_LATIN.test(text) || OWN_ALPHABET.test(text)) return text;
  if (labels.some((label) => NOT_LATIN.test(label))) return text;
  return text.replace(ANSWER_PLACE, (letter) => LATIN_OF.get(letter) ?? letter);
}
