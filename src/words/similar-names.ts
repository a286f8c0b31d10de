import { distance } from 'fastest-levenshtein';
import { escapeLine, listIds, quote } from './show.ts';

/** Names are shorter. A hostile word must not take long. */
const MAX_LENGTH = 100;

/** " Did you mean limit?", or "" if no name is similar. */
export function didYouMean(word: string, names: readonly string[]): string {
  const best = findSimilar(word, names);
  return best === null ? '' : ` Did you mean ${best}?`;
}

/** ' The nearest id is "a".' for an id or a pattern of ids that none has; the first ids if none is similar. */
export function suggestId(pattern: string, ids: readonly string[]): string {
  const best = findSimilar(pattern.replaceAll(/[*?]/g, ''), ids);
  if (best !== null) return ` The nearest id is ${quote(best)}.`;
  const shown = ids.map((id) => escapeLine(id, 60));
  return shown.length === 0 ? '' : ` The first ids: ${listIds(shown, 60)}.`;
}

function findSimilar(word: string, names: readonly string[]): string | null {
  const { best, steps } = findNearest(word, names);
  // Not one letter of a short name may be left.
  return steps < best.length && steps <= Math.max(2, word.length / 3) ? best : null;
}

/** The known name of which a word is a misspelling, one or two letters away; undefined without one. */
export function findTypo(word: string, names: readonly string[]): string | undefined {
  if (word.length < 5 || word.length > MAX_LENGTH || names.includes(word)) return undefined;
  const { best, steps } = findNearest(
    word,
    names.filter((name) => Math.abs(name.length - word.length) <= 2),
  );
  return steps <= (word.length < 7 && !isSwapped(word, best) ? 1 : 2) && best.length > 3
    ? best
    : undefined;
}

/** "tagret" for "target": two letters have changed places. */
function isSwapped(word: string, other: string): boolean {
  return word.length === other.length && [...word].sort().join() === [...other].sort().join();
}

/** The nearest of the known names, or all of them if none is near. */
export function suggest(word: string, names: readonly string[]): string {
  return didYouMean(word, names) || ` Known: ${names.join(', ')}.`;
}

/** The candidate nearest to a word by edit distance. The first one wins a tie. */
export function nearest(word: string, candidates: readonly string[]): string {
  return findNearest(word, candidates).best;
}

function findNearest(word: string, candidates: readonly string[]) {
  let best = candidates[0] ?? '';
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    // A part of a name, such as "effort" of "reasoning_effort", is nearer than a short name with
    // other letters.
    const isPart = word.length > 3 && candidate.includes(word);
    const steps = isPart ? 1 : distance(word.slice(0, MAX_LENGTH), candidate.slice(0, MAX_LENGTH));
    if (steps < least) [best, least] = [candidate, steps];
  }
  return { best, steps: least };
}
