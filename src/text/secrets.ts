const HIDDEN = '[key]';

/** Replaces known secrets in a text, also where a program, a server or a limit on length has cut a long one off. */
export function hideSecrets(text: string, secrets: readonly string[], shown = HIDDEN): string {
  const whole = secrets.reduce((hidden, secret) => hidden.replaceAll(secret, shown), text);
  const long = secrets.filter(hasParts);
  return long.reduce((hidden, secret) => hideTails(hideHeads(hidden, secret, shown), secret, shown), whole);
}

/** The same in every text of a value that is plain JSON; the value itself when it holds none. */
export function hideSecretsIn<T>(value: T, secrets: readonly string[]): T {
  const json = JSON.stringify(value) ?? '';
  const parts = secrets.flatMap((secret) => (hasParts(secret) ? [headOf(secret), tailOf(secret)] : [secret]));
  if (!parts.some((part) => json.includes(escapeAsJson(part)))) return value;
  return JSON.parse(json, (_, part: unknown) => (typeof part === 'string' ? hideSecrets(part, secrets) : part));
}

/**
 * What is looked for of a secret that was cut off: more than the first part that all keys of a provider share, and more
 * than an answer's own words have in common with it. A short one has no such part.
 */
const PART = 16;

const hasParts = (secret: string) => secret.length >= PART + PART / 2;
const headOf = (secret: string) => secret.slice(0, PART);
const tailOf = (secret: string) => secret.slice(-PART);
const escapeAsJson = (piece: string) => JSON.stringify(piece).slice(1, -1);

/** The beginnings of a secret, each as far as the text goes along with it. */
function hideHeads(text: string, secret: string, shown: string): string {
  const head = headOf(secret);
  let hidden = '';
  let done = 0;
  for (let at = text.indexOf(head); at !== -1; at = text.indexOf(head, done)) {
    let end = at + head.length;
    while (end < text.length && text[end] === secret[end - at]) end++;
    hidden += text.slice(done, at) + shown;
    done = end;
  }
  return hidden + text.slice(done);
}

function hideTails(text: string, secret: string, shown: string): string {
  const tail = tailOf(secret);
  let hidden = '';
  let done = 0;
  for (let at = text.indexOf(tail); at !== -1; at = text.indexOf(tail, done)) {
    const end = at + tail.length;
    let start = at;
    while (start > done && text[start - 1] === secret[secret.length - 1 - (end - start)]) start--;
    hidden += text.slice(done, start) + shown;
    done = end;
  }
  return hidden + text.slice(done);
}

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
  const parts = secrets.flatMap(toForms).flatMap((secret) => [headOfCut(secret), tailOfCut(secret)]);
  if (!parts.some((part) => json.includes(escapeAsJson(part)))) return value;
  return JSON.parse(json, (_, part: unknown) => (typeof part === 'string' ? hideInMessage(part, secrets) : part));
}

/** Fewer characters stand in too many words. */
const MIN_PART = 4;

/** Less than half of a key is of no use to whoever finds it. */
const lengthOfPart = (secret: string) => Math.max(MIN_PART, Math.ceil(secret.length / 2));
const headOfCut = (secret: string) => secret.slice(0, lengthOfPart(secret));
const tailOfCut = (secret: string) => secret.slice(-lengthOfPart(secret));

/** A quoted value is cut as JSON writes it. The longer form is first: the other one may be a part of it. */
function toForms(secret: string): readonly string[] {
  const escaped = escapeAsJson(secret);
  return escaped === secret ? [secret] : [escaped, secret];
}

/** A search for the shortest part is native code, so that long texts and many keys cost little. */
function hideCutHeads(text: string, secret: string): string {
  const part = headOfCut(secret);
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
  const part = tailOfCut(secret);
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

/** Replaces what is an API key or a credential by its form, in any text: nothing that merely stands beside the word. */
export function maskKeyForms(text: string): string {
  return text
    .replace(KEY_SHAPED, '[key]')
    .replace(BEARER, '$1[key]')
    .replace(USER_INFO, '[key]@')
    .replace(QUERY_KEY, '$1[key]');
}

/** The same, and what a text names as a key or password: for a program's messages, for settings and command lines. */
export function maskKeys(text: string): string {
  return maskKeyForms(text).replace(NAMED_SECRET, '$1[key]');
}

/** The prefixes that providers give their keys; OpenAI repeats a wrong one with asterisks in it. */
const KEY_SHAPED = /\b(?:sk-|pk-|hf_|gh[pousr]_|xox[abprs]-|AKIA|AIza|gsk_)[\w*-]{6,}/g;

const BEARER = /\b((?:bearer|basic)\s{1,4})[\w.~+/=-]{8,}/gi;

/** `user:password@` of a URL. */
const USER_INFO = /(?<=:\/\/)[^\s/?#"'<>]{1,300}@/g;

/** `?api-key=...` of a URL. */
const QUERY_KEY = /([?&][\w.-]{0,40}(?:key|token|secret|password|signature|sig)=)[^\s&#"'<>]{1,2000}/gi;

/** `SOME_API_KEY=...`, `"password": "..."`, `Authorization: ...` */
const NAMED_SECRET =
  /((?:key|token|secret|password|authorization)["']?\s{0,4}[:=]\s{0,4}["']?(?:(?:bearer|basic)\s{1,4})?)[^\s"',;&[]{8,}/gi;

/**
 * The keys, tokens and passwords of an environment, longest first: whatever agent runs, none of them may reach a file.
 * Placeholders such as "none" and "not-needed" are no secrets, and may be an answer's own words.
 */
export function readSecrets(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const named = Object.entries(env).filter(([name]) => isSecretName(name) && !name.startsWith('EVAL_'));
  const passwords = Object.values(env).flatMap((value) => readPasswords(value ?? ''));
  const values = [...named.map(([, value]) => value?.trim() ?? '').filter(isSecret), ...passwords];
  return [...new Set(values)].sort((a, b) => b.length - a.length);
}

/** Shorter ones would blank out words and numbers of an answer. */
const MIN_LENGTH = 8;

/** Letters alone, or digits alone, may be a word, a date or a number: only longer ones are secrets. */
const MIN_PLAIN_LENGTH = 12;
const PLAIN = /^(?:[\p{L}\s_.-]+|[\d\s_.-]+)$/u;

/** The folder that a path starts with; a key of base64 may start with a slash too. */
const PATH = /^(?:~|\.{1,2}|[A-Za-z]:)[\\/]|^\/(?:[a-z]{2,20}|Users|Applications|Library|Volumes)\//;

function isSecret(value: string): boolean {
  return (
    value.length >= (PLAIN.test(value) ? MIN_PLAIN_LENGTH : MIN_LENGTH) && !PATH.test(value) && !isPlaceholder(value)
  );
}

/** What people write where a key is asked for and none is needed. */
const PLACEHOLDER_WORDS = new Set(
  'a an any anything api change changeme default disabled dummy empty enabled example fake false for here is key lm local'
    .concat(
      ' me my needed no none not null ollama open openai optional password placeholder required secret server set',
    )
    .concat(' sk studio test this token true undefined unset unused used value vllm whatever your')
    .split(' '),
);

function isPlaceholder(value: string): boolean {
  return value
    .toLowerCase()
    .split(/[\s_.-]/)
    .every((word) => word === '' || PLACEHOLDER_WORDS.has(word));
}

/** The password of an address, such as that of a proxy or a database, as it stands there and as it is meant. */
function readPasswords(value: string): readonly string[] {
  const written = USER_AND_PASSWORD.exec(value)?.[1] ?? '';
  return [written, decode(written)].filter(isSecret);
}

const USER_AND_PASSWORD = /^\s*[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/?#:@]{0,300}:([^\s/?#]{1,300})@/i;

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What names of keys and passwords say, long enough to be found in the middle of a name as well. */
const WORDS = 'key|token|secret|password|passwd|passphrase|credential|auth|signature|bearer';

/** Too short for that: "pat" stands in PATH, "pass" in PASSENGER. */
const SHORT_WORDS = '(?<!ask)pass|(?<![a-z])(?:pat|jwt|creds?|cookie)|(?<=[_.-])pwd';

const ENDS_A_WORD = new RegExp(`(?:${WORDS}|${SHORT_WORDS})s?(?![a-z])`, 'i');
const ANYWHERE = new RegExp(WORDS, 'i');

/** Last words that make a name one of something beside a key: KEY_FILE, TOKEN_URL, SSH_AUTH_SOCK. */
const BESIDE_A_KEY =
  /[_.-](?:file|path|dir|folder|sock|socket|url|uri|host|port|name|user|username|email|type|method|mode)$/i;

/** Whether a variable of the whole environment is named as a key: AWS_ACCESS_KEY_ID and DB_PASS are, KEYBOARD is not. */
export function isSecretName(name: string): boolean {
  return ENDS_A_WORD.test(name) && !BESIDE_A_KEY.test(name);
}

/** The same for what is given to one server, where a value too many costs little: `accessKeyId` is one as well. */
export function mayBeSecretName(name: string): boolean {
  return ANYWHERE.test(name) || ENDS_A_WORD.test(name);
}
