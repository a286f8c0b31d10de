import { findAll } from '../../words/find-all.ts';
import { isSame, readQuantity, toPlainMath } from './quantity.ts';

export type StatedNumber = Readonly<{
  /** As it is written, with its sign of currency or per cent. */
  number: string;
  /** The words after it, up to three: its unit may be among them. */
  following: string;
  /** Whether only the sentence's order told it from others, or nothing says that it concludes. */
  loose: boolean;
}>;

/** The conclusion is at the end; the rest of a long output is not read. */
const TAIL = 2_000;
const MOST_SENTENCES = 12;
const BREAK = /(?<=(?<!\\)[.!?][*_"”')\]$]{0,4})\s+(?=[\p{L}\p{N}*_"“‘(\\$#>-])|(?<=[。！？])|\n+/u;

/**
 * The number in the sentence that concludes a text: the last one with a number, before wishes and
 * offers of more help. Null if it has several numbers and does not tell which one is the result.
 */
export function concludingNumber(text: string): StatedNumber | null {
  const sentence = concludingSentence(text);
  if (sentence === null) return null;
  const bare = toPlain(sentence)
    .replace(/[.。]$/, '')
    .replace(ONLY_CONCLUDES, '');
  return readQuantity(bare) === null
    ? statedNumber(sentence)
    : { number: bare, following: '', loose: !CONCLUDES.test(sentence) };
}

/** "So 46.", "It's 46." */
const ONLY_CONCLUDES =
  /^(?:(?:so|thus|therefore|hence|then|finally|altogether|in total|overall|and so|donc|ainsi|also|daher|somit|quindi|entonces|portanto|итак|значит|因此|所以|故)(?!\p{L})[,:，：]? ?)?(?:(?:it|that)['’]s )?/iu;

/** Formulas that are set apart, which may have lines and full stops. */
const DISPLAYED = /\$\$[^$]{1,1000}\$\$|\\\[(?:(?!\\[[\]])[\s\S]){1,1000}\\\]/g;

/** The last sentence of a text that has a number or formula, or null without a conclusion. */
export function concludingSentence(text: string): string | null {
  const tail = text
    .slice(-TAIL)
    .replace(DISPLAYED, (formula) =>
      formula.replace(/\s+/g, ' ').replace(/[.,;] (?=\\\]|\$\$)/, ' '),
    );
  let isLast = true;
  for (const sentence of tail.trim().split(BREAK).slice(-MOST_SENTENCES).reverse()) {
    if (ASIDE.test(sentence) || !/[\p{L}\p{N}]/u.test(sentence)) continue;
    const hasFormula = /\d|\\[a-z]|\$/.test(sentence);
    if (hasFormula) return isLast || CONCLUDES.test(sentence) ? sentence : null;
    // "as claimed." goes on behind a formula.
    isLast &&= /^\p{Ll}[^.!?]{0,40}[.!?]?$/u.test(sentence);
  }
  return null;
}

/** What stands behind a conclusion: wishes, offers, and proofs that it is right. */
const ASIDE =
  /^[\s*_#>-]{0,9}(?:(?:I )?hope|let me know|feel free|please|thanks?|if you|do you|would you|good luck|happy|great|check|verif|to (?:check|verify)|note that|note:|step \d+:?\W*$)/i;
const CONCLUDES =
  /^[\s*_#>-]{0,9}(?:∴|(?:and |so |thus )?(?:therefore|thus|so|hence|finally|in (?:total|all|conclusion|summary)|altogether|overall|consequently|as a result|we (?:get|find|have|conclude)|the answer|donc|ainsi|also|daher|somit|por (?:lo )?tanto|portanto|entonces|quindi|итак|значит|таким образом)(?!\p{L})|因此|所以|故|综上|答|따라서|したがって|よって)/iu;
/** Words that make a guess or a condition of a sentence, or deny it. */
const DOUBT =
  /(?<!\p{L})(?:I think|I guess|I believe|maybe|perhaps|might|may be|could be|possibly|probably|not sure|unsure|assum(?:e|ing)|suppose|if|unknown|guess(?:es|ing|ed)?|whether|unclear|unlikely|presumably|hard to (?:say|tell)|vielleicht|vermutlich|ich (?:glaube|denke)|peut-être|je (?:crois|pense)|quizás?|tal vez|creo que|talvez|acho que|forse|penso che|credo che|наверное|может быть|возможно|думаю)(?!\p{L})|也许|或许|大概|我猜|可能是|たぶん|아마/iu;
/** Words that deny the number behind them in their clause. */
const DENIED =
  /(?<!\p{L})(?:(?:can)?not(?! only)|never|no longer|neither|nor|without|hardly|scarcely|\p{L}{2,10}n['’]t|nicht|nie|kein\p{L}{0,2}|pas|jamais|nunca|não|nem|mai|не|никогда)(?!\p{L})(?:(?!(?<!\p{L})(?:and|but|so|then|und|et|y|e|и)(?!\p{L}))[^,.;:]){0,40}$|(?:不是|并非|没有|从未|从来没|不等于|不到|不足|ではなく|아니라)[^,，。;；]{0,3}$/iu;
/** Words that make another number of the one behind them, and of the one before them. */
const CHANGED = [
  /(?<!\p{L})(?:half|thirds?|quarters?|fifths?|twice|double|triple|thrice|times|squares?|cubes?|root|sum|product|factorial|multiples?|divisors?|factors?|digits?)(?: of)?(?: (?:the|all|all the|these|those))? $/iu,
  /^,? (?:which )?(?:and (?:an?|one|two|three|\d) ?(?:half|third|quarter|fourth|fifth|sixth|eighth|tenth)s?|squared|cubed|factorial|plus|minus|divided by|multiplied by|times(?= [$\d(])|choose(?= \d)|to the (?:power|\p{L}{2,12} power)|(?:is|are|was|were|ca|would)(?:n['’]t| not)|(?:is|are|was|were|would be) (?:clearly |obviously )?(?:wrong|incorrect|false|impossible|too \p{L}{3,8}))(?!\p{L})/iu,
] as const;

const DIGITS = String.raw`(?:\d{1,3}(?:(?:,|\{,\})\d{3}){1,9}|\d{1,40})(?:\.\d{1,40})?`;
const NUMBER = new RegExp(
  [
    String.raw`(?<![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\d.,/^_\\{}]|\d[-–:])(?:US\$|[$€£¥] ?)?[-−+]?[$€£¥]?`,
    String.raw`(?:\\frac ?\{\d{1,20}\}\{\d{1,20}\}|${DIGITS}(?: ?\/ ?\d{1,20}| \d{1,9}\/\d{1,9}|\\frac\{\d{1,9}\}\{\d{1,9}\})?)`,
    String.raw`(?: ?%| per ?cent(?!\p{L})| ?(?:\\times|x) ?10 ?\^ ?\{?-?\d{1,4}\}?|e[+-]?\d{1,4})?`,
    String.raw`(?![\p{Script=Latin}\p{Script=Cyrillic}\d^_]|[.,:/]\d| ?[-–]\d| ?(?:dozen|score)(?!\p{L})| ?\\(?:pi|sqrt|frac|log|ln|sin|cos|tan|theta|alpha|infty|pm|binom)(?![a-z])|\.?\\(?:overline|dot|bar))`,
  ].join(''),
  'giu',
);

type Found = Readonly<{ number: string; start: number; end: number }>;

/** The number that one sentence states, or null where nothing tells it from others. */
export function statedNumber(sentence: string): StatedNumber | null {
  const bold = [...findAll(sentence, BOLD)].flatMap(([, one, two]) => one ?? two ?? []);
  const text = toPlain(sentence);
  const found = numbersIn(text).filter(
    ({ start }) => !DENIED.test(text.slice(Math.max(0, start - 60), start)),
  );
  const emphasized = numbersIn(
    bold
      .filter((part) => !/[:：]\s*$/.test(part))
      .map(toPlain)
      .join(' ; '),
  );
  const boldOnes = found.filter(({ number }) =>
    emphasized.some((each) => isSameNumber(each.number, number)),
  );
  if (emphasized.length > 0 && !areSame(emphasized)) return null;
  const isOneBold = areSame(boldOnes);
  const chosen = leading(text, found) ?? (isOneBold ? boldOnes.at(-1) : choose(text, found));
  if (
    chosen === undefined ||
    DOUBT.test(text) ||
    isChanged(text, chosen) ||
    isPartOfFormula(text, chosen) ||
    (leading(text, found) === undefined && isJoined(text, chosen))
  )
    return null;
  const [following = ''] =
    /^(?:\s{0,3}[\p{L}°µ²³/^{}\d]{1,20}){0,3}/u.exec(text.slice(chosen.end)) ?? [];
  const isClear = isOneBold || (areSame(found) && CONCLUDES.test(sentence));
  return { number: chosen.number, following: following.trim(), loose: !isClear };
}

/** Whether the words around a number make another one of it: "half of 10", "5 and a half". */
function isChanged(text: string, { start, end }: Found): boolean {
  const [ahead, behind] = CHANGED;
  return (
    ahead.test(text.slice(Math.max(0, start - 60), start)) || behind.test(text.slice(end, end + 40))
  );
}

const REMARK =
  /^(?: \((?=[^()]{0,80}\p{L}{2}|[\d +*/×-]{1,40}\))| ?= ?[\d(\\][^=]{0,80}$| ?[,;:–—]? ?(?:because|since|as|which|i\.e\.|that is|based on|due to|where|not|rather than|instead of|weil|da|car|porque)(?!\p{L}))/iu;

/** "45 (since 40 + 5)" and "45, because ..." say their number first. */
function leading(text: string, [first]: readonly Found[]): Found | undefined {
  return first?.start === 0 && REMARK.test(text.slice(first.end)) ? first : undefined;
}

const BOLD = /\*\*([^*\n]{1,200})\*\*|__([^_\n]{1,200})__/g;
const MAX_SENTENCE = 600;

function toPlain(sentence: string): string {
  const math = toPlainMath(sentence.slice(-MAX_SENTENCE)).replace(/\\text ?\{([^{}]*)\}/g, ' $1');
  const plain = math
    .replace(/\*\*|__|`/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return CHANCE.test(plain) ? plain.replace(ODDS, '$1/$2') : plain;
}

/** "1 in 5" is a fifth where a sentence speaks of chances. */
const CHANCE =
  /(?<!\p{L})(?:probabilit(?:y|ies)|chances?|odds|likelihood|fraction|proportion)(?!\p{L})/iu;
const ODDS = /(?<![\d.,/-])(\d{1,9}) (?:in|out of) (\d{1,9})(?![\d.,/]\d)/g;

function numbersIn(text: string): readonly Found[] {
  return [...findAll(text, NUMBER)].flatMap(({ 0: number, index }) => {
    const before = text.slice(Math.max(0, index - 30), index);
    const isLabel = LABEL.test(before) || (index === 0 && /^[.)] /.test(text.slice(number.length)));
    return isLabel || readQuantity(number) === null
      ? []
      : { number, start: index, end: index + number.length };
  });
}

/** "Step 3", "equation (2)": names, not amounts. */
const LABEL =
  /(?:^|[^\p{L}])(?:step|part|case|figure|fig\.|table|equation|eq\.|question|problem|example|page|pp?\.|chapter|section|exercise|theorem|lemma|appendix|slide|vol(?:ume|\.)|paragraph|article|footnote|line|version|jan(?:uary|\.)|feb(?:ruary|\.)|march|april|may|june|july|aug(?:ust|\.)|sept?(?:ember|\.)|oct(?:ober|\.)|nov(?:ember|\.)|dec(?:ember|\.)|no\.|number|option|#) ?[(#]?$/iu;

function isSameNumber(a: string, b: string): boolean {
  const [one, two] = [readQuantity(a)?.value, readQuantity(b)?.value];
  return one !== undefined && two !== undefined && isSame(one, two);
}

/** Whether there are numbers, all of one value. */
function areSame(found: readonly Found[]): boolean {
  const [first, ...others] = found;
  return first !== undefined && others.every(({ number }) => isSameNumber(number, first.number));
}

function only(found: readonly Found[]): Found | undefined {
  return areSame(found) ? found.at(-1) : undefined;
}

const OPERATOR_BEFORE =
  /(?:[-−+*/×÷^<>|&]|_ ?(?:\w|\{[^{}]{0,20}\})|\\(?!approx|text|,|;|:)[A-Za-z]{1,12}|(?:more|less|greater|fewer|larger|smaller|other) than|[([{](?:[^()[\]]{0,30}[,;])?) ?$/iu;
const OPERATOR_BEHIND = /^ ?(?:[-−+*/×÷^<>|&!(]|\\(?!approx|text|,|;|:|\$)[A-Za-z])/u;

/** "x + 2" and "n > 2" state no number, and without words only an equation does. */
function isPartOfFormula(text: string, { start, end }: Found): boolean {
  const before = text.slice(Math.max(0, start - 30), start);
  const behind = text.slice(end, end + 12);
  if (OPERATOR_BEFORE.test(before) || (OPERATOR_BEHIND.test(behind) && !REMARK.test(behind)))
    return true;
  const equated = /(?:=|\\approx) ?$/.exec(before);
  if (
    equated !== null &&
    !isNameOrSum(text.slice(Math.max(0, start - 90), start - equated[0].length))
  )
    return true;
  const words = text.replace(/\\[A-Za-z]+|matrix|array|cases/g, '').match(/\p{L}{2,}/gu) ?? [];
  const isSentence = words.length > 1 || /\p{Script=Han}/u.test(text);
  const isEnd = /^[^\d=]{0,30}$/.test(text.slice(end));
  return start > 0 && !isSentence && !(isEnd && /(?:[=:：]|\\approx) ?$/.test(before));
}

/**
 * Whether the side of an equation at the end of a text only names or adds up what it is equal to, as
 * "m + n" and "12 * 3". "2x", "x + y" and "x <" make a formula.
 */
function isNameOrSum(before: string): boolean {
  const plain = before.replace(/_ ?(?:\w|\{[^{}]{0,20}\})|\\[A-Za-z]+/g, ' ');
  const side =
    plain
      .split(/[=,;:：]|\p{L}{2,}/u)
      .at(-1)
      ?.trim() ?? '';
  if (/[<>]/.test(side)) return false;
  if (!/[A-Za-z]/.test(side) || /^[A-Za-z](?:\([^()]{1,9}\))?$/.test(side)) return true;
  return !/\d|[xyz]/.test(side);
}

/** The result among the numbers of a sentence: behind the sign or verb that states it. */
function choose(text: string, found: readonly Found[]): Found | undefined {
  if (!OPENS_SENTENCE.test(text) && !text.includes('=')) return undefined;
  const amounts = found.filter(({ start, end }) => !isAside(text, start, end));
  const stated = found.filter(
    ({ start, end }) =>
      !isTerm(text, end) && STATES.test(text.slice(Math.max(0, start - 60), start)),
  );
  const clause = [...findAll(text, CLAUSE)].at(-1)?.index ?? -1;
  const main = amounts.filter(({ start }) => clause !== -1 && start > clause);
  return (
    only(found) ??
    only(main) ??
    only(stated.filter((each) => main.includes(each))) ??
    only(stated) ??
    only(amounts) ??
    endOfSum(text, found)
  );
}

/** A word, or "55 is" and "3 more boxes are". */
const OPENS_SENTENCE =
  /^[^\p{L}\d]{0,9}(?:\p{L}|[\d.,/%]{1,20}(?: [\p{L}\d]{1,20}){0,4} (?:is|are|was|were|equals?|remains?|makes?)(?!\p{L}))/u;

const APPROXIMATELY =
  '(?: ?(?:now|only|exactly|about|approximately|roughly|around|a total of|therefore|thus|still|just|equal to|given by|simply|also|then|to|up to|=|:|the|\\\\approx))';
/** What changes "by" an amount. */
const CHANGES = String.raw`(?<!\p{L})(?:ro?se|risen|rises?|f[ae]ll(?:s|en)?|drop(?:s|ped)?|gr[eo]ws?|grown|(?:in|de)creas(?:es?|ed)|declin(?:es?|ed)|differs?|exceed(?:s|ed)?|shrank|chang(?:es?|ed)|reduced|went (?:up|down)|goes (?:up|down)) by|(?<!\p{L})(?:increase|decrease|rise|drop|gain|loss|profit) of`;
const STATES = new RegExp(
  [
    String.raw`(?:=|≈|\\approx|(?<!\p{L})(?:is|are|was|were|be|been|equals?|has|have|had|gets?|got|leaves?|leaving|left with|remains?|makes?|making|made|gives?|giving|yields?|takes?|took|costs?|needs?|requires?|pays?|paid|earns?|earned|spends?|spent|saves?|saved|totals?|totaling|comes? to|amounts? to|results? in|(?:sums?|adds?|rounds?|works?|comes?) (?:up |out |down )?(?:to|at)|evaluates? to|simplif(?:y|ies) to|becomes?|weighs?|contains?|sold|sells?|bought|buys?|reaches?|obtain|find|holds?|held|uses?|used|eats?|ate|lasts?|lasted|measures?|receives?|received|owes?|walks?|walked|drove|drives?|scored?|collect(?:s|ed)?|produces?|produced|ist|sind|beträgt|est|sont|vaut|es|son|é|são|è|sono)|${CHANGES}|[是为為有共剩])`,
    `${APPROXIMATELY}{0,3} ?$`,
  ].join(''),
  'iu',
);
/** Words that lead to a result. */
const CLAUSE =
  /(?<!\p{L})(?:so|thus|therefore|hence|which means|meaning|leaving|for a total of|in total)(?!\p{L})|所以|因此|故|[:：] /giu;
const ADJUNCT =
  /(?:(?<!\p{L})(?:after|in|of|for|from|at|per|by|every|each|within|than|on|over|during|with|into|through|all|both|these|those|first|last|other|when|where|since|because|between|among|until|before|age|aged|year)|[(×+*÷/]|\\(?:times|cdot|div)|\d ?-)(?: (?:the|a|an|all|its|their|his|her))? ?$/iu;

/** Whether a number is part of a circumstance, of a sum or of a remark in brackets. */
function isAside(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 40), start);
  const isRange = /(?<!\p{L})(?:between|from) [^ ]{1,20} (?:and|to) ?$/iu.test(before);
  return isRange || isTerm(text, end) || (ADJUNCT.test(before) && !STATES.test(before));
}

/** Whether a sum or an equation goes on behind a number. */
function isTerm(text: string, end: number): boolean {
  return /^ ?(?:[×+*÷/=!^]|\\(?:times|cdot|div)|- ?\d)/.test(text.slice(end, end + 10));
}

/** "5, 6", "5 or 6", "5 cubes and 6 balls": no single number. */
function isJoined(text: string, { start, end }: Found): boolean {
  const behind =
    /^(?: \p{L}{1,20}){0,2},? ?(?:or|and|to|through|bis|oder|und|和|或|[-–~,;:]) ?[$€£]?\d/iu;
  const ahead = /\d(?: [\p{L}'’]{1,20}){0,1},? ?(?:or|and|through|oder|和|或|[–~;:]) ?[$€£]?$/iu;
  return (
    behind.test(text.slice(end, end + 60)) || ahead.test(text.slice(Math.max(0, start - 40), start))
  );
}

/** "3 + 4 = 7, 7 + 5 = 12": the last sum has the result, but "x = 3, y = 4" are two. */
function endOfSum(text: string, found: readonly Found[]): Found | undefined {
  const last = found.at(-1);
  const [, left] = /([^=]{0,80})= ?$/.exec(text.slice(0, last?.start ?? 0)) ?? [];
  const sum = left?.replace(/_ ?(?:\w|\{[^{}]{0,20}\})/g, '');
  return sum !== undefined && /\d ?$|\d ?[\p{L}%)]{1,20} ?$/u.test(sum) ? last : undefined;
}

/** The last number anywhere in a text, or null. */
export function lastNumber(text: string): StatedNumber | null {
  const last = numbersIn(toPlain(text.slice(-TAIL))).at(-1);
  return last === undefined ? null : { number: last.number, following: '', loose: true };
}

/** Whether a text is a sentence, in which a number would be stated, and no bare answer. */
export function isSentence(text: string): boolean {
  const words = text.match(/\p{L}{2,}/gu) ?? [];
  return words.length > 2 && (/[.!?]["”*_)]{0,3}$/.test(text.trim()) || DOUBT.test(text));
}
