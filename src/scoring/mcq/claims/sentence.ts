import { textBefore } from '../text-near.ts';
/** Where the sentence around a position starts: after the last full stop, question mark or line break. */
export function sentenceStart(text: string, at: number): number {
  for (let i = at - 1; i >= Math.max(0, at - 240); i -= 1) {
    if (endsSentence(text, i)) return i + 1;
  }
  return Math.max(0, at - 240);
}

/** Where it ends: at the sign that ends it. At most `limit` characters further. */
export function sentenceEnd(text: string, at: number, limit = 240): number {
  const last = Math.min(text.length, at + limit);
  for (let i = at; i < last; i += 1) {
    if (endsSentence(text, i)) return i;
  }
  return last;
}

/** The last sentence, at most 300 characters. */
export function lastSentence(text: string): readonly [number, number] {
  const end = text.trimEnd().length;
  for (let at = end - 2; at > Math.max(0, end - 300); at -= 1) {
    if (sentenceEnd(text, at, 1) === at && sentenceEnd(text, at, 2) === at) return [at, end];
  }
  return [Math.max(0, end - 300), end];
}

/** A dot ends a sentence before a space or a break only, so that "2.5" and "i.e.," do not. */
function endsSentence(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  // Asked of every sign, and nearly every sign is a space or lies between "?" and "。".
  if (code === 0x20 || (code > 0x3f && code < 0x3002)) return false;
  const sign = text[at] ?? '';
  if (sign === '\n' || sign === '。' || sign === '！' || sign === '？' || sign === '!' || sign === '?' || sign === '；')
    return true;
  return (
    sign === '.' && /^(?:\s|$)/u.test(text.slice(at + 1, at + 2)) && !/(?:^|[\s(])\p{L}$/u.test(textBefore(text, at, 2))
  );
}
