import { findAll } from '../../words/find-all.ts';
import { DOUBTS_SOMETHING, doubtOn } from './doubt.ts';
import { anyOf, before, START, toPattern } from './patterns.ts';
import { type Claim, labelsOf, type Reading } from './tokens.ts';
import { labelsAt } from './values.ts';

/**
 * Reads the labels right after one of some phrases, which are sources of patterns for lowercased
 * text: a space means one to three spaces or line breaks.
 *
 * @example
 * labelsAfter('i bet on'); // reads B in "Hard to say, but I bet on B."
 */
export function labelsAfter(...phrases: readonly string[]): (reading: Reading) => readonly Claim[] {
  const pattern = toPattern(`${START}${anyOf(...phrases)}(?![\\p{L}]) ?:? ?`, 'gu');
  return (reading) =>
    [...findAll(reading.lower, pattern)].flatMap(({ 0: phrase, index }): readonly Claim[] => {
      const claim = labelsAt(reading, index + phrase.length, true);
      if (claim === null || labelsOf(claim).length === 0) return [];
      const place = { start: index, end: index };
      const doubt = doubtOn(reading.lower, place, ["not the writer's choice", 'conditional']);
      return [{ ...claim, from: index, doubt }];
    });
}

/** "pretty sure it's c" at the end; "a" and "i" are words. */
const GUESSED =
  /(?<=(?:^|[.!?,\n(]|(?<![a-z])(?:think|guess|believe|say|sure|so|probably|maybe|but|reckon|bet|imo|then|that)) {0,3})(?:it|that|answer)(?:['’]?s| is| must be| should be) (?:probably |definitely |likely |just |option )?(?=["(]?[b-hj-z][)"]?[.!]?\s{0,9}$)/gu;
/** "b, because", "b cuz", before a reason. */
const BEFORE_REASON =
  /^\s{0,9}(?=["(]?[b-hj-z][)"]?,? (?:because|since|as|cuz|bc|cause)(?![a-z]))/gu;

/** "i think it's c" at the end, and "b, because" at the start of an output. */
export function lowerCaseLabels(reading: Reading): readonly Claim[] {
  const { lower, text } = reading;
  return [BEFORE_REASON, GUESSED].flatMap((pattern) =>
    [...findAll(lower, pattern)].flatMap(({ 0: lead, index }): readonly Claim[] => {
      const claim = labelsAt(reading, index + lead.length);
      const isLower = claim !== null && /[a-z]/u.test(text.charAt(claim.start));
      const isOne = isLower && labelsOf(claim).length === 1;
      return isOne && !isDoubted(lower, index) ? [claim] : [];
    }),
  );
}

/** "I don't think it's b", but not "not sure, but it's b". */
function isDoubted(lower: string, at: number): boolean {
  const clauses = before(lower, at, 'clause').split(/[.!?;:,\n]|(?<![a-z])but(?![a-z])/u);
  return DOUBTS_SOMETHING.test(clauses.at(-1) ?? '');
}
