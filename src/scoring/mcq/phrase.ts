import { doubtOn } from './doubt.ts';
import { type Claim, labelsOf, type Reading } from './tokens.ts';
import { labelsAt } from './values.ts';
import { anyOf, START, toPattern } from './words.ts';

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
    [...reading.lower.matchAll(pattern)].flatMap(({ 0: said, index }): readonly Claim[] => {
      const claim = labelsAt(reading, index + said.length, true);
      if (claim === null || labelsOf(claim).length === 0) return [];
      const place = { start: index, end: index };
      const doubt = doubtOn(reading.lower, place, ["not the writer's choice", 'conditional']);
      return [{ ...claim, from: index, doubt }];
    });
}
