import { findAll } from '../../words/find-all.ts';
import { remember } from '../remember.ts';
import type { DoubtName } from './doubt.ts';
import { anyOf, behind, matchAt } from './patterns.ts';
import { foldLabel, type OptionText, type Question, type Word, wordsIn } from './question.ts';
import { ENDING } from './words.ts';

const NOUN = anyOf(
  'options?|choices?|statements?|answers?|选项|opci[oó]n|opção|opzione|alternativ(?:a|es?)',
  'вариант|विकल्प|বিকল্প|گزینه|antwort(?:en)?|r[ée]ponse|respuesta|resposta|risposta|letra|ответ|cevap|jawaban|đáp án|svar|odpowiedź|antwoord',
);

/** "both options", "the letter", "选项". */
const NOUNS = `(?:(?:both|either|only|just|the|la|el|die|letters?|items?|lettre|lettera|${NOUN})[ \\n:]{1,3}|选项){0,3}`;

const NAMING = /(?<![^ \n:])(?!both|either|only|just|(?:the|la|el|die)[ \n:])[^ \n:]/iu;

/**
 * "B(x)", "B's", "Bs" and "1.5" are not labels; in Turkish, "B'dir" is "is B". Chinese text may follow
 * a label without a space.
 */
const NO_WORD =
  "(?!\\((?!\\p{Script=Han})|[-–][A-Z](?![A-Za-z])|(?!'[dt][ıiuü]r(?![a-z]))['’]?[A-Za-z0-9_\\u00c0-\\u024f\\u0300-\\u036f\\u0400-\\u04ff]|[.,]\\d)";

const tokens = new Map<string, RegExp>();

/** A single label at a position, in brackets or bare: "B", "(B)", "option B", "⟦ B ⟧". */
export function tokenAt(reading: Reading, at: number): Token | null {
  const { text, question } = reading;
  const match = matchAt(tokenPattern(question.labels.source), text, at);
  if (match === null) return ordinalAt(reading, at);
  const [all, noun = '', open = '', spelling = '', close = ''] = match;
  const label = question.labels.find(spelling);
  if (label === null) return null;
  const end = at + all.length;
  const start = at + all.lastIndexOf(spelling, all.length - close.length);
  const bracketed = /[([⟦{"']/u.test(open) && close !== '';
  const named = NAMING.test(noun);
  const token = { label, start, end, firm: bracketed || named };
  if (bracketed) return token;
  if (/^\d/u.test(spelling) && COUNT.test(behind(text, end, 'label'))) return null;
  if (spelling !== foldLabel(label) && !isLowerLabel(text, end, spelling, named)) return null;
  const isWord =
    /^[ai]$/iu.test(spelling) && close === '' && isWordNotLabel(reading, token, spelling, named);
  return isWord ? null : token;
}

const ORDINALS = anyOf(
  'first|1st|一',
  'second|2nd|二',
  'third|3rd|三',
  'fourth|4th|四',
  'fifth|5th|五',
  'sixth|6th|六',
).slice(3, -1);
const PLACES = ORDINALS.split('|').map((word, i) => [word, Math.floor(i / 3)] as const);
const PLACE_OF = new Map<string, number>(PLACES);
/** "the third option", "the last one", "option 3", "第三项". "First choice" is a word of its own. */
const ORDINAL = new RegExp(
  [
    `[ \\n]{0,4}(?:the )?(${ORDINALS}|last) (?:one|option|alternative|answer (?:choice|option)|answer|(?<!first )choice)(?![a-z])`,
    `[ \\n]{0,4}(?:option|choice|alternative|answer|number|no\\.) {0,2}(?:number|no\\.|#)? {0,2}(\\d)(?!\\d|[.,]\\d|[%:/a-z])`,
    `[ \\n]{0,4}第(${ORDINALS}|\\d)(?:[个個]?(?:选项|答案)|[个项個項]|(?=[\\s。.,!]|$))`,
  ].join('|'),
  'uy',
);

/** An option by its place in the list. */
function ordinalAt({ lower, question }: Reading, at: number): Token | null {
  const match = matchAt(ORDINAL, lower, at);
  const { ordered, open } = question.labels;
  if (match === null || open || ordered.some((label) => /\d/u.test(label))) return null;
  const [all, word = '', digit = '', chinese = ''] = match;
  const written = word || digit || chinese;
  const index =
    written === 'last' ? ordered.length - 1 : (PLACE_OF.get(written) ?? Number(written) - 1);
  const label = ordered[index];
  const start = at + all.search(/\S/u);
  return label === undefined ? null : { label, start, end: at + all.length, firm: true };
}

function tokenPattern(source: string): RegExp {
  const pattern =
    tokens.get(source) ??
    new RegExp(
      `[ \\n]{0,4}(${NOUNS}) {0,2}([(["'⟦{<]{0,2}) {0,12}(${source}) {0,9}([)\\]"'⟧}>]{0,2})${NO_WORD}`,
      'iuy',
    );
  if (tokens.size > 64) tokens.clear();
  tokens.set(source, pattern);
  return pattern;
}

/** "answer: b" at the end of a line and "b because" contain the label B; "a drug" contains none. */
function isLowerLabel(text: string, end: number, spelling: string, named: boolean): boolean {
  return (
    /^ {0,4}[.)。]? {0,4}(?:\n|$)|^\)|^,? (?:because|since) /u.test(behind(text, end, 'label')) ||
    LOWER_LIST.test(behind(text, end, 'clause')) ||
    (named && !/^[ai]$/u.test(spelling))
  );
}

/** What a number counts: "3 mL", "5日". In "3 is", "3番" and "3です" the number is a label. */
const COUNT =
  /^ ?(?:[%°$€]|(?!(?:is|are|was|and|or|would|should|because|since|as|seems?|being|describes?|which|only|et|und|y)(?![a-z]))[a-zA-Zµμ]+|(?![番号項项和与及或是为的])\p{Script=Han})/u;

/** "a, c and e" up to the end of the line. */
const LOWER_LIST =
  /^(?:\)? ?(?:,|;|&|\/|\+|、|・|と|和)? ?(?:and |or |y |e |und |et )?\(?(?<![a-z])[a-z](?![a-z])){1,12}[)\]}⟧"']{0,2} {0,4}(?:[.。]|です。?)? {0,4}(?:\n|$)/u;

/** Words after which "A" or "I" counts as a label: "A is", "A because". */
const AFTER_LABEL = new RegExp(
  `[ \\n]{1,2}${anyOf(
    'is|are|was|were|and|or|would|should|because|since|as|seems?|appears?|with|in|being',
    'describes?|states?|says?|for|but|which|if|only|does|provides?|represents?|remains|has',
    'fits?|can|to|on|by|not|gives?|matches|among|from|over|best|alone|explains|shows|follows',
    'applies|means|satisfies|rather|instead|ist|sind|est|es|è|é|et|y|und|e|o|ou|oder',
    'mais|mas|sino|sondern|aber|верен|верна|верно|है|सही|সঠিক|است|صحیح|şıkkı(?:dır)?|doğru',
  )}(?![a-zà-ɏ])`,
  'uy',
);

/** "A drug" and "I would" begin with an article and a pronoun. */
function isWordNotLabel(
  { text, question }: Reading,
  token: Token,
  spelling: string,
  named: boolean,
): boolean {
  const { label, end } = token;
  const isPronoun = /i/iu.test(spelling);
  if (
    isPronoun &&
    !named &&
    /^ (?:would|should|can|was|has|does|only|best)/u.test(text.slice(end, end + 8))
  )
    return true;
  if (!/^[ \n]{1,3}["'$\\]?[\p{L}\d]/u.test(text.slice(end, end + 5))) return false;
  if (/^ {0,3}\n/u.test(text.slice(end, end + 5)) || (named && !isPronoun)) return false;
  return (
    matchAt(AFTER_LABEL, text, end) === null && ownTextEnd(text, question, label, end) === null
  );
}

/** Between a label and its text: ". ", ") ", ": ", " - ". */
const BETWEEN = /(?:[\s.:)\]"'(,–—]|-(?!\d)){0,6}/uy;

const LETTER = /^[a-z]/u;
const ARTICLE = /^(?:an?|the)$/u;
const ARTICLE_AT = /(?:an?|the) {1,3}/iuy;

/** Where the text of the option ends, if it follows the option's label. */
export function ownTextEnd(
  text: string,
  { texts }: Question,
  label: string,
  at: number,
): number | null {
  const option = texts.get(label);
  return option === undefined ? null : textEnd(text, option, at);
}

function textEnd(text: string, { words, reach }: OptionText, at: number): number | null {
  const between = words[0] === '-' ? /[\s.:)\]"'(,–—]{0,6}/uy : BETWEEN;
  const [first = ''] = words;
  let from = at;
  let head = text.charAt(from).toLowerCase();
  if (!LETTER.test(head)) {
    from += matchAt(between, text, at)?.[0].length ?? 0;
    head = text.charAt(from).toLowerCase();
  }
  if ((head === 'a' || head === 't') && !ARTICLE.test(first)) {
    from += matchAt(ARTICLE_AT, text, from)?.[0].length ?? 0;
    head = text.charAt(from).toLowerCase();
  }
  if (!mayBegin(text, from, first)) return null;
  let last: Word | undefined;
  let count = 0;
  for (const found of wordsIn(text.slice(from, from + reach))) {
    if (count === words.length)
      return last === undefined || isInNumber(last, found) ? null : from + last.end;
    if (found.word !== words[count]) return null;
    last = found;
    count += 1;
  }
  return last === undefined || count < words.length ? null : from + last.end;
}

const PLAIN_WORD = /^[a-z]+$/u;
const DIGIT = /^[1-9]/u;
const NUMBER_WORD = /two|three|four|five|six|seven|eight|nine|ten/iuy;

/** Most places are decided by the first letters of the first word. */
function mayBegin(text: string, from: number, word: string): boolean {
  const head = text.charAt(from).toLowerCase();
  if (LETTER.test(head)) {
    if (DIGIT.test(word)) return matchAt(NUMBER_WORD, text, from) !== null;
    if (!LETTER.test(word)) return true;
    const start = PLAIN_WORD.test(word) ? text.slice(from, from + word.length).toLowerCase() : head;
    return word.startsWith(start);
  }
  return !DIGIT.test(head) || !(LETTER.test(word) || (DIGIT.test(word) && word[0] !== head));
}

/** "12" is not found in "12%", "12/5" or "12^3". */
function isInNumber(last: Word, next: Word): boolean {
  return /\d$/u.test(last.word) && next.start === last.end && /^[%/^]/u.test(next.word);
}

/**
 * The option with the longest text at this place. `closed` is true when the phrase ends with it.
 */
export function textAt(
  { text, question }: Reading,
  at: number,
): Readonly<{ label: string; end: number; closed: boolean }> | null {
  let best: Readonly<{ label: string; end: number }> | null = null;
  const head = text.charAt(at).toLowerCase();
  const isPlain = LETTER.test(head) && head !== 'a' && head !== 't';
  for (const [label, option] of question.texts) {
    // Only an article may stand between.
    if (isPlain && LETTER.test(option.head) && option.head !== head) continue;
    const end = textEnd(text, option, at);
    if (end !== null && (best === null || end > best.end)) best = { label, end };
  }
  if (best === null) return null;
  const after = behind(text, best.end, 'label');
  const closed = TEXT_END.test(after) && !/^(?:,? ?[\d=+*/^]| [\p{L}-])/u.test(after);
  return { ...best, closed };
}

const TEXT_END = new RegExp(`^["')]{0,2}${ENDING}[ )"'\\]⟧}]{0,4}(?:[.,;:!?(]?(?:\\s|$)|。)`, 'u');

/** "(B", "[B", "option B", "选项B". */
const MARKED = new RegExp(
  `(?<![\\p{L}\\p{N}\\\\])(?:\\(|\\[|(?:${NOUN}) {0,2}["'(]?(?=[A-Za-z\\d]))`,
  'giu',
);

/** "B" at the start of a sentence or a clause, or after "and", "so", "is". */
const BARE = new RegExp(
  `(?<=^|[\\n.!?:;,] {0,3}|(?:^|[ \\n])${anyOf(
    'and|or|so|thus|therefore|hence|think|believe|that|is|be|either|both|but|however|while',
    'whereas|only|then|because|since|than|in|for|with|to|[a-z]{2,12}ly',
  )} |[。，、一-鿿ぁ-ヿ가-힣] ?)(?=["']?[A-Z\\d]{1,2}(?:[^\\p{L}\\p{N}]|$|[一-鿿ぁ-ヿ가-힣]))`,
  'giu',
);

/** The labels that a range of text names, in order. */
export function mentionsIn(reading: Reading, from: number, to: number): readonly Token[] {
  return tokensBehind([MARKED, BARE], reading, from, to);
}

/** The labels that brackets or a noun mark as such: "(B)", "option B". */
export function markedIn(reading: Reading, from: number, to: number): readonly Token[] {
  return tokensBehind([MARKED], reading, from, to).filter(
    ({ firm, start }) => firm && !/[a-z]/u.test(reading.text.charAt(start)),
  );
}

/** An output may name labels in thousands of places. Its last ones are enough. */
const MOST_PLACES = 500;

function tokensBehind(
  places: readonly RegExp[],
  reading: Reading,
  from: number,
  to: number,
): readonly Token[] {
  const part = reading.text.slice(from, to);
  const found = new Map<number, Token>();
  for (const { index } of places.flatMap((place) =>
    [...findAll(part, place)].slice(-MOST_PLACES),
  )) {
    const token = tokenAt(reading, from + index);
    if (token !== null && token.end <= to + 1) found.set(token.start, token);
  }
  return [...found.values()].sort((a, b) => a.start - b.start);
}

/** The options whose text occurs in a range. A text inside a longer one does not count. */
export function textsIn(reading: Reading, from: number, to: number): readonly Claim[] {
  const { question } = reading;
  const found = wordsOf(reading).filter(({ start, end }) => from <= start && end <= to);
  const all = ` ${found.map(({ word }) => word).join(' ')} `;
  const hits = [...question.texts].flatMap(([label, { key, words }]) => {
    const at = key.length < 3 && !/\d/u.test(key) ? -1 : all.lastIndexOf(` ${key} `);
    // "±2" is not 2.
    return at < 0 || (/^\d/u.test(key) && all.slice(0, at + 1).endsWith(' pm '))
      ? []
      : [{ label, at, to: at + key.length, count: words.length }];
  });
  const outer = hits.filter(
    (hit) =>
      !hits.some(
        (other) =>
          other.to - other.at > hit.to - hit.at && other.at <= hit.at && hit.to <= other.to,
      ),
  );
  return outer.map(({ label, at, count }) => {
    const first = all.slice(0, at + 1).split(' ').length - 2;
    return labelsClaim([label], found[first]?.start ?? 0, found[first + count - 1]?.end ?? 0);
  });
}

const wordsOf = remember(({ text }: Reading): readonly Word[] => [...wordsIn(text)]);

/** What is read at one place: options, or a statement in place of options. */
export type Value =
  | Readonly<{ kind: 'labels'; labels: readonly string[] }>
  /** `isHedge`: several options of which one may be meant. */
  | Readonly<{ kind: 'conflict'; isHedge?: boolean }>
  | { readonly kind: 'all' | 'none' | 'unsure' | 'declined' | 'unoffered' };

/** A value and its place in the cleaned text. With a doubt on it, it decides nothing. */
export type Claim = Readonly<{
  value: Value;
  start: number;
  end: number;
  /** Where the words begin that say it; absent if that is `start`. */
  from?: number;
  doubt?: DoubtName | null;
}>;

export function isTrusted({ doubt }: Claim): boolean {
  return doubt === undefined || doubt === null;
}

/** A cleaned output prepared for the readers. */
export type Reading = Readonly<{
  text: string;
  /** `text` in lower case, of the same length. */
  lower: string;
  question: Question;
  multiple: boolean | undefined;
  /** The output hit a token limit, so its last words may not be its conclusion. */
  cut: boolean;
  /** The places where marks such as "<eoa>" end an answer. */
  ends: readonly number[];
}>;

/** A label at its place. `firm` is true when brackets or a noun show that it is a label. */
export type Token = Readonly<{
  label: string;
  start: number;
  end: number;
  firm: boolean;
}>;

export function labelsClaim(labels: readonly string[], start: number, end: number): Claim {
  return { value: { kind: 'labels', labels }, start, end };
}

export function labelsOf({ value }: Claim): readonly string[] {
  return value.kind === 'labels' ? value.labels : [];
}

/** A sentence or a line: no period of "1.5" and of "E. coli" ends one. */
export const SENTENCE = /(?:[^.!?\n]|\.(?=\S)|(?<=(?:^|\P{L})\p{Lu})\.){1,2000}[.!?]?/gu;
