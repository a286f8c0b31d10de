const STOP = /[.!?](?=["'”’*)`$]{0,4}(?:\s+\p{Lu}|\s*$))/gu;
const CLOSERS = /^["'”’*)`$]{0,4}/;

// Abbreviations that end with a point also in the middle or at the end of a sentence.
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  'bros capt co corp dept dr est etc inc jr lt ltd messrs mr mrs ms mt no prof sept sgt sr st univ vs'.split(' '),
);

/** The first sentence of a line without its full stop. A point behind an abbreviation ("St.", "D.C.") ends nothing. */
export function cutSentence(line: string): string {
  const trimmed = line.trimEnd();
  for (const { 0: mark, index } of trimmed.matchAll(STOP)) {
    const closers = CLOSERS.exec(trimmed.slice(index + 1, index + 5))?.[0] ?? '';
    const isLast = index + 1 + closers.length === trimmed.length;
    if (mark === '.' && isAbbreviation(trimmed.slice(Math.max(0, index - 12), index), isLast)) continue;
    return trimmed.slice(0, mark === '.' ? index : index + 1) + closers;
  }
  return trimmed;
}

// In mid-line a short word before the point is taken for an abbreviation; at the end only one that looks like it.
function isAbbreviation(before: string, isLast: boolean): boolean {
  const word = /\p{L}+$/u.exec(before)?.[0] ?? '';
  if (word === '') return before.endsWith('.');
  if (ABBREVIATIONS.has(word.toLowerCase()) || before.endsWith(`.${word}`)) return true;
  return isLast ? /^\p{Lu}$/u.test(word) : word.length < 4;
}
