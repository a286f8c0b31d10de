import { maskKeyForms } from '../../secrets/mask-keys.ts';
import { readSecrets } from '../../secrets/read-secrets.ts';
import { isSecretName, mayBeSecretName } from '../../secrets/secret-name.ts';

type Texts = Readonly<Record<string, string>>;

/** What a server that is a program is given as keys: in its variables and on its command line. */
export function secretsOfProgram(env: Texts, args: readonly string[]): readonly string[] {
  const variables = Object.entries(env).flatMap(([name, value]) =>
    mayBeSecretName(name) ? toSecrets(value) : passwordsOf(value),
  );
  return longestFirst([...variables, ...args.flatMap((arg, index) => secretsOfArgument(arg, args[index - 1] ?? ''))]);
}

/** What a server at an address is given as keys: all of its headers, and parts of the address. */
export function secretsOfAddress(url: string, headers: Texts): readonly string[] {
  const { username = '', password = '' } = URL.parse(url) ?? {};
  const held = [...Object.values(headers), ...keysOfQuery(url), username, password];
  return longestFirst(held.flatMap(toSecrets));
}

/** Of the variables that stand in a server's settings, whatever for, the keys: told as in the whole environment. */
export function secretsOfVariables(names: readonly string[], env: Readonly<Record<string, string | undefined>>) {
  return readSecrets(Object.fromEntries(names.map((name) => [name, env[name]])));
}

/** Each once. A longer one goes first, or the rest of it would stay where a shorter one is a part of it. */
export function longestFirst(secrets: readonly string[]): readonly string[] {
  return [...new Set(secrets)].toSorted((a, b) => b.length - a.length);
}

/** A header such as "Bearer abc..." as a whole and without its first word. Short ones would blank out common words. */
function toSecrets(value: string): readonly string[] {
  return [...new Set([value, withoutScheme(value)])].filter((secret) => secret.length >= 8);
}

function withoutScheme(value: string): string {
  return value.replace(/^\w{1,10} /, '');
}

/**
 * `--api-key=...`, `--api-key` before it, `TOKEN=...`, `Authorization: Bearer ...` and `{"token": "..."}`, an address that
 * holds a key, and what has the form of one. Stricter than with variables: a folder or a number that is taken for a key
 * would be cut out of what tools return.
 */
function secretsOfArgument(arg: string, before: string): readonly string[] {
  const [, name = '', value = arg] = NAMED.exec(arg) ?? [];
  const pairs = [
    [name === '' && before.startsWith('-') && !arg.startsWith('-') ? before : name, value] as const,
    ...pairsOf(arg),
  ];
  const named = pairs.filter(([of]) => isSecretName(of) || /authorization$/i.test(of)).map(([, text]) => text);
  const held = [...named, ...keysOfQuery(value)].flatMap((text) => [text, withoutScheme(text)]);
  const formed = maskKeyForms(value) === '[key]' ? [value] : [];
  return [...formed, ...held.flatMap((text) => readSecrets({ KEY: text })), ...passwordsOf(value)];
}

const NAMED = /^-{0,2}([\w.-]{1,60}) ?[=:] ?(?!\/\/)(.+)$/s;

function pairsOf(json: string): readonly (readonly [string, string])[] {
  return [...json.matchAll(/"([\w.-]{1,60})"\s*:\s*"([^"]+)"/g)].map(([, name = '', value = '']) => [name, value]);
}

function keysOfQuery(url: string): readonly string[] {
  const { searchParams } = URL.parse(url) ?? {};
  return [...(searchParams ?? [])].flatMap(([name, value]) => (mayBeSecretName(name) ? [value] : []));
}

/** The password of an address such as that of a database. */
function passwordsOf(value: string): readonly string[] {
  return readSecrets({ ADDRESS: value });
}
