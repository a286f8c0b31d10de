import { clean } from './clean.ts';
import { NONE_OPTION, UNSURE_OPTION } from './words.ts';

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
  /** The one option that says "none", "cannot be determined". */
  none: string | null;
  unsure: string | null;
}>;

const LETTERS: readonly string[] = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const NO_CHOICES: Readonly<Record<string, string>> = {};
const known = new WeakMap<object, Question>();

/** A question with several trials is prepared once. */
export function toQuestion(asked: ChoiceQuestion['choices']): Question {
  const choices = asked ?? NO_CHOICES;
  const question = known.get(choices) ?? prepare(choices);
  known.set(choices, question);
  return question;
}

function prepare(choices: Readonly<Record<string, string>>): Question {
  const only = (says: RegExp) => onlyLabel(choices, (text) => says.test(text.trim().toLowerCase()));
  return {
    labels: toLabels(choices),
    texts: new Map(Object.entries(choices).map(([label, text]) => [label, toOptionText(text)])),
    none: only(NONE_OPTION),
    unsure: only(UNSURE_OPTION),
  };
}

const labelsOf = new WeakMap<object, Labels>();

export function toLabels(asked: ChoiceQuestion['choices']): Labels {
  const choices = asked ?? NO_CHOICES;
  const labels = labelsOf.get(choices) ?? buildLabels(Object.keys(choices));
  labelsOf.set(choices, labels);
  return labels;
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
export function inOrder(labels: readonly string[], ordered: readonly string[]): readonly string[] {
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
  reach: number;
}>;

function toOptionText(text: string): OptionText {
  const words = [...wordsIn(clean(text))].map(({ word }) => word);
  const key = words.join(' ');
  return { words, key, reach: 3 * key.length + 30 };
}

export type Word = Readonly<{ word: string; start: number; end: number }>;

const POWER_SIGN = String.raw`(?<=\d)[eE](?:-(?=\d)|(?=\+?\d))`;
/** "×" before a power of ten, and "^\circ". */
const DROPPED = String.raw`(?<=\d[ ]?)[xX×·](?=[ ]?10(?!\d))|\^\s?\{?\s?\\circ(?![a-z])\s?\}?`;
const MINUS = String.raw`(?:(?<![\p{L}\p{N})\]}])-(?! )|(?<![\p{L}\p{N})\]}][ ]?)-(?=[ ]))(?=[ ]?[(\\]?(?:\.?\d|\p{L}(?!\p{L})))`;
const WORD = new RegExp(
  [
    `(${DROPPED})|(${POWER_SIGN})|[±→∧∨⊃≡✓✗]|${MINUS}`,
    // Numbers, and "⁻⁸".
    String.raw`\d+(?:(?:[,.]|\{,\})\d+)*|(?<![\p{L}\p{N}])\.\d+|[⁺⁻]?[⁰¹²³⁴-⁹]+`,
    // Chinese and Japanese characters, "\pi", words.
    String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|\\[a-zA-Z]+`,
    String.raw`[a-zA-ZªµºÀ-ÖØ-öø-˿Ͱ-῿]+|\p{L}+`,
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
  for (const match of text.matchAll(WORD)) {
    const start = match.index;
    const end = match.index + match[0].length;
    const [all, dropped, power] = match;
    // "3.6e-3" and "3.6 x 10^-3"
    const words = power === undefined ? normalWord(all) : power.length > 1 ? '10 ^ -' : '10 ^';
    for (const word of dropped === undefined ? words.split(' ') : [])
      if (word !== '') yield { word, start, end };
  }
}

const SAME = new Map(
  'percent=% degree= degrees= ±=pm √=sqrt →=to rightarrow=to π=pi ω=omega μ=mu λ=lambda θ=theta'
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
);
/** Commands that only change how a formula looks, or that mean "×", which is not a word. */
const LOOKS =
  /^\\(?:[dt]?frac|times|cdot|circ|left|right|text\w*|math\w*|quad|qquad|displaystyle|operatorname|rm|degree|ast)$/u;

function normalWord(written: string): string {
  if (/^\.?\d/u.test(written)) return normalNumber(written);
  if (/^[⁺⁻⁰¹²³⁴-⁹]/u.test(written))
    return `^ ${written.normalize('NFKC').replace('−', '- ').replace('+', '')}`;
  if (written.startsWith('}')) return '/';
  if (LOOKS.test(written)) return '';
  const word = written.replace(/^\\/u, '').toLowerCase();
  return SAME.get(word) ?? word;
}

function normalNumber(written: string): string {
  const plain = written.replace(/\{,\}|,(?=\d{3}(?!\d))/gu, '');
  return /^(?:\d{1,15}(?:\.\d{1,15})?|\.\d{1,15})$/u.test(plain) ? String(Number(plain)) : plain;
}
