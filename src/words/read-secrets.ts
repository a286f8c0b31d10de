import { findKeyForms } from './secrets.ts';
import { tryOrUndefined } from './show.ts';

/**
 * The keys, tokens and passwords of an environment, longest first. None of them may reach a file.
 * Placeholders such as "none" and "not-needed" are not secrets: they may be words of an answer.
 */
export function readSecrets(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const variables = Object.entries(env).filter(([name]) => !name.startsWith('EVAL_'));
  const keys = variables.flatMap(([name, value]) => keysIn(name, value?.trim() ?? ''));
  return [...new Set(keys)].sort((a, b) => b.length - a.length);
}

/** The keys in a value: the value itself if its name says so, and those of its fields. */
function keysIn(name: string, value: string): readonly string[] {
  if (value.length < MIN_LENGTH) return [];
  const json = /^[[{]/.test(value)
    ? (tryOrUndefined(() => jsonFields(name, JSON.parse(value))) ?? [])
    : [];
  const fields = [...json, ...listFields(value)];
  const named = fields
    .filter(([field]) => isSecretName(`.${field}`))
    .flatMap(([, inner]) => whole(inner));
  const keys = isSecretName(name) ? whole(value) : carriedKeys(name, value, fields);
  const decoded = decodeBase64(value);
  return [
    ...[...keys, ...named, ...passwordsInAddress(value)].filter(isSecret),
    ...findKeyForms(value),
    ...privateKeyParts(value),
    ...json.flatMap(([field, inner]) => keysIn(field, inner)),
    ...(decoded === null ? [] : keysIn(name, decoded)),
  ];
}

type Field = readonly [name: string, value: string];

/** The texts in a JSON value, such as `private_key` of a service account. */
function jsonFields(name: string, value: unknown): readonly Field[] {
  if (typeof value === 'string') return [[name, value]];
  if (typeof value !== 'object' || value === null) return [];
  const entries: readonly [string, unknown][] = Object.entries(value);
  return entries.flatMap(([key, inner]) => jsonFields(Array.isArray(value) ? name : key, inner));
}

/**
 * The fields of `a=b;c=d`, `a=b,c=d`, `?a=b&c=d` and `a=b c=d`; a value may contain separators too.
 */
function listFields(value: string): readonly Field[] {
  const parts = value.split(/[;,?&\s](?=\s{0,9}["']?[\w.-]{1,60}\s{0,9}=)/);
  return parts.flatMap((part): readonly Field[] => {
    const [, name, written] = /^\s{0,9}["']?([\w.-]{1,60})\s{0,9}=\s{0,9}(\S.*)$/s.exec(part) ?? [];
    if (name === undefined || written === undefined) return [];
    const plain = written.replace(/[;,\s]{1,9}$/, '').replace(/^(["'])(.*)\1$/s, '$2');
    const [word = plain] = plain.split(/\s/, 1);
    return [plain, word, tryOrUndefined(() => decodeURIComponent(plain)) ?? plain].map((inner) => [
      name,
      inner,
    ]);
  });
}

/**
 * Names of values that contain a key among other things: addresses of databases and webhooks, lists
 * of headers.
 */
const CARRIER =
  /(?:^|_)(?:(headers?)|(webhook)(?:_ur[il])?|dsn|conn(?:ection)?_?str(?:ing)?|basic(?:_auth)?)$/i;

function carriedKeys(name: string, value: string, fields: readonly Field[]): readonly string[] {
  const [carrier, isHeaders, isWebhook] = CARRIER.exec(name) ?? [];
  if (carrier === undefined) return [];
  const lines =
    isHeaders === undefined ? [] : [...value.matchAll(/^[ \t]{0,9}([\w-]{1,60}): {0,9}(.+)$/gm)];
  const headers = [
    ...fields,
    ...lines.map(([, header = '', inner = '']): Field => [header, inner]),
  ];
  if (headers.length > 0) {
    const told =
      isHeaders === undefined ? [] : headers.filter(([header]) => !PUBLIC_HEADER.test(header));
    return told.flatMap(([, inner]) => whole(inner));
  }
  const [, user, path] =
    /^[a-z][a-z\d+.-]*:\/\/(?:([^\s/?#:@]+)@)?[^\s/?#]*\/?(.*)$/i.exec(value) ?? [];
  return path === undefined ? whole(value) : [user ?? '', isWebhook === undefined ? '' : path];
}

const PUBLIC_HEADER =
  /^(?:accept|cache|content|host|origin|referer|http-referer|user-agent|x-title)/i;

/**
 * A value, what follows its "Bearer ", and the password of `user:password`, which is sent in base64
 * too.
 */
function whole(value: string): readonly string[] {
  const [, token] = /^(?:bearer|basic|token) +(\S+)$/i.exec(value) ?? [];
  if (token !== undefined) return [value, token];
  const [, password] = /^[^\s:/]{1,100}:(?!\/\/)(\S+)$/.exec(value) ?? [];
  return password === undefined
    ? [value]
    : [value, password, Buffer.from(value).toString('base64')];
}

/** The password in an address, such as a proxy's or a database's, as written and decoded. */
function passwordsInAddress(value: string): readonly string[] {
  const written = USER_AND_PASSWORD.exec(value)?.[1] ?? '';
  return [written, tryOrUndefined(() => decodeURIComponent(written)) ?? written];
}

const USER_AND_PASSWORD = /^[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/?#:@]{0,300}:([^\s/?#]{1,300})@/i;

/**
 * The lines of private keys, as written and as programs wrap them, all in one line, and in base64.
 */
function privateKeyParts(value: string): readonly string[] {
  const text = value.replace(/\\{1,4}[nr]/g, '\n');
  const blocks = text.matchAll(
    /(-----BEGIN ([A-Z\d ]{0,40}PRIVATE KEY-----))(.*?)(?:-----END|$)/gs,
  );
  const parts = [...blocks].flatMap(([, begin = '', label = '', body = '']) => {
    const words = body.replace(/^[ \t]{0,9}[\w-]{1,60}:.*$/gm, '').split(/[\s"',\\]+/);
    const lines = words.filter((word) => /^[\w+/]+=*$/.test(word));
    const joined = lines.join('');
    const usual = joined.match(/.{1,64}/g) ?? [];
    const file = Buffer.from([begin, ...usual, `-----END ${label}`, ''].join('\n'));
    return [
      ...lines,
      ...usual,
      ...(joined.match(/.{1,76}/g) ?? []),
      joined,
      file.toString('base64'),
    ];
  });
  return parts.filter((part) => part.length >= MIN_LENGTH);
}

/** A file of keys that a variable has in base64, such as a service account. */
function decodeBase64(value: string): string | null {
  if (!/^(?:LS0tLS|ey|ew)[\w+/\s]+=*$/.test(value)) return null;
  const text = Buffer.from(value, 'base64').toString('utf8').trim();
  return /^(?:-----BEGIN|\{)/.test(text) ? text : null;
}

/**
 * Whether the name of a variable means a key: AWS_ACCESS_KEY_ID, DB_PASS and accessKeyId do,
 * KEYBOARD does not.
 */
export function isSecretName(name: string): boolean {
  const words = name.replace(/(?<=[a-z\d])(?=[A-Z])/g, '_');
  return ENDS_A_WORD.test(words) && !BESIDE_A_KEY.test(words);
}

/** Replacing shorter ones would hide words and numbers of an answer. */
const MIN_LENGTH = 8;

/**
 * Letters alone or digits alone may be a word, a date or a number, so only longer ones count as
 * secrets.
 */
const MIN_PLAIN_LENGTH = 12;
const PLAIN = /^(?:[\p{L}\s_.-]+|[\d\s_.-]+)$/u;

/** The first folder of a path. A base64 key may start with a slash too. */
const PATH =
  /^(?:~|\.{1,2}|[A-Za-z]:)[\\/]|^\/(?:[a-z]{2,20}|Users|Applications|Library|Volumes)\//;

/** Whether a text may be a key: a short word or number, a path or "none" is none. */
export function isSecret(value: string): boolean {
  const least = PLAIN.test(value) ? MIN_PLAIN_LENGTH : MIN_LENGTH;
  return value.length >= least && !PATH.test(value) && !isPlaceholder(value);
}

/** Words that people write as the key when none is needed. */
const PLACEHOLDER_WORDS = new Set(
  [
    'a an any anything api change changeme default disabled dummy empty enabled example fake false for here is key lm',
    'local me my needed no none not null ollama open openai optional password placeholder required secret server set',
    'sk studio test this token true undefined unset unused used value vllm whatever your',
  ].flatMap((words) => words.split(' ')),
);

function isPlaceholder(value: string): boolean {
  const words = value.toLowerCase().split(/[\s_.-]+/);
  return words.every((word) => word === '' || PLACEHOLDER_WORDS.has(word));
}

/** Words in the names of keys and passwords that are long enough to match inside a name. */
const WORDS =
  'key|token|secret|password|passwd|passphrase|credential|auth(?:orization)?|signature|bearer';

/** Words that are too short to match inside a name: "pat" is in PATH, "pass" in PASSENGER. */
const SHORT_WORDS = '(?<!ask)pass|(?<![a-z])(?:pat|jwt|creds?|cookie)|(?<=[_.-])pwd';

const ENDS_A_WORD = new RegExp(`(?:${WORDS}|${SHORT_WORDS})s?(?![a-z])`, 'i');

/** Last words of names whose values are not keys: KEY_FILE, TOKEN_URL, SSH_AUTH_SOCK. */
const BESIDE_A_KEY =
  /[_.-](?:file|path|dir|folder|sock|socket|url|uri|host|port|name|user|username|email|type|method|mode)$/i;
