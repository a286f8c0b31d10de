import { opensAnalysis, REJECTED } from './lines.ts';
import { boxes } from './structured.ts';
import {
  type Claim,
  labelsClaim,
  labelsOf,
  matchAt,
  mentionsIn,
  type Reading,
  textAt,
} from './tokens.ts';
import { labelsAt, phraseAt, textsAt } from './values.ts';
import {
  ANSWER,
  APPLIES,
  anyOf,
  CHOOSE,
  FILLER,
  IS,
  NOT,
  OPTION,
  RIGHT,
  START,
  toPattern,
} from './words.ts';

/**
 * "Answer: B", "The correct answer is (B).", "The best option to treat this is B", "答案是B", "The
 * answer is iron.", \boxed{B}. A statement and a box are equally strong: the later one counts. "If
 * it rains, the answer is B" is not a statement.
 */
export function statement(reading: Reading): readonly Claim[] {
  const stated: Claim[] = [];
  for (const { at, start, lead } of leads(reading)) {
    const claim = valueAt(reading, at, true);
    const isStated =
      !isConditional(reading.lower, start) && !isSupposed(reading.lower, start, lead);
    if (claim !== null && isStated) stated.push(claim);
    if (claim === null && isUnknownLabel(reading.text, at))
      stated.push({ value: { kind: 'unoffered' }, start: at, end: at + 1 });
  }
  const [first] = reading.question.labels.ordered;
  const answers = stated.filter(
    (claim) => labelsOf(claim)[0] !== first || !opensAnalysis(reading, claim),
  );
  return [...answers, ...boxes(reading)].sort((a, b) => a.start - b.start);
}

/** ": ", " = ", " -> ", " is ". */
const VERB = `(?:(?<=ans)\\.| ?(?:->|=>|→|[:=]|[–—-](?=\\s))| ${IS}(?![a-z\\u00e0-\\u024f]) ?:?)`;
/** "the answer", "the most likely option", "the option that". */
const SUBJECT = `(?:(?:${RIGHT} ){0,3}${ANSWER}|(?:${RIGHT}[\\s,]){1,4}(?:${ANSWER}|${OPTION})|${OPTION}(?: ${RIGHT}|(?= (?:that|which|not))))`;
/** "to this question", "that fits best", "out of the four". */
const QUALIFIER = `(?: (?!in ?correct)(?:[^.:\\n?!=]|\\.(?=\\d)){0,90}?)??`;
/** "Option: B" and "Correct = B" begin a line. */
const LINE_SUBJECT = `(?<=(?:^|\\n|[.!?]\\s)[\\s"']{0,4})${anyOf(
  `(?:${RIGHT} )?(?:option|choice|letter)|correct|(?:selected|chosen|correct) options`,
)}(?: ?[:=])`;
const CLOSEST =
  'richtig (?:ist|sind)(?: also)?|(?<![a-z])(?:closest|nearest)(?: [a-z]+)? (?:is|to|would be)';
const CHINESE = anyOf(
  '(?:正确)?(?:答案|答え|正解|정답)["\\]]?(?:应该|应|是|为|选择|选项|选|は|은|[:=\\s]){0,5}',
  `${anyOf(
    '正确的?(?:选项|说法)(?:应该|应)?(?:是|为)',
    '(?:所以|因此|应该?|故)选择?|选择?(?=\\s?[a-z](?![a-z]))',
  )} ?:?`,
  '最(?:合适|符合)[^。\\n]{0,12}(?:是|为)',
);
/** "Therefore, (B)." */
const HENCE =
  '(?:therefore|thus|hence|consequently|in conclusion|so)(?=[,:]? (?:option |choice )?\\([a-z\\d]\\) ?(?:[.!\\n]|$))[,:]?';
const LEAD = toPattern(
  `(?:${START}(?:${HENCE}|${SUBJECT}${QUALIFIER}${VERB}|${LINE_SUBJECT}|${CLOSEST})|${CHINESE})`,
  'gu',
);
/** "Answer choices: A, B, C" lists them. */
const LISTS = /answer (?:choices|options)|remaining|each|following/u;
/** "This is not the answer:", "if the answer is", "I don't think the answer is". */
const DENIED =
  /\b(?:not|no|n't|incorrect|wrong|if|whether)\b[^.!?:\n]{0,5}$|(?:(?:not|n't|might|may|could) (?:think|believe|say|assume)|thought)(?: that)?(?: the)? {0,2}$|不$|\ball (?:of )?(?:the )?$/u;

/** The last claim counts, so the first of very many places are not read. */
const MOST_LEADS = 100;

function leads({ lower }: Reading) {
  const found = [...lower.matchAll(LEAD)].map(({ 0: lead, index }) => ({
    start: index,
    at: index + lead.length,
    lead,
    before: lower.slice(Math.max(0, index - 24), index),
  }));
  return found
    .filter(({ lead, before }) => !LISTS.test(lead) && !DENIED.test(before))
    .slice(-MOST_LEADS);
}

const FILLERS = toPattern(`[\\s]{0,4}(?:${FILLER}(?![\\p{L}'])[\\s:,]{0,3}|[:,"]\\s{0,3})`, 'uy');
const NEGATED = toPattern(` ?${NOT}(?![a-z])`, 'uy');
const MOST_FILLERS = 5;

/** The value after a verb, with up to four words between: "therefore clearly option B". */
function valueAt(reading: Reading, from: number, isAnswer: boolean): Claim | null {
  let at = from;
  for (let i = 0; i < MOST_FILLERS; i++) {
    const phrase = phraseAt(reading, at);
    if (phrase !== null && phrase.value.kind !== 'all') return phrase;
    if (matchAt(NEGATED, reading.lower, at) !== null) return null;
    const labels = labelsAt(reading, at, true);
    const start = at + (matchAt(/\s{0,4}/uy, reading.text, at)?.[0].length ?? 0);
    const text = textAt(reading, start);
    if (labels !== null && !(text?.closed === true && text.end > labels.end + 4)) return labels;
    if (text !== null && (text.closed || (isAnswer && text.end - at > 14)))
      return textsAt(reading, start, reading.multiple === true);
    if (phrase !== null) return phrase;
    const filler = matchAt(FILLERS, reading.lower, at);
    if (filler === null) return null;
    at += filler[0].length;
  }
  return null;
}

/** "If it rains, the answer is B", but not "If we compare them, the answer is B". */
export function isConditional(lower: string, at: number): boolean {
  const before = lower.slice(Math.max(0, at - 170), at);
  return /(?:^|[.!?\n,] {0,3}|however,? |but )if (?!i |we )[^.!?\n]{0,160}$/u.test(before);
}

/** "Without this hint, the answer would be B." */
function isSupposed(lower: string, at: number, said: string): boolean {
  return (
    /would|could|might/u.test(said) &&
    (isConditional(lower, at) ||
      /(?<![a-z])(?:without|otherwise|had)(?![a-z])[^.!?\n]{0,160}$/u.test(
        lower.slice(Math.max(0, at - 170), at),
      ) ||
      /^[^.!?\n]{0,160} if (?!i |we )/u.test(lower.slice(at, at + 170)))
  );
}

/** "Answer: Z" names no option of the question, and "Answer: ()" names none at all. */
function isUnknownLabel(text: string, at: number): boolean {
  return /^ {0,2}(?:["(]?[A-Z][")]?\.?\s*(?:\n|$)|\([A-Z]? {0,9}\))/u.test(text.slice(at, at + 12));
}

const APPLIES_AT = toPattern(`[\\s,]{0,3}(?:alone |only )?${APPLIES}`, 'uy');
const CHOOSE_LEAD = toPattern(`(?<![\\p{L}'])(?<!not |n't |cannot )${CHOOSE}(?![a-z])`, 'gu');
/** "A and B are plausible" is not a choice of both. */
const SURELY = /correct|right|answer|appl|richtig|cert|fit|satisf|正确|对的|符合/u;
/** "not B is ...", "whether B is ...". */
const UNTRUE = new RegExp(
  `${anyOf(
    "not|neither|nor|if|whether|why|n't|(?:not|n't|false|doubt|unclear|deny)[^.\\n]{0,12} that",
    'than|unlike|none of(?: the)?',
  )} {0,2}$`,
  'u',
);
/** "students often choose", "it would be wrong to choose", "I first chose" */
const NOT_MINE = new RegExp(
  `(?<![a-z])(?:${NOT}|unable|either|if|wrong|mistake|tempt|first|initially|otherwise|who)|n't`,
  'u',
);
/** "I would choose", "let us go with", "so choose" */
const MINE =
  /(?<![a-z])(?:i|we|let's|us|me|my|our|best|should|must)(?![a-z])|^ ?(?:(?:so|then|thus|therefore|hence|and|but|finally|to) )?$/u;
const ACTS = /^(?:cho|sel|pick|go|opt|set|vote|lean|stick|conc|answer w|say|guess|rec)/u;

/**
 * "C is the correct answer", "(C) fits best", "I would choose C",
 * "that leaves C".
 */
export function confirmed(reading: Reading): readonly Claim[] {
  const { text, lower } = reading;
  const found: Claim[] = [];
  for (const { 0: verb, index } of lower.matchAll(CHOOSE_LEAD)) {
    const [clause = ''] = /[^.!?;:,\n]*$/u.exec(lower.slice(Math.max(0, index - 90), index)) ?? [];
    if (NOT_MINE.test(clause) || (!MINE.test(clause) && ACTS.test(verb))) continue;
    if (isSupposed(lower, index, clause)) continue;
    const claim = valueAt(reading, index + verb.length, false);
    if (claim === null || opensAnalysis(reading, claim)) continue;
    if (REJECTED.test(lower.slice(claim.end, claim.end + 24))) continue;
    if (claim.value.kind === 'labels' || claim.value.kind === 'conflict') found.push(claim);
  }
  let read = 0;
  for (const { start } of mentionsIn(reading, 0, text.length)) {
    const [open = ''] =
      /(?:(?:option|choice|answer) )?[("'[⟦ ]{0,2}$/u.exec(
        lower.slice(Math.max(0, start - 9), start),
      ) ?? [];
    const claim = start < read ? null : labelsAt(reading, start - open.length);
    if (claim === null || labelsOf(claim).length === 0) continue;
    read = claim.end;
    const before = lower.slice(Math.max(0, start - 24), start - open.length);
    if (UNTRUE.test(before.replace(/(?:options?|choices?|both|the) {0,2}$/u, ''))) continue;
    const verb = verbPlaces(reading, claim).map((at) => matchAt(APPLIES_AT, lower, at)?.[0]);
    const isRight = (said = ''): boolean =>
      said !== '' &&
      (labelsOf(claim).length === 1 || SURELY.test(said)) &&
      !(said.includes('would') && found.some((other) => other.start < start)) &&
      !isSupposed(lower, start, said);
    if (verb.some(isRight)) found.push(claim);
  }
  found.sort((a, b) => a.start - b.start);
  return together(found, reading);
}

/** Where the verb may follow: "B is", "B. is", "B: some words is". */
function verbPlaces({ text }: Reading, { end }: Claim): readonly number[] {
  const skip = /^[)"'\]]?(?:[:,.)] {0,2}|[ ,]{1,2}\()?(?=\S)/u.exec(text.slice(end, end + 4));
  return [end, end + (skip?.[0].length ?? 0)];
}

/** When several options may be right, "A is correct ... C is correct" names both. */
function together(claims: readonly Claim[], { multiple }: Reading): readonly Claim[] {
  const first = claims[0];
  const last = claims.at(-1);
  if (multiple !== true || first === undefined || last === undefined) return claims;
  if (claims.some((claim) => labelsOf(claim).length !== 1)) return claims;
  return [labelsClaim([...new Set(claims.flatMap(labelsOf))], first.start, last.end)];
}
