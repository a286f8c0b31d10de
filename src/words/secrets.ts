export const HIDDEN = '[key]';

/**
 * Replaces known keys in a text: whole keys, also in JSON form, and long parts of keys that a
 * program or a server has cut. For answers and files: no word of an answer is that long
 * in common with a key.
 */
export function redact(text: string, secrets: readonly string[]): string {
  const forms = secrets.flatMap(toForms);
  const whole = forms.reduce((hidden, secret) => hidden.replaceAll(secret, HIDDEN), text);
  return forms
    .filter(isLong)
    .reduce((hidden, secret) => hideParts(hidden, secret, PART, anywhere), whole);
}

/**
 * Like `redact`, for messages, which viva may cut before it redacts them. It also replaces half of
 * a key or more at an end of the text or beside a cut mark ("…", "..."). In an answer this could
 * hide a word.
 */
export function redactMessage(text: string, secrets: readonly string[]): string {
  const forms = secrets.flatMap(toForms);
  const hide = (hidden: string, secret: string) => hideParts(hidden, secret, halfOf(secret), isCut);
  return forms.reduce(hide, redact(text, secrets));
}

/**
 * Redacts every text in a value of plain JSON, also the names of fields. Returns the value itself
 * when nothing is found.
 */
export function redactIn<T>(value: T, secrets: readonly string[], redactText = redact): T {
  const json = secrets.length === 0 ? undefined : JSON.stringify(value);
  if (json === undefined || !secrets.some((secret) => mayHold(json, secret))) return value;
  let isChanged = false;
  const hide = (text: string) => {
    const hidden = redactText(text, secrets);
    isChanged ||= hidden !== text;
    return hidden;
  };
  const names = new Map<string, string>();
  const hideName = (name: string) => {
    const hidden = names.get(name) ?? hide(name);
    names.set(name, hidden);
    return hidden;
  };
  const redacted = JSON.parse(json, (_, part: unknown) => {
    if (typeof part === 'string') return hide(part);
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    const fields = Object.entries(part);
    if (fields.every(([name]) => hideName(name) === name)) return part;
    return Object.fromEntries(fields.map(([name, each]) => [hideName(name), each]));
  });
  return isChanged ? redacted : value;
}

/**
 * Whether a JSON text has a start or an end of a secret, which may then be replaced. This is much
 * cheaper than to look into each text. JSON itself changes what is not plain.
 */
function mayHold(json: string, secret: string): boolean {
  const least = Math.min(PART, halfOf(secret));
  const isPlain = /^[ !#-[\]-~]*$/.test(secret);
  return !isPlain || json.includes(secret.slice(0, least)) || json.includes(secret.slice(-least));
}

/** A secret as it stands in base64, alone or inside of a longer text, as in `Basic ...`. */
export function toBase64Forms(secret: string): readonly string[] {
  const forms = [0, 1, 2].map((offset) => {
    const bytes = Buffer.from(' '.repeat(offset) + secret);
    // Characters of other bytes too are left out.
    return bytes
      .toString('base64')
      .slice(Math.ceil((offset * 4) / 3), Math.floor((bytes.length * 4) / 3));
  });
  return [
    ...new Set(forms.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')])),
  ];
}

/** Replaces text with the form of an API key or a credential. */
export function maskKeyForms(text: string): string {
  return text
    .replace(PRIVATE_KEY, '[key]')
    .replace(KEY_SHAPED, '[key]')
    .replace(BEARER, '$1[key]')
    .replace(USER_INFO, '[key]@')
    .replace(QUERY_KEY, '$1[key]');
}

/**
 * The keys of known providers in the value of any variable. What has fewer characters, or lower
 * case and no digit, such as sk-learn-contributors, may be a name.
 */
export function findKeyForms(value: string): readonly string[] {
  const found: readonly string[] = value.match(KEY_SHAPED) ?? [];
  return found.filter((key) => key.length >= 20 && /[A-Z\d]/.test(key));
}

/**
 * Like `maskKeyForms`, but also replaces the values that a text names as key or password: for
 * messages of programs, settings and command lines.
 */
export function maskKeys(text: string): string {
  return maskKeyForms(text).replace(NAMED_SECRET, '$1[key]');
}

/** The longer form comes first: it may contain the other one. */
function toForms(secret: string): readonly string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  return escaped === secret ? [secret] : [escaped, secret];
}

/** Longer than the prefix that all keys of a provider share. */
const PART = 16;

/** Parts of shorter keys are not searched: they may occur in the words of an answer. */
const isLong = (secret: string) => secret.length >= PART + PART / 2;

/**
 * The shortest part that is replaced. Less than half of a key is useless to a finder, and fewer
 * than four characters occur in too many words.
 */
const halfOf = (secret: string) => Math.max(4, Math.ceil(secret.length / 2));

const anywhere = () => true;
const isCut = (text: string, end: number) =>
  end === text.length || text[end] === '…' || text.startsWith('...', end);

type IsEnd = (text: string, end: number) => boolean;

/** Replaces starts and ends of a secret with at least `least` characters. */
function hideParts(text: string, secret: string, least: number, isEnd: IsEnd): string {
  const hidden = hideHeads(text, secret, least, isEnd, HIDDEN);
  if (!hidden.includes(secret.slice(-least))) return hidden;
  // The end of a secret is a start when both texts are reversed. The cut marks read the same in
  // both directions.
  return backwards(
    hideHeads(backwards(hidden), backwards(secret), least, isEnd, backwards(HIDDEN)),
  );
}

/** The search for the shortest part is native code, so long texts and many keys cost little. */
function hideHeads(
  text: string,
  secret: string,
  least: number,
  isEnd: IsEnd,
  shown: string,
): string {
  const head = secret.slice(0, least);
  let hidden = '';
  let done = 0;
  for (let at = text.indexOf(head); at !== -1; at = text.indexOf(head, Math.max(at + 1, done))) {
    let end = at + least;
    while (end < text.length && text[end] === secret[end - at]) end++;
    // A key with dots may match a part of the cut mark.
    while (end >= at + least && !isEnd(text, end)) end--;
    if (end < at + least) continue;
    hidden += text.slice(done, at) + shown;
    done = end;
  }
  return hidden + text.slice(done);
}

function backwards(text: string): string {
  return text.split('').reverse().join('');
}

/** The prefixes of providers' keys. OpenAI's errors repeat a wrong key with asterisks in it. */
const KEY_SHAPED =
  /\b(?:sk-|pk-|[rs]k_live_|hf_|gh[pousr]_|github_pat_|glpat-|xox[abprs]-|AKIA|AIza|gsk_)[\w*-]{6,}/g;

/** A block that was cut has no end. */
const PRIVATE_KEY =
  /-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY-----.{0,8000}?(?:-----END [A-Z\d ]{0,40}PRIVATE KEY-----|$)/gs;

const BEARER = /\b((?:bearer|basic)\s{1,4})[\w.~+/=-]{8,}/gi;

/** `user:password@` of a URL. */
const USER_INFO = /(?<=:\/\/)[^\s/?#"'<>]{1,300}@/g;

/** `?api-key=...` of a URL. */
const QUERY_KEY =
  /([?&][\w.-]{0,40}(?:key|token|secret|password|signature|sig)=)[^\s&#"'<>]{1,2000}/gi;

/** `SOME_API_KEY=...`, `"password": "..."`, `Authorization: ...` */
const NAMED_SECRET =
  /((?:key|token|secret|password|authorization)["']?\s{0,4}[:=]\s{0,4}["']?(?:(?:bearer|basic)\s{1,4})?)[^\s"',;&[]{8,}/gi;
