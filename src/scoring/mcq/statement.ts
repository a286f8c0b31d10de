import { remember } from '../remember.ts';
import { type DoubtName, doubtOn, NEGATES, suppositionOn } from './doubt.ts';
import { labelsBelow, opensAnalysis } from './lines.ts';
import { before, behind } from './reach.ts';
import { boxes } from './structured.ts';
import {
  type Claim,
  isTrusted,
  labelsClaim,
  labelsOf,
  markedIn,
  matchAt,
  mentionsIn,
  ownTextEnd,
  type Reading,
  textAt,
  textsIn,
} from './tokens.ts';
import { labelsAt, phraseAt, textsAt } from './values.ts';
import {
  ANSWER,
  ANSWER_WITHOUT_VERB,
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
  const { text, lower } = reading;
  const stated = leads(reading).flatMap(({ at, start, lead }): readonly Claim[] => {
    const isSentence = !reading.cut && /answer|choice|option/u.test(lead);
    const stated = valueAt(reading, at, true) ?? (isSentence ? withinSentence(reading, at) : null);
    const value = reading.multiple === true ? severalOf(reading, stated, lead) : stated;
    const claim = value ?? (isUnknownLabel(text, at) ? unoffered(at) : null);
    return claim === null
      ? []
      : [{ ...claim, from: start, doubt: doubtAt(lower, claim, start, lead) }];
  });
  const [first] = reading.question.labels.ordered;
  const answers = stated.filter(
    (claim) => labelsOf(claim)[0] !== first || !opensAnalysis(reading, claim),
  );
  const several = answers.map((claim) => withOthers(reading, claim));
  return [...several, ...joined(reading, boxes(reading))].sort((a, b) => a.start - b.start);
}

/** Where several may be right: "The answer is A, as ... C is also correct." */
function withOthers(reading: Reading, claim: Claim): Claim {
  if (reading.multiple !== true || labelsOf(claim).length === 0) return claim;
  const others = alsoRight(reading).filter(({ start }) => start > claim.end);
  const labels = [...labelsOf(claim), ...others.flatMap(labelsOf)];
  return { ...claim, value: { kind: 'labels', labels: [...new Set(labels)] } };
}

const alsoRight = remember((reading: Reading) =>
  approvals(reading, [])
    .filter((claim) => claim.isToo && isTrusted(claim))
    .slice(-MOST_OTHERS),
);

const MOST_OTHERS = 30;

/** Where several may be right: "\\boxed{A} and \\boxed{C}". */
function joined({ text, multiple }: Reading, found: readonly Claim[]): readonly Claim[] {
  if (multiple !== true) return found;
  const claims: Claim[] = [];
  for (const box of found) {
    const last = claims.at(-1);
    const isNext = last !== undefined && BETWEEN_BOXES.test(text.slice(last.end, box.start));
    if (!isNext || labelsOf(last).length === 0 || labelsOf(box).length === 0) claims.push(box);
    else
      claims.splice(
        -1,
        1,
        labelsClaim([...new Set([...labelsOf(last), ...labelsOf(box)])], last.start, box.end),
      );
  }
  return claims;
}

const BETWEEN_BOXES = /^[⟧\s.,;&+、]{0,9}(?:and|und|et|y|e|和|及|与)?\s{0,9}⟦?$/u;

function doubtAt(lower: string, claim: Claim, start: number, lead: string): DoubtName | null {
  const place = { start, end: start };
  return (
    doubtOn(lower, place, ['announcement denied', 'conditional', "someone else's answer"]) ??
    suppositionOn(lower, start, lead) ??
    doubtOn(lower, claim, ['only under a condition']) ??
    (FIRST_THOUGHT.test(lead) ? "someone else's answer" : null)
  );
}

const PLURAL =
  /(?:answers|options|choices|statements|letters|antworten|réponses|respuestas|respostas|ответы)(?![a-z])/u;

/** Where several may be right: option lines below a label, and labels with words between them. */
function severalOf(reading: Reading, claim: Claim | null, lead: string): Claim | null {
  if (claim === null || labelsOf(claim).length !== 1) return claim;
  const lines = labelsBelow(reading, claim);
  if (lines !== null) return lines;
  if (!PLURAL.test(lead)) return claim;
  const rest = /^[^.!?\n]{0,300}/u.exec(behind(reading.lower, claim.end, 'paragraph'))?.[0] ?? '';
  const others = mentionsIn(reading, claim.end, claim.end + rest.length);
  if (NEGATES.test(rest) || others.length === 0) return claim;
  const labels = new Set([...labelsOf(claim), ...others.map(({ label }) => label)]);
  return labelsClaim([...labels], claim.start, claim.end + rest.length);
}

function unoffered(at: number): Claim {
  return { value: { kind: 'unoffered' }, start: at, end: at + 1 };
}

/** ": ", " = ", " -> ", " is ". */
const VERB = `(?:(?<=ans)\\.| ?(?:->|=>|→|[:=]|[–—-](?=\\s))| ${IS}(?![a-z\\u00e0-\\u024f]) ?:?)`;
/** "the answer", "the most likely option", "the option that". */
const SUBJECT = `(?:(?:${RIGHT} ){0,3}${ANSWER}|(?:${RIGHT}[\\s,]){1,4}(?:${ANSWER}|${OPTION})|${OPTION}(?: ${RIGHT}|(?= (?:that|which|not))))`;
/** "to this question", "that fits best", "out of the four". */
const QUALIFIER = `(?: (?!in ?correct|depends?)(?:[^.:\\n?!=]|\\.(?=\\d)){0,90}?)??`;
/** "Option: B" and "Correct = B" begin a line. */
const LINE_SUBJECT = `(?<=(?:^|\\n|[.!?]\\s)[\\s"']{0,4})${anyOf(
  `(?:${RIGHT} )?(?:option|choice|letter)|correct|(?:selected|chosen|correct) options`,
)}(?: ?[:=])`;
const CLOSEST =
  'richtig (?:ist|sind)(?: also)?|(?<![a-z])(?:closest|nearest)(?: [a-z]+)? (?:is|to|would be)';
const CHINESE = anyOf(
  '(?:正确)?(?:答案|答え|正解|正答|解答|선택지|정답|(?<!\\p{L})답)["\\]]?(?:应该|应|就|即|是|为|有|包括|包含|选择|选项|选|は|은|[:=\\s]){0,5}',
  `${anyOf(
    '[是为](?=\\s?[\\[(][a-j][\\])])|只能[是选]|剩下?余?的?(?:选项)?(?:就?只有|只能是|就是|是|为)|只剩下?(?:选项)?|我(?:认为|觉得)(?:应该?)?[是选为]|正确的?(?:选项|说法|表述|项)?(?:应该|应)?(?:是|为|有|包括)|而是|当选项?[是为]',
    '(?:所以|因此|应该?|故)选择?|选择?(?=\\s?[a-j]{1,8}(?![a-z]))',
  )} ?:?`,
  '最(?:合适|符合)[^。\\n]{0,12}(?:是|为)',
  '(?:คำตอบ|ข้อ)(?:ที่(?:ถูกต้อง|ถูก))?(?:คือ|เป็น)(?:ข้อ|ตัวเลือก)? ?:?',
);
/** "Therefore, (B)." */
const HENCE =
  '(?:therefore|thus|hence|consequently|in conclusion|so)(?=[,:]? (?:option |choice )?\\([a-z\\d]\\) ?(?:[.!\\n]|$))[,:]?';
/** "उत्तर B है", but not "ответ a good one". */
const VERBLESS = `(?<!(?:неверн|неправильн|ошибочн|गलत|ভুল|yanlış)[а-я]{0,3} )${ANSWER_WITHOUT_VERB} (?=(?:вариант |विकल्प |বিকল্প |گزینه )?[("]?[a-z\\d][)"]?(?! (?:नहीं|নয়|değil|نیست|невер|неправ))(?:'[dt]|[^\\p{L}\\p{N}']|$))`;
/** The words before an answer, as the source of a pattern. */
const SPACED = `${START}(?:${HENCE}|${VERBLESS}|${SUBJECT}${QUALIFIER}${VERB}|${LINE_SUBJECT}|${CLOSEST})`;
export const LEAD = `(?:${SPACED}|${CHINESE})`;
const LEADS = toPattern(LEAD, 'gu');
/** Most texts have no characters of languages without spaces, and are read faster without these. */
const SPACED_LEADS = toPattern(SPACED, 'gu');
const UNSPACED = /[\u0e00-\u0e7f\u1100-\u11ff\u3040-\u9fff\uac00-\ud7a3]/u;
/** "Answer choices: A, B, C" lists them. */
const LISTS = /answer (?:choices|options)|remaining|each|following/u;
/** "The first answer that comes to mind is" */
const FIRST_THOUGHT = /comes? to mind/u;
/** The last claim counts, so the first of very many places are not read. */
const MOST_LEADS = 100;

type Lead = Readonly<{ start: number; at: number; lead: string }>;

function leads(reading: Reading): readonly Lead[] {
  const found = [...reading.lower.matchAll(UNSPACED.test(reading.lower) ? LEADS : SPACED_LEADS)]
    .map(({ 0: lead, index }) => ({ start: index, at: index + lead.length, lead }))
    .filter(({ lead }) => !LISTS.test(lead))
    .slice(-MOST_LEADS);
  const initial = initialLead(reading);
  return initial === null ? found : [initial, ...found];
}

/** "A: B) zinc" and "Q: Is it?\nA: no": here "A" stands for "Answer", not for an option. */
function initialLead(reading: Reading): Lead | null {
  const [lead] = /^\s{0,9}(?:q ?[:.][^\n]{0,400}\n\s{0,9})?a ?: {0,3}/u.exec(reading.lower) ?? [];
  const isList = /\n\s{0,9}b ?[:.)]/u.test(reading.lower);
  if (lead === undefined || isList) return null;
  const own = ownTextEnd(reading.text, reading.question, 'A', lead.length);
  const claim = own === null ? valueAt(reading, lead.length, true) : null;
  return claim === null || labelsOf(claim).length === 0
    ? null
    : { start: 0, at: lead.length, lead };
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
    const texts = reading.multiple === true ? textsAt(reading, start, true) : null;
    if (labels === null && texts !== null && labelsOf(texts).length > 1) return texts;
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

/**
 * The only label, or the only option's text, that the rest of the sentence names: "the answer is
 * likely the metal (B)".
 */
function withinSentence(reading: Reading, at: number): Claim | null {
  const rest =
    /^(?:[^.!?\n]|\.(?=\d)|\n(?=\S)){0,300}/u.exec(behind(reading.text, at, 'paragraph'))?.[0] ??
    '';
  if (NEGATES.test(rest.toLowerCase())) return null;
  const named = markedIn(reading, at, at + rest.length);
  const [first] = named;
  if (first !== undefined && reading.multiple === true)
    return labelsClaim(
      [...new Set(named.map(({ label }) => label))],
      first.start,
      at + rest.length,
    );
  if (first !== undefined)
    return named.every(({ label }) => label === first.label)
      ? labelsClaim([first.label], first.start, first.end)
      : null;
  const texts = textsIn(reading, at, at + rest.length);
  return texts.length === 1 ? (texts[0] ?? null) : null;
}

/** "Answer: Z" names no option of the question, and "Answer: ()" names none at all. */
function isUnknownLabel(text: string, at: number): boolean {
  return /^ {0,2}(?:["(]?[A-Z][")]?\.?\s*(?:\n|$)|\([A-Z]? {0,9}\))/u.test(
    behind(text, at, 'label'),
  );
}

const APPLIES_AT = toPattern(`[\\s,]{0,3}(?:alone |only )?${APPLIES}`, 'uy');
const CHOOSE_LEAD = toPattern(`(?<![\\p{L}'])(?<!not |n't |cannot )${CHOOSE}(?![a-z])`, 'gu');
/** "A and B are plausible" is not a choice of both. */
const SURELY =
  /correct|right|answer|appl|richtig|cert|fit|satisf|正确|对|符合|当选|正し|正解|適切|정답|맞|옳/u;
/** "I would choose", "let us go with", "so choose" */
const MINE =
  /(?<![a-z])(?:i|we|let's|us|me|my|our|best|should|must)(?![a-z])|^ ?(?:(?:so|then|thus|therefore|hence|and|but|finally|to) )?$/u;
const ACTS = /^(?:cho|sel|pick|go|opt|set|vote|lean|stick|conc|answer w|say|guess|rec)/u;

/**
 * "C is the correct answer", "(C) fits best", "I would choose C",
 * "that leaves C".
 */
export function confirmed(reading: Reading): readonly Claim[] {
  const chosen = choices(reading);
  const found = [...chosen, ...approvals(reading, chosen)].sort((a, b) => a.start - b.start);
  return together(found, reading);
}

function choices(reading: Reading): readonly Claim[] {
  const { lower } = reading;
  return [...lower.matchAll(CHOOSE_LEAD)].flatMap(({ 0: verb, index }) => {
    const [clause = ''] = /[^.!?;:,\n]*$/u.exec(before(lower, index, 'clause')) ?? [];
    const isMine = MINE.test(clause) || !ACTS.test(verb);
    const claim = valueAt(reading, index + verb.length, false);
    if (claim === null || !isMine || opensAnalysis(reading, claim)) return [];
    if (claim.value.kind !== 'labels' && claim.value.kind !== 'conflict') return [];
    const doubt =
      doubtOn(lower, { start: index, end: index }, [
        "not the writer's choice",
        "someone else's answer",
      ]) ??
      suppositionOn(lower, index, clause) ??
      doubtOn(lower, claim, ['option rejected', 'only under a condition']);
    return [{ ...claim, from: index, doubt }];
  });
}

/** "ABD都正确" */
const COMPACT_PLACE = /(?<![A-Za-z])[A-Z]{2,12}(?=[一-鿿])/gu;

/** `isToo`: it says "also". */
type Approval = Claim & Readonly<{ isToo?: boolean }>;

/** "C is the correct answer", "(C) fits best". */
function approvals(reading: Reading, chosen: readonly Claim[]): readonly Approval[] {
  const { text, lower } = reading;
  const found: Approval[] = [];
  let read = 0;
  const quoted = quotedApprovals(reading);
  const compact = [...text.matchAll(COMPACT_PLACE)].map(({ index }) => ({ start: index }));
  const places = [...mentionsIn(reading, 0, text.length), ...compact];
  for (const { start } of places.sort((a, b) => a.start - b.start)) {
    const [open = ''] =
      /(?:(?:option|choice|answer) )?[("'[⟦ ]{0,2}$/u.exec(
        lower.slice(Math.max(0, start - 9), start),
      ) ?? [];
    const claim = start < read ? null : labelsAt(reading, start - open.length);
    if (claim === null || labelsOf(claim).length === 0) continue;
    read = claim.end;
    const said = verbPlaces(reading, claim).flatMap(
      (at) => matchAt(APPLIES_AT, lower, at)?.[0] ?? [],
    );
    const isAfterAnother = [...chosen, ...found].some(
      (other) => isTrusted(other) && other.start < start,
    );
    const isRight = (words: string): boolean =>
      (labelsOf(claim).length === 1 || SURELY.test(words)) &&
      !(words.includes('would') && isAfterAnother);
    const words = said.find(isRight);
    if (words === undefined) continue;
    const at = start - open.length;
    const doubt =
      doubtOn(lower, { start: at, end: at }, ['option denied']) ??
      suppositionOn(lower, start, words);
    found.push({
      ...claim,
      doubt,
      isToo: ALSO.test(words) || MOREOVER.test(before(lower, at, 'label')),
    });
  }
  return [...found, ...quoted];
}

/** Where the verb may follow: "B is", "B. is", "B: some words is". */
function verbPlaces({ text }: Reading, { end }: Claim): readonly number[] {
  const skip = /^[)"'\]]?(?:[:,.)] {0,2}|[ ,]{1,2}\()?(?=\S)/u.exec(text.slice(end, end + 4));
  return [end, end + (skip?.[0].length ?? 0)];
}

/** In quotes, or at the start of a sentence. */
const TEXT_PLACE =
  /(?<=")(?=[^"\n]{2,120}")|(?<=(?:^|[.!?\n]|(?:so|thus|hence|therefore|then),?)\s{1,3}|^)(?=[\p{L}\d$])/giu;

/** '"Not at all worried" fits best.', "Elbe is correct." */
function quotedApprovals(reading: Reading): readonly Claim[] {
  const { text, lower } = reading;
  return [...text.matchAll(TEXT_PLACE)].flatMap(({ index }) => {
    const isQuoted = text.charAt(index - 1) === '"';
    const found = textAt(reading, index);
    if (found === null || (isQuoted && text.charAt(found.end) !== '"')) return [];
    const said = matchAt(APPLIES_AT, lower, found.end + (isQuoted ? 1 : 0))?.[0] ?? '';
    const isRight = isQuoted ? said !== '' : /correct|right/u.test(said);
    return isRight ? [labelsClaim([found.label], index, found.end)] : [];
  });
}

const ALSO = /(?<![a-z])(?:also|both)(?![a-z])/u;
const MOREOVER = /(?:additionally|also|further(?:more)?|moreover|likewise|similarly),? ?$/u;

/** When several options may be right, "A is correct ... C is correct" names both. */
function together(claims: readonly Approval[], { multiple, question }: Reading): readonly Claim[] {
  const trusted = claims.filter(isTrusted);
  const first = trusted[0];
  const last = trusted.at(-1);
  const named = new Set(trusted.flatMap(labelsOf));
  const isSeveral =
    multiple === true || (multiple === undefined && claims.some(({ isToo }) => isToo));
  // "A is right. B is right. C is right."
  if (
    multiple !== true &&
    question.labels.ordered.length > 2 &&
    named.size === question.labels.ordered.length
  )
    return [];
  if (!isSeveral || first === undefined || last === undefined) return claims;
  if (trusted.some((claim) => labelsOf(claim).length !== 1)) return claims;
  return [labelsClaim([...new Set(trusted.flatMap(labelsOf))], first.start, last.end)];
}
