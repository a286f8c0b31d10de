import { matchAt, toPattern } from './patterns.ts';
import {
  type Claim,
  labelsClaim,
  labelsOf,
  ownTextEnd,
  type Reading,
  type Token,
  textAt,
  tokenAt,
  type Value,
} from './tokens.ts';
import { ALL, AND, ENDING, FILLER, NONE, NOT, OR, UNSURE } from './words.ts';

/**
 * "Iron", and with `several` also "iron, zinc and tin". Options with the same text are a conflict.
 */
export function textsAt(reading: Reading, at: number, several: boolean): Claim | null {
  const first = textAt(reading, at);
  if (first === null) return null;
  let end = first.end;
  const labels = [first.label];
  const or = several ? null : matchAt(JOIN_OR, reading.text, end);
  const other = or === null ? null : textAt(reading, end + or[0].length);
  // "yes or no"
  if (other !== null && other.label !== first.label)
    return { value: { kind: 'conflict', isHedge: true }, start: at, end: other.end };
  for (let i = 0; several && i < MOST_LABELS; i++) {
    // "Egypt (D), Kenya (E)"
    const beside = matchAt(BESIDE_TEXT, reading.text, end)?.[0] ?? '';
    if (beside !== '' && tokenAt(reading, end)?.label !== labels.at(-1))
      return { value: { kind: 'conflict' }, start: at, end: end + beside.length };
    end += beside.length;
    const join =
      matchAt(JOIN_AND, reading.text, end) ??
      (reading.multiple === true ? matchAt(JOIN_LINES, reading.text, end) : null);
    const next = join === null ? null : textAt(reading, end + join[0].length);
    if (next === null || matchAt(VERB, reading.text, next.end) !== null) break;
    labels.push(next.label);
    end = next.end;
  }
  const { texts } = reading.question;
  const isShared =
    [...texts.values()].filter(({ key }) => key === texts.get(first.label)?.key).length > 1;
  return isShared && labels.length === 1
    ? { value: { kind: 'conflict' }, start: at, end }
    : labelsClaim(labels, at, end);
}

const JOIN_AND = toPattern(
  `(?:选?项)?[)"\\]]?\\s{0,2}${AND}\\s{0,2}(?:also |then |die |la |le )?`,
  'uy',
);
const JOIN_OR = toPattern(`\\s{0,2}${OR}\\s{0,2}`, 'uy');
const JOIN_LINES = /[.;)]?\s{0,3}\n\s{0,6}(?:\d{1,2}[.)] {1,3})?/uy;
/** What may join labels whose letter is a word elsewhere: "b, e". */
const JOIN_PLAIN = /(?:选?项)?[)"\]]?\s{0,2}[,;&+、・]\s{0,2}/uy;
const BESIDE_TEXT = /\s{0,2}\([A-Za-z\d]{1,2}\)/uy;
const JOIN_BAR = /\s{0,2}\|\s{0,2}/uy;
const MOST_LABELS = 30;

/**
 * One label or several: "B", "A, C and D", "(A) iron and (C) zinc", "A-D", "ACD". "B or C", and a
 * label beside the text of another option, are a conflict. `isObject` is true after a verb: the "B"
 * of "A, B is wrong" is then no object.
 */
export function labelsAt(reading: Reading, at: number, isObject = false): Claim | null {
  const { text, question, multiple } = reading;
  const first = tokenAt(reading, at);
  const compact = multiple === false ? null : compactAt(reading, at);
  if (first === null || compact !== null) return compact;
  let end = ownTextEnd(text, question, first.label, first.end) ?? first.end;
  if (end === first.end && isOtherText(reading, first))
    return { value: { kind: 'conflict' }, start: first.start, end };
  const labels = [first.label];
  let isHedge = false;
  for (let i = 0; i < MOST_LABELS; i++) {
    const next = nextInList(reading, end, isObject);
    // "Between A and B, B is right."
    if (next === null || labels.includes(next.token.label)) break;
    isHedge ||= next.isOr;
    labels.push(next.token.label);
    end = ownTextEnd(text, question, next.token.label, next.token.end) ?? next.token.end;
  }
  const value: Value = isHedge ? { kind: 'conflict', isHedge } : { kind: 'labels', labels };
  return { value, start: first.start, end };
}

type Listed = Readonly<{ token: Token; isOr: boolean }>;

function nextInList(reading: Reading, end: number, isObject: boolean): Listed | null {
  const { text, multiple } = reading;
  const joins = [
    JOIN_OR,
    JOIN_AND,
    JOIN_PLAIN,
    ...(multiple === true ? [JOIN_LINES, JOIN_BAR] : []),
  ];
  for (const join of joins) {
    const between = matchAt(join, text, end)?.[0];
    const token = between === undefined ? null : tokenAt(reading, end + between.length);
    if (between === undefined || token === null) continue;
    if (isObject && matchAt(VERB, text, token.end) !== null) return null;
    return { token, isOr: join === JOIN_OR && !(between.trim() === '/' && multiple === true) };
  }
  return null;
}

const VERB =
  /[)"']? (?:is|are|was|were|lies?|has|have|does|do|can|cannot|would|will|isn't|aren't|don't|es|son|ist|sind|est|sont|being|states?|says|gives?|describes?|fails?|shows?|means?|refers?|represents?|requires?|needs?|causes?|only)(?![a-z])/uy;

/** "ACD", "A C D", "(A)(C)(D)". */
const COMPACT =
  /[ \n]{0,3}[(["'⟦{]{0,2}([A-Z]{2,12}|[A-Z](?: [A-Z]){1,11}(?=[.\n]|$)|[A-Z](?:[)\]] ?[([][A-Z]){1,11})[)\]"'⟧}]{0,2}(?![A-Za-z0-9-])/uy;

/** "bde" and "b e", where labels have lower case: in their order, since words have the same letters. */
const COMPACT_LOWER = /[ \n]{0,3}([a-z]{2,12}|[a-z](?: [a-z]){1,11})(?=[.。]?\s*$|[.。]?\n)/uy;

function compactAt({ text, question }: Reading, at: number): Claim | null {
  const isLower = question.labels.ordered.every((label) => /^[a-z]$/u.test(label));
  const match = matchAt(isLower ? COMPACT_LOWER : COMPACT, text, at);
  const letters: readonly string[] = match?.[1]?.match(/[A-Za-z]/gu) ?? [];
  if (match === null || new Set(letters).size < letters.length) return null;
  if (isLower && letters.toSorted().join() !== letters.join()) return null;
  if (!letters.every((letter) => question.labels.ordered.includes(letter))) return null;
  const start = at + match[0].indexOf(match[1] ?? '');
  return labelsClaim(letters, start, start + (match[1]?.length ?? 0));
}

/** ". ", ") ", " (". */
const BEFORE_TEXT =
  /(?:["')\]]? {0,2}[.:)–-]{1,2} {1,3}| {1,3}["(]|(?<=[)\]]) {1,3})(?=[\p{L}\d$-])/uy;

/** "B. Metformin", where Metformin is the text of A. */
function isOtherText(reading: Reading, { label, end }: Token): boolean {
  const { text, question } = reading;
  const between = matchAt(BEFORE_TEXT, text, end);
  const found = between === null ? null : textAt(reading, end + between[0].length);
  if (found === null || found.label === label) return false;
  if (
    !/^ {0,3}(?:[.)"]{1,2}\s{1,5}[A-Z]|[.)"]{0,2}\s{0,5}(?:\n|$))/u.test(
      text.slice(found.end, found.end + 9),
    )
  )
    return false;
  const [ownKey = '', otherKey = ''] = [label, found.label].map(
    (each) => question.texts.get(each)?.key,
  );
  const isWord = /\p{L}{3}/u;
  return (
    !` ${ownKey} `.includes(` ${otherKey} `) && (isWord.test(otherKey) || !isWord.test(ownKey))
  );
}

const NONE_AT = toPattern(`[\\s:("']{0,4}${NONE}`, 'uy');
const ALL_AT = toPattern(`[\\s:("']{0,4}${ALL}`, 'uy');
const UNSURE_AT = toPattern(`[\\s:("']{0,4}(?:that it )?${UNSURE}`, 'uy');
const EXCEPT = new RegExp(
  [
    `[ \\n:("']{0,4}(?:all|every(?:thing|one)?|any)(?: of)?(?: the| these| them| those)?`,
    '(?: (?:above|options?|choices?|answers?|statements?|listed))? ',
    '(?:except|but|save|apart from|other than|excluding)(?: for)? ',
  ].join(''),
  'uy',
);

/** "None of the above", "all of them", "all except B", "cannot be determined" at a position. */
export function phraseAt(reading: Reading, at: number): Claim | null {
  const { lower, question } = reading;
  const except = matchAt(EXCEPT, lower, at);
  const left = except === null ? null : labelsAt(reading, at + except[0].length);
  if (left !== null && labelsOf(left).length > 0) {
    const rest = question.labels.ordered.filter((label) => !labelsOf(left).includes(label));
    return labelsClaim(rest, at, left.end);
  }
  for (const [kind, pattern] of [
    ['none', NONE_AT],
    ['all', ALL_AT],
    ['unsure', UNSURE_AT],
  ] as const) {
    const match = matchAt(pattern, lower, at);
    const end = at + (match?.[0].length ?? 0);
    if (match !== null && !/^[a-z]/u.test(lower.slice(end, end + 1)))
      return { value: { kind }, start: at, end };
  }
  return null;
}

const FILLERS = toPattern(`[\\s]{0,4}(?:${FILLER}(?![\\p{L}'])[\\s:,]{0,3}|[:,"]\\s{0,3})`, 'uy');
const NEGATED = toPattern(` ?${NOT}(?![a-z])`, 'uy');
const MOST_FILLERS = 5;

/** The value after a verb, with up to four words between: "therefore clearly option B". */
export function valueAt(reading: Reading, from: number, isAnswer: boolean): Claim | null {
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
 * A range that contains nothing but an answer: labels, the text of an option, or "all of the above".
 */
export function wholeAt(reading: Reading, from: number, to: number): Claim | null {
  const part = { ...reading, text: reading.text.slice(0, to), lower: reading.lower.slice(0, to) };
  const lead = reading.multiple === true ? NUMBERED_LEAD : DECORATION;
  const at = from + (lead.exec(part.text.slice(from))?.[0].length ?? 0);
  const labels = labelsAt(part, /[("']/u.test(part.text[at - 1] ?? '') ? at - 1 : at);
  if (labels !== null && labelsOf(labels).length === 1 && isEnd(part.text, labels.end))
    return labels;
  const texts = textsAt(part, at, reading.multiple !== false);
  if (texts !== null && isEnd(part.text, texts.end)) return texts;
  if (labels !== null && isEnd(part.text, labels.end)) return labels;
  const phrase = phraseAt(part, at);
  return phrase !== null && isEnd(part.text, phrase.end) ? phrase : null;
}

/** "→ B", and "1. A" where it begins a list. */
const DECORATION = /^(?:[\s:"'(→✓]|[-=]>){0,400}/u;
const NUMBERED_LEAD = /^(?:[\s:"'(→✓]|[-=]>){0,400}(?:1[.)] {1,3}(?=\D))?/u;

function isEnd(text: string, at: number): boolean {
  return END.test(text.slice(at));
}

const END = new RegExp(
  `^(?:选?项|番|번|号)?${ENDING}(?:\\^\\s?\\{?\\s?\\\\circ|°)?[\\s.。)"'\\]!;⟧}]{0,400}$`,
  'u',
);
