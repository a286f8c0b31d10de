import { hideSecrets } from './hide-secrets.ts';

/**
 * Replaces known secrets in what is said of something, which viva cuts before anybody knows its keys: also the half or
 * more of one that a cut has left, at an end of the text or beside a cut mark ("…", "..."), and the form that JSON gives
 * it. A word that is half of a key is hidden there too: answers and files, where that would do harm, go through
 * `hideSecrets` alone.
 */
export function hideInMessage(text: string, secrets: readonly string[]): string {
  const forms = secrets.flatMap(toForms);
  return forms.reduce((hidden, secret) => hideCutTails(hideCutHeads(hidden, secret), secret), hideSecrets(text, forms));
}

/** The same in every text of a value that is plain JSON; the value itself when it holds no part of a key. */
export function hideInMessages<T>(value: T, secrets: readonly string[]): T {
  const json = JSON.stringify(value) ?? '';
  const parts = secrets.flatMap(toForms).flatMap((secret) => [headOf(secret), tailOf(secret)]);
  if (!parts.some((part) => json.includes(escapeAsJson(part)))) return value;
  return JSON.parse(json, (_, part: unknown) => (typeof part === 'string' ? hideInMessage(part, secrets) : part));
}

const HIDDEN = '[key]';

/** Fewer characters stand in too many words. */
const MIN_PART = 4;

/** Less than half of a key is of no use to whoever finds it. */
const lengthOfPart = (secret: string) => Math.max(MIN_PART, Math.ceil(secret.length / 2));
const headOf = (secret: string) => secret.slice(0, lengthOfPart(secret));
const tailOf = (secret: string) => secret.slice(-lengthOfPart(secret));
const escapeAsJson = (piece: string) => JSON.stringify(piece).slice(1, -1);

/** A quoted value is cut as JSON writes it. The longer form is first: the other one may be a part of it. */
function toForms(secret: string): readonly string[] {
  const escaped = escapeAsJson(secret);
  return escaped === secret ? [secret] : [escaped, secret];
}

/** A search for the shortest part is native code, so that long texts and many keys cost little. */
function hideCutHeads(text: string, secret: string): string {
  const part = headOf(secret);
  let hidden = '';
  let done = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    if (at < done) continue;
    let end = at + part.length;
    while (end < text.length && text[end] === secret[end - at]) end++;
    // A key that holds a dot may go along with a part of the mark.
    while (end >= at + part.length && !isCutAfter(text, end)) end--;
    if (end < at + part.length) continue;
    hidden += text.slice(done, at) + HIDDEN;
    done = end;
  }
  return hidden + text.slice(done);
}

function hideCutTails(text: string, secret: string): string {
  const part = tailOf(secret);
  let hidden = '';
  let done = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    const end = at + part.length;
    let start = at;
    while (start > done && text[start - 1] === secret[secret.length - 1 - (end - start)]) start--;
    while (start <= at && !isCutBefore(text, start)) start++;
    if (start > at || start < done) continue;
    hidden += text.slice(done, start) + HIDDEN;
    done = end;
  }
  return hidden + text.slice(done);
}

function isCutAfter(text: string, end: number): boolean {
  return end === text.length || text[end] === '…' || text.startsWith('...', end);
}

function isCutBefore(text: string, start: number): boolean {
  return start === 0 || text[start - 1] === '…' || (start >= 3 && text.startsWith('...', start - 3));
}
