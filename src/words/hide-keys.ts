import { isSecret, isSecretName } from './read-secrets.ts';
import type { Json } from './sample.ts';
import { HIDDEN, maskKeyForms, redactIn } from './secrets.ts';

/**
 * Redacts known keys, texts of their forms, and what is named as a key: fields, their lists and `value`,
 * and the same in a text, which may be JSON.
 */
export function hideKeys(value: Json, secrets: readonly string[]): Json {
  const plain: Json = JSON.parse(JSON.stringify(redactIn(value, secrets)));
  return hideIn(plain, '');
}

function hideIn(value: Json, name: string): Json {
  if (typeof value === 'string')
    return isNamedSecret(name, value) ? HIDDEN : maskNamed(maskKeyForms(value));
  if (typeof value === 'number') return isCode(name, value) ? HIDDEN : value;
  if (Array.isArray(value)) return value.map((each) => hideIn(each, name));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(
    ([field, each]) =>
      [field, hideIn(each, field === 'value' && name !== '' ? name : field)] as const,
  );
  return Object.fromEntries(fields);
}

/** Whether a field has a key that opens something, and not one that finds something. */
export function isKeyName(name: string): boolean {
  return isSecretName(name) && !NO_SECRET.test(name);
}

function isNamedSecret(name: string, text: string): boolean {
  return isKeyName(name) && isSecret(text);
}

/** A number that is a password, and no count, as of tokens. */
function isCode(name: string, value: number): boolean {
  return /(?:secret|password|passwd|passphrase)$/i.test(name) && Math.abs(value) >= 100_000;
}

function maskNamed(text: string): string {
  return maskQuoted(text).replace(UNQUOTED, (all, start, name, secret) =>
    isNamedSecret(name, secret) ? `${start}${HIDDEN}` : all,
  );
}

/** A text in quotation marks may be JSON itself. */
function maskQuoted(text: string): string {
  return text.replace(QUOTED, (_, start, mark, name, value) => {
    const hidden = isNamedSecret(name, value) ? HIDDEN : maskQuoted(value);
    return `${start}${hidden}${mark}`;
  });
}

/** `"apiKey": "..."`, also with the marks of JSON in JSON. */
const QUOTED = /((\\{0,8}["'])([\w.-]{1,60})\2\s{0,9}:\s{0,9}\2)((?:\\.|[^\\]){0,9999}?)\2/gs;

/** `API_KEY=...`, `password: ...`, at the start of a line or behind a space. */
const UNQUOTED =
  /((?<![^\s;,{(])([\w.-]{1,60})\s{0,4}[:=]\s{0,4}["']?)([^\s"',;&[\]{}\\]{8,9999})/g;

/** A key that finds something, or says where a list goes on. */
const NO_SECRET =
  /^(?:\w*(?:primary|foreign|sort|partition|cache|idempotency|public|object|issue|row|item|page|next|continuation|sync|cursor)[_-]?(?:key|token)s?|keys?)$/i;
