/** The candidate nearest to a word by edit distance, for "did you mean"; the first of several equals. */
export function nearest(word: string, candidates: readonly string[]): string {
  let best = candidates[0] ?? '';
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    // A part of a name, such as "effort" for "reasoning_effort", is nearer than a short name of other letters.
    const isPart = word.length > 3 && candidate.includes(word);
    const distance = isPart ? 1 : editDistance(word, candidate);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** Levenshtein distance in UTF-16 units, one row at a time; words beyond 100 units are cut, names are shorter. */
function editDistance(a: string, b: string): number {
  const [left, right] = [a.slice(0, 100), b.slice(0, 100)];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const row = [i];
    for (let j = 1; j <= right.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      row.push(Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced));
    }
    previous = row;
  }
  return previous[right.length] ?? 0;
}
