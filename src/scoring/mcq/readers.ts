import { leadingLabel, ownLine, verdicts } from './lines.ts';
import { confirmed, isConditional, statement } from './statement.ts';
import { answerTag, jsonAnswer, wholeText } from './structured.ts';
import { type Claim, labelsOf, mentionsIn, type Reading, textsIn, tokenAt } from './tokens.ts';
import { labelsAt, phraseAt } from './values.ts';
import { anyOf, NOT, toPattern, UNSURE } from './words.ts';

/** One form in which outputs state an answer. Its claims are in the order of the text. */
export type Reader = Readonly<{
  name: string;
  /** Not used on outputs that were cut off: it would read their last words as the answer. */
  weak?: true;
  claims: (reading: Reading) => readonly Claim[];
}>;

/**
 * The readers of statements, strongest first: these count wherever they are, also in an analysis
 * of the options.
 */
export const statements: readonly Reader[] = [
  { name: 'JSON answer', claims: jsonAnswer },
  { name: 'answer tag', claims: answerTag },
  { name: 'whole text', claims: wholeText },
  { name: 'statement', claims: statement },
];

/**
 * The other readers, strongest first. The first reader that finds anything decides by its last
 * claim.
 */
export const inferences: readonly Reader[] = [
  { name: 'verdict on each option', claims: verdicts },
  { name: 'label on a line of its own', claims: ownLine },
  { name: 'leading label', claims: leadingLabel },
  { name: 'confirmed option', weak: true, claims: confirmed },
  { name: 'closing mention', weak: true, claims: pointed },
  { name: 'only mention', weak: true, claims: inLastSentence },
  { name: 'none or all stated', claims: noneStated },
  { name: 'refusal', claims: undetermined },
  { name: 'only option text', weak: true, claims: onlyText },
];

const POINTER = toPattern(
  `(?<![\\p{L}])${anyOf(
    'it.s|is|are|be|was|were|of|with|namely|i\\.e\\.|so|thus|therefore|hence|leaving|as',
  )}[\\s,]{0,2}:? ?(?=(?:options? |choices? |answer )?["(]?[a-z0-9])`,
  'gu',
);
/** Words that lead up to an answer, before or after the verb of the sentence. */
const LEADS_UP = /so|thus|therefore|hence|leaving|it.s/u;
const SPEAKS_OF_RIGHT = new RegExp(
  `${anyOf(
    '(?<!in)correct|best|right|true|closest|most [a-z]{4,12}',
    '(?<![a-z])(?:so|thus|therefore|hence)(?![a-z])|(?<!wrong |incorrect )answer',
  )}[^.\\n]*$`,
  'u',
);
const EXCLUDED = /(?:not|eliminat\w{1,4}|exclud\w{1,4}|rul\w{1,4} out|incorrect|wrong) {0,2}$/u;
const SENTENCE_END = /^[)\]"' ]{0,3}(?:[.!](?:\s|$)|\n|$)/u;
/** "The most likely diagnosis is C, as ..." */
const REASONED = /^[)\]"' ]{0,3}[,;:](?=\s)/u;
const SUPPOSED = /(?:could|might|may|can)(?: [a-z]+)? $/u;

/**
 * "This is (B).", "the only option left is C.", "..., so A." at the end of a sentence; "...: B" at
 * the end of all.
 */
function pointed(reading: Reading): readonly Claim[] {
  const { text, lower } = reading;
  const found = [...lower.matchAll(POINTER)].flatMap(({ 0: lead, index }) => {
    const at = index + lead.length;
    const token = tokenAt(reading, at);
    if (token === null || /[a-z]/u.test(text.charAt(token.start))) return [];
    const before = lower.slice(Math.max(0, index - 80), index);
    const isOfRight = SPEAKS_OF_RIGHT.test(before);
    if (!LEADS_UP.test(lead) && (isConditional(lower, index) || !(token.firm || isOfRight)))
      return [];
    const claim = EXCLUDED.test(before) || SUPPOSED.test(before) ? null : labelsAt(reading, at);
    if (claim === null) return [];
    const after = text.slice(claim.end, claim.end + 16);
    const isOne = isOfRight && /^(?:is|be|was)/u.test(lead) && labelsOf(claim).length === 1;
    return (isOne && REASONED.test(after)) || SENTENCE_END.test(after) ? [claim] : [];
  });
  return [...found, ...lastWord(reading)].sort((a, b) => a.start - b.start);
}

const LONGEST_SENTENCE = 400;
const SENTENCE_START = /[.!?]\s{1,9}|[。\n]\s{0,9}/gu;
const LETTERS = /(?<![\w\\'])[A-Z\d]{1,2}(?![\w'(])/gu;
/** "C = 20" */
const FORMULA = /^ ?[=+*^<>/×·]/u;

const LAST_WORD =
  /(?::|(?<!(?:^|[^\p{L}\p{N}])[A-Z\d]["')]{0,2}),|[→➡]|(?<![\p{L}])(?:is|be|it's|that's)(?: [a-z]{2,12}ly)?) {1,3}(?=["(]?[A-Z\d]{1,2} {0,3}[")]?[.!]?\s*$)/u;
const DOUBT = new RegExp(
  `(?<![a-z])${anyOf(
    'not|never|none(?! of the (?:other|rest))|neither|example|while|violates|fails|exclude',
    'eliminate|reject|whether|if|could|might|may',
  )}(?![a-z])|n't|wrong|incorrect|不|错`,
  'u',
);

/** The only label of the last sentence: "Based on the table, C explains it." */
function inLastSentence(reading: Reading): readonly Claim[] {
  const { text, lower } = reading;
  const said = text.trimEnd();
  const tail = `\n${said}`.slice(-LONGEST_SENTENCE, -1);
  const start = [...tail.matchAll(SENTENCE_START)].at(-1);
  if (start === undefined) return [];
  const from = said.length - tail.length + start.index + start[0].length - 1;
  const sentence = said.slice(from);
  const [first] = mentionsIn(reading, from, text.length);
  // "The castle (C) is possible, but the map proves B."
  const isOther = ({ 0: word, index }: RegExpExecArray): boolean =>
    (tokenAt(reading, from + index)?.label ?? first?.label) !== first?.label ||
    FORMULA.test(sentence.slice(index + word.length));
  if (
    first === undefined ||
    [...sentence.matchAll(LETTERS)].some(isOther) ||
    DOUBT.test(lower.slice(from))
  )
    return [];
  const claim = /[a-z]/u.test(text.charAt(first.start)) ? null : labelsAt(reading, first.start);
  // "Options A and C seem plausible."
  return claim !== null && labelsOf(claim).length === 1 ? [claim] : [];
}

/** "Weighing all of it: B", "So the one that is left is B." */
function lastWord(reading: Reading): readonly Claim[] {
  const { text, lower } = reading;
  const ending = LAST_WORD.exec(text);
  if (ending === null) return [];
  const said = lower.slice(Math.max(0, ending.index - 160), ending.index);
  // "Many believe that it is A, but it is B."
  const sentence = said.split(/[.!?\n]|(?<![a-z])but(?![a-z])/u).at(-1) ?? '';
  const isDoubted = !/[:,→➡]/u.test(ending[0]) && DOUBT.test(sentence);
  const claim = isDoubted ? null : labelsAt(reading, ending.index + ending[0].length);
  return claim === null ? [] : [claim];
}

const NONE_PLACE =
  /(?<=^|[\n.!?,:;] {0,3}|(?:therefore|thus|so|hence|because|since|that|,),? |is |are )(?=none|neither|no |all |都不|以上|not (?:listed|among))/gu;
const OF_OPTIONS = /above|option|choice|answer|these|them|correct|listed|among|以上|都不/u;

/** "All of the above", "all are correct", but not "all are incorrect" nor "all four rivers". */
const ALL_SAID = new RegExp(
  `^(?:all|every|以上)(?!.*(?:incorrect|wrong|false|not|too|other))(?:.*${anyOf(
    'above|option|choice|answer|statement|correct|true|right|valid|of (?:them|these|those)',
    '[都皆全]',
  )}|[^a-z]*$)`,
  'su',
);

/** "None of the options is right", "it is not listed", "All of the above." */
function noneStated(reading: Reading): readonly Claim[] {
  const { text, lower } = reading;
  return [...lower.matchAll(NONE_PLACE)].flatMap(({ index }) => {
    const claim = phraseAt(reading, index);
    if (claim === null || (claim.value.kind === 'all' && text.trim().length > 60)) return [];
    const said = lower.slice(index, claim.end + 20);
    const isOther = claim.value.kind === 'none' ? !OF_OPTIONS.test(said) : !ALL_SAID.test(said);
    return isOther ? [] : [claim];
  });
}

const UNSURE_ANY = toPattern(`(?<![a-z])${UNSURE}`, 'u');

/** "It cannot be determined": chooses the option that says so, if there is one. */
function undetermined({ lower }: Reading): readonly Claim[] {
  return [...(UNSURE_ANY.exec(lower) ?? [])].slice(0, 1).map((found) => {
    const start = lower.indexOf(found);
    return { value: { kind: 'unsure' }, start, end: start + found.length };
  });
}

const NEGATION = toPattern(`(?<![a-z])(?:${NOT}|incorrect|wrong|false)(?![a-z])`, 'u');
const SHORT_OUTPUT = 700;

/**
 * The text of exactly one option, in a short output, or in the last or the first sentence: "It is
 * caused by iron."
 */
function onlyText(reading: Reading): readonly Claim[] {
  const { text, lower } = reading;
  const all = textsIn(reading, 0, text.length);
  const [only] = all;
  if (reading.multiple === true && all.length > 1) return [];
  if (all.length === 1 && only !== undefined && text.trim().length < SHORT_OUTPUT) {
    const isNegated =
      NEGATION.test(
        /[^.!?\n]*$/u.exec(lower.slice(Math.max(0, only.start - 60), only.start))?.[0] ?? '',
      ) ||
      /^ (?:is|are|was|were) (?:not|wrong|incorrect|unlikely|false)/u.test(
        lower.slice(only.end, only.end + 20),
      );
    return isDistinctive(reading, only) && !isNegated ? all : [];
  }
  const sentences = [
    ...text.matchAll(/(?:[^.!?\n]|\.(?=\S)|(?<=(?:^|\P{L})\p{Lu})\.){1,2000}[.!?]?/gu),
  ].filter(([each]) => each.trim() !== '');
  const first = sentences[0];
  const last = sentences.at(-1);
  const isConcluded =
    sentences.length > 3 ||
    /(?<![a-z])(?:so|thus|then|therefore|hence|but|actually)(?![a-z])/iu.test(last?.[0] ?? '');
  for (const sentence of isConcluded ? [last, first] : [first, last]) {
    const from = sentence?.index ?? 0;
    const to = from + (sentence?.[0].length ?? 0);
    const found = textsIn(reading, from, to).filter((claim) => isDistinctive(reading, claim));
    if (found.length === 1 && !NEGATION.test(lower.slice(from, to))) return found;
  }
  return [];
}

/** A text that contains a word. A bare number counts only as the result at the end of a line. */
function isDistinctive({ text, lower }: Reading, { start, end }: Claim): boolean {
  if (/\p{L}{3}/u.test(text.slice(start, end)) || text.trim().length < 60) return true;
  const isResult = /(?:is|are|=|≈|:|equals?|get|to|approximately|about|of) {0,3}\$? ?$/u.test(
    lower.slice(Math.max(0, start - 20), start),
  );
  return isResult && /^[\s.)%$]*$|^[ )]{0,3}[.,]? ?\n/u.test(text.slice(end));
}
