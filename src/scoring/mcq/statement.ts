import { findAll } from '../../words/find-all.ts';
import { alsoRight } from './confirmed.ts';
import { type DoubtName, doubtOn, NEGATES, suppositionOn } from './doubt.ts';
import { labelsBelow, opensAnalysis } from './items.ts';
import { anyOf, behind, START, toPattern } from './patterns.ts';
import { boxes } from './structured.ts';
import {
  type Claim,
  labelsClaim,
  labelsOf,
  markedIn,
  mentionsIn,
  ownTextEnd,
  type Reading,
  textsIn,
} from './tokens.ts';
import { valueAt } from './values.ts';
import { ANSWER, ANSWER_WITHOUT_VERB, IS, OPTION, RIGHT } from './words.ts';

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
  const found = [...findAll(reading.lower, UNSPACED.test(reading.lower) ? LEADS : SPACED_LEADS)]
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
  const textEnd = ownTextEnd(reading.text, reading.question, 'A', lead.length);
  const claim = textEnd === null ? valueAt(reading, lead.length, true) : null;
  return claim === null || labelsOf(claim).length === 0
    ? null
    : { start: 0, at: lead.length, lead };
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
