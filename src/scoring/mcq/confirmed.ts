import { findAll } from '../../words/find-all.ts';
import { remember } from '../remember.ts';
import { doubtOn, suppositionOn } from './doubt.ts';
import { opensAnalysis } from './items.ts';
import { before, matchAt, toPattern } from './patterns.ts';
import {
  type Claim,
  isTrusted,
  labelsClaim,
  labelsOf,
  mentionsIn,
  type Reading,
  textAt,
} from './tokens.ts';
import { labelsAt, valueAt } from './values.ts';
import { APPLIES, CHOOSE } from './words.ts';

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
  return [...findAll(lower, CHOOSE_LEAD)].flatMap(({ 0: verb, index }) => {
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
  const compact = [...findAll(text, COMPACT_PLACE)].map(({ index }) => ({ start: index }));
  const places = [...mentionsIn(reading, 0, text.length), ...compact];
  for (const { start } of places.sort((a, b) => a.start - b.start)) {
    const [open = ''] =
      /(?:(?:option|choice|answer) )?[("'[⟦ ]{0,2}$/u.exec(
        lower.slice(Math.max(0, start - 9), start),
      ) ?? [];
    const claim = start < read ? null : labelsAt(reading, start - open.length);
    if (claim === null || labelsOf(claim).length === 0) continue;
    read = claim.end;
    const verbs = verbPlaces(reading, claim).flatMap(
      (at) => matchAt(APPLIES_AT, lower, at)?.[0] ?? [],
    );
    const isAfterAnother = [...chosen, ...found].some(
      (other) => isTrusted(other) && other.start < start,
    );
    const isRight = (words: string): boolean =>
      (labelsOf(claim).length === 1 || SURELY.test(words)) &&
      !(words.includes('would') && isAfterAnother);
    const words = verbs.find(isRight);
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
  return [...findAll(text, TEXT_PLACE)].flatMap(({ index }) => {
    const isQuoted = text.charAt(index - 1) === '"';
    const found = textAt(reading, index);
    if (found === null || (isQuoted && text.charAt(found.end) !== '"')) return [];
    const verb = matchAt(APPLIES_AT, lower, found.end + (isQuoted ? 1 : 0))?.[0] ?? '';
    const isRight = isQuoted ? verb !== '' : /correct|right/u.test(verb);
    return isRight ? [labelsClaim([found.label], index, found.end)] : [];
  });
}

const ALSO = /(?<![a-z])(?:also|both)(?![a-z])/u;
const MOREOVER = /(?:additionally|also|further(?:more)?|moreover|likewise|similarly),? ?$/u;

export const alsoRight = remember((reading: Reading) =>
  approvals(reading, [])
    .filter((claim) => claim.isToo && isTrusted(claim))
    .slice(-MOST_OTHERS),
);

const MOST_OTHERS = 30;

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
