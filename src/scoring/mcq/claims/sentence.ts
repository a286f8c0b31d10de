import { textAfter, textBefore } from '../text-near.ts';

const LONGEST = 240;
const SIGNS = '\n.!?。';

/** Where the sentence around a position starts: after the last full stop, question mark or line break. */
export function sentenceStart(text: string, at: number): number {
  const first = Math.max(0, at - LONGEST);
  let start = at;
  while (start > first && !endsSentence(text, start - 1)) start -= 1;
  return start;
}

/** Where it ends: at the sign that ends it. At most `limit` characters further. */
export function sentenceEnd(text: string, at: number, limit = LONGEST): number {
  const last = Math.min(text.length, at + limit);
  let end = at;
  while (end < last && !endsSentence(text, end)) end += 1;
  return end;
}

/** The last sentence. */
export function lastSentence(text: string): readonly [number, number] {
  const end = text.trimEnd().length;
  return [sentenceStart(text, end - 1), end];
}

/** A dot ends a sentence before a space or a break only, and not after an initial: "2.5", "i.e.,", "C. elegans", "e.g. B". */
function endsSentence(text: string, at: number): boolean {
  const sign = text.charAt(at);
  if (!SIGNS.includes(sign)) return false;
  return (
    sign !== '.' ||
    (/^(?:\s|$)/u.test(textAfter(text, at + 1, 1)) && !/(?:^|[\s(])(?:e\.)?\p{L}$/u.test(textBefore(text, at, 4)))
  );
}
