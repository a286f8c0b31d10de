import { remember } from '../remember.ts';
import { clean } from './clean.ts';
import {
  DECLINED_OPTION,
  KOREAN_IS,
  NONE_OPTION,
  SAYS_ALL,
  SAYS_NONE,
  UNSURE_OPTION,
} from './words.ts';

/** What is known of a question when its answer is read. */
export type ChoiceQuestion = Readonly<{
  /** Option texts by label; absent means that labels are the letters A to Z. */
  choices?: Readonly<Record<string, string>> | undefined;
  /**
   * Whether several options may be right. Absent means unknown: then several count if they are
   * stated as a list.
   */
  multiple?: boolean | undefined;
}>;

/** The labels of a question; nothing else is read as a label. */
export type Labels = Readonly<{
  ordered: readonly string[];
  /** True when no choices are known and every letter from A to Z is a label. */
  open: boolean;
  /** The label with this spelling. Another case counts only if it fits one label alone. */
  find: (spelling: string) => string | null;
  /** The source of a pattern that matches any label, longest first. */
  source: string;
}>;

/** A question, prepared for reading its answers. */
export type Question = Readonly<{
  labels: Labels;
  texts: ReadonlyMap<string, OptionText>;
  /** The texts without formatting. */
  written: ReadonlyMap<string, string>;
  /** The one option that says "none", "cannot be determined", "prefer not to say". */
  none: string | null;
  unsure: string | null;
  declined: string | null;
}>;

const LETTERS: readonly string[] = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

const NO_CHOICES: Readonly<Record<string, string>> = {};

const prepareOnce = remember(prepare);

/** A question with several trials is prepared once. */
export function toQuestion(asked: ChoiceQuestion['choices']): Question {
  return prepareOnce(asked ?? NO_CHOICES);
}

function prepare(choices: Readonly<Record<string, string>>): Question {
  const only = (says: RegExp) => onlyLabel(choices, (text) => says.test(text.trim().toLowerCase()));
  return {
    labels: toLabels(choices),
    texts: toTexts(choices),
    written: new Map(Object.entries(choices).map(([label, text]) => [label, plain(text)])),
    none: only(NONE_OPTION),
    unsure: only(UNSURE_OPTION),
    declined: only(DECLINED_OPTION),
  };
}

/** Outputs leave the article out: "bird" for "a bird". It stays where it tells options apart. */
function toTexts(choices: Readonly<Record<string, string>>): ReadonlyMap<string, OptionText> {
  const written = Object.entries(choices).map(
    ([label, text]) => [label, toOptionText(text)] as const,
  );
  const short = written.map(([label, text]) => [label, dropArticle(text)] as const);
  const isClear = new Set(short.map(([, { key }]) => key)).size === short.length;
  return new Map(isClear ? short : written);
}

function dropArticle(text: OptionText): OptionText {
  const [first = '', ...words] = text.words;
  return /^(?:an?|the)$/u.test(first) && words.length > 0
    ? { ...text, words, key: words.join(' '), head: words[0]?.charAt(0) ?? '' }
    : text;
}

const labelsOf = remember((choices: object) => buildLabels(Object.keys(choices)));

export function toLabels(asked: ChoiceQuestion['choices']): Labels {
  return labelsOf(asked ?? NO_CHOICES);
}

function buildLabels(named: readonly string[]): Labels {
  const ordered = named.length === 0 ? LETTERS : named;
  const exact = new Map(ordered.map((label) => [foldLabel(label), label]));
  const folded = new Map<string, string | null>();
  for (const label of ordered) {
    const spelling = foldLabel(label).toLowerCase();
    // "a" and "A" as two labels of one question: only the exact spelling tells them apart.
    folded.set(spelling, folded.has(spelling) ? null : label);
  }
  const sources = [...exact.keys()]
    .filter((spelling) => spelling !== '')
    .toSorted((a, b) => b.length - a.length)
    .map((spelling) => spelling.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&'));
  return {
    ordered,
    open: named.length === 0,
    find: (spelling) =>
      exact.get(foldLabel(spelling)) ?? folded.get(foldLabel(spelling).toLowerCase()) ?? null,
    source: `(?:${sources.length === 0 ? '(?!)' : sources.join('|')})`,
  };
}

/** The only label whose text passes a test; null when none or several do. */
export function onlyLabel(
  choices: ChoiceQuestion['choices'],
  holds: (text: string) => boolean,
): string | null {
  const [only, ...others] = Object.entries(choices ?? {}).flatMap(([label, text]) =>
    holds(text) ? label : [],
  );
  return others.length === 0 ? (only ?? null) : null;
}

export function foldLabel(label: string): string {
  return label.normalize('NFKC').trim();
}

/** Labels without repeats, in the order of the question. */
function inOrder(labels: readonly string[], ordered: readonly string[]): readonly string[] {
  const chosen = new Set(labels);
  return ordered.filter((label) => chosen.has(label));
}

/**
 * An option's text in normal form. `reach` is the most characters that a text which repeats it may
 * take.
 */
export type OptionText = Readonly<{
  words: readonly string[];
  key: string;
  /** The first character of the first word. */
  head: string;
  reach: number;
}>;

function toOptionText(text: string): OptionText {
  const words = [...wordsIn(clean(text))].map(({ word }) => word);
  const key = words.join(' ');
  return { words, key, head: key.charAt(0), reach: 3 * key.length + 30 };
}

export type Word = Readonly<{ word: string; start: number; end: number }>;

const POWER_SIGN = String.raw`(?<=\d)[eE](?:-(?=\d)|(?=\+?\d))`;

/** "×" before a power of ten, and "^\circ". */
const DROPPED = String.raw`(?<=\d[ ]?)[xX×·](?=[ ]?10(?!\d))|\^\s?\{?\s?\\circ(?![a-z])\s?\}?`;

const MINUS = String.raw`(?:(?<![\p{L}\p{N})\]}])-(?! )|(?<![\p{L}\p{N})\]}][ ]?)-(?=[ ]))(?=[ ]?(?:[(\\]?(?:\.?\d|\p{L}(?!\p{L}))|\\[dt]?frac))`;

/** "3:8" and "3 to 8" mean the fraction 3/8. */
const RATIO = String.raw`(?<=\d[ ]?):(?=[ ]?\d)|(?<=\d[ ])to(?=[ ]\d)|(?<=\d[ ]?)比(?=[ ]?\d)`;

const WORD = new RegExp(
  [
    `(${DROPPED})|(${POWER_SIGN})|(${RATIO})|[±→∧∨⊃≡✓✗]|${MINUS}`,
    // Numbers, and "⁻⁸".
    String.raw`\d+(?:(?:[,.]|\{,\})\d+)*|(?<![\p{L}\p{N}])\.\d+|[⁺⁻]?[⁰¹²³⁴-⁹]+`,
    // Chinese and Japanese characters, "\pi", words.
    String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}][\u3099\u309a]?|\\[a-zA-Z]+`,
    String.raw`[a-zA-ZªµºÀ-ÖØ-öø-῿]+|\p{Script=Hangul}{1,20}?(?=${KOREAN_IS}(?!\p{L}))|[\p{L}\p{M}]+`,
    // "}{" of a fraction, and signs with a meaning.
    String.raw`\}\s?\{|[%=<>+^/√]`,
  ].join('|'),
  'gu',
);

/**
 * The words of a text in normal form: "1,200.0 N" equals "$1200 \mathrm{~N}$", and "\frac{1}{2}"
 * equals "1/2".
 */
export function* wordsIn(text: string): Generator<Word> {
  let end = 0;
  for (;;) {
    // Faster than matchAll, which copies the pattern: most callers read a word or two.
    WORD.lastIndex = end;
    const match = WORD.exec(text);
    if (match === null) return;
    const [all, dropped, power, ratio] = match;
    const start = match.index;
    end = start + all.length;
    // "3.6e-3" and "3.6 x 10^-3"
    const words =
      ratio !== undefined
        ? '/'
        : power === undefined
          ? normalWord(all)
          : power.length > 1
            ? '10 ^ -'
            : '10 ^';
    for (const word of dropped === undefined ? words.split(' ') : [])
      if (word !== '') yield { word, start, end };
  }
}

const PLAIN_WORD = /^[a-zA-Z]+$/u;
const SAME = new Map(
  'two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 percent=% degree= degrees= ±=pm √=sqrt →=to rightarrow=to π=pi ω=omega μ=mu λ=lambda θ=theta'
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
);

/** Commands that only change how a formula looks, or that mean "×", which is not a word. */
const LOOKS =
  /^\\(?:[dt]?frac|times|cdot|circ|left|right|text\w*|math\w*|quad|qquad|displaystyle|operatorname|rm|degree|ast)$/u;

function normalWord(written: string): string {
  if (PLAIN_WORD.test(written)) return toSame(written.toLowerCase());
  if (/^\.?\d/u.test(written)) return normalNumber(written);
  if (/^[⁺⁻⁰¹²³⁴-⁹]/u.test(written))
    return `^ ${written.normalize('NFKC').replace('−', '- ').replace('+', '')}`;
  if (written.startsWith('}')) return '/';

  if (LOOKS.test(written)) return '';
  // A letter and its accent are one character or two.
  return toSame(written.replace(/^\\/u, '').normalize('NFC').toLowerCase());
}

function toSame(word: string): string {
  return SAME.get(word) ?? word;
}

function normalNumber(written: string): string {
  const plain = written.replace(/\{,\}|,(?=\d{3}(?!\d))/gu, '');
  return /^(?:\d{1,15}(?:\.\d{1,15})?|\.\d{1,15})$/u.test(plain) ? String(Number(plain)) : plain;
}

/**
 * Whether the text of an option or a target says "none of the above". A bare "none" is an ordinary
 * option text.
 */
export function isNoneStatement(text: string): boolean {
  return SAYS_NONE.test(plain(text).toLowerCase());
}

/**
 * Whether a text says "all of the above", "all options", "all of the above statements are true".
 */
export function isAllStatement(text: string): boolean {
  return SAYS_ALL.test(plain(text).toLowerCase());
}

/** A text without formatting. */
export function plain(text: string): string {
  return clean(text).replace(/\s+/gu, ' ').trim();
}

/**
 * Reduces sets of labels that mean the same to one form. The option "all of the above" replaces
 * every ordinary option. When only one option may be right, "C. Both A and B" replaces A and B. The
 * labels are in the order of the question.
 */
export function canonicalLabels(
  labels: readonly string[],
  question: ChoiceQuestion,
): readonly string[] {
  const { ordered } = toLabels(question.choices);
  const chosen = inOrder(labels, ordered);
  if (chosen.length < 2) return chosen;
  const all = onlyLabel(question.choices, isAllStatement);
  const ordinary = ordinaryLabels(question);
  if (all !== null && ordinary.length > 1 && ordinary.every((label) => chosen.includes(label))) {
    const others = chosen.filter((label) => label !== all && !ordinary.includes(label));
    if (others.length === 0) return [all];
  }
  const both = question.multiple === true ? null : conjunctionLabel(chosen, question);
  return both === null ? chosen : [both];
}

/** The set with "all of the above" replaced by the options that it means, for their overlap. */
export function spelledOut(labels: readonly string[], question: ChoiceQuestion): readonly string[] {
  const all = onlyLabel(question.choices, isAllStatement);
  return all !== null && labels.includes(all) ? ordinaryLabels(question) : labels;
}

/**
 * The labels that ALL means: the option that says so, else every ordinary option; ["ALL"] when no
 * choices are known.
 */
export function allLabels(question: ChoiceQuestion): readonly string[] {
  if (toLabels(question.choices).open) return ['ALL'];
  const all = onlyLabel(question.choices, isAllStatement);
  return all === null ? ordinaryLabels(question) : [all];
}

/** The labels of the options that are neither "all of the above" nor "none of the above". */
function ordinaryLabels({ choices }: ChoiceQuestion): readonly string[] {
  return Object.entries(choices ?? {})
    .filter(([, text]) => !isAllStatement(text) && !isNoneStatement(text))
    .map(([label]) => label);
}

/**
 * The only option whose text says exactly these labels: "Both A and B", "A and B only", "A, B and C
 * are correct".
 */
function conjunctionLabel(chosen: readonly string[], { choices }: ChoiceQuestion): string | null {
  return onlyLabel(choices, (text) => {
    if (text.length > 80) return false;
    const list = plain(text).replace(
      /^(?:both|options?|choices?|statements?)\s|\s(?:only|are (?:both |all )?(?:correct|true|right))\.?$/giu,
      '',
    );
    const named = list
      .split(/\s?(?:,|&|\+)\s?(?:and\s)?|\sand\s|\s?[、和]\s?/iu)
      .map((part) => part.replace(/[.()]/gu, '').trim());
    return (
      named.length === chosen.length &&
      named.every((label) => chosen.includes(label)) &&
      new Set(named).size === named.length
    );
  });
}
