import { isSecretName, maskKeyForms, mayBeSecretName, readSecrets } from '../../text/secrets.ts';

type Texts = Readonly<Record<string, string>>;

/** What a server that is a program is given as keys: in variables, on its command line, as the password of an address. */
export function secretsOfProgram({ env, args }: { readonly env: Texts; readonly args: readonly string[] }) {
  const named = Object.entries(env).flatMap(([name, value]) => (mayBeSecretName(name) ? toSecrets(value) : []));
  const values = [...Object.values(env), ...args.map((arg) => arg.replace(/^[\w-]+=/, ''))];
  return [...named, ...secretsOfArguments(args), ...readSecrets(Object.fromEntries(values.entries()))];
}

/** What a server at an address is given as keys: all of its headers, and parts of the address. */
export function secretsOfAddress({ url, headers }: { readonly url: string; readonly headers: Texts }) {
  const { username = '', password = '', searchParams = [] } = URL.parse(url) ?? {};
  const query = [...searchParams].flatMap(([name, value]) => (mayBeSecretName(name) ? [value] : []));
  return [...Object.values(headers), ...query, username, password].flatMap(toSecrets);
}

/** The keys among the variables that a server's settings name. */
export function secretsOfVariables(names: readonly string[], env: Readonly<Record<string, string | undefined>>) {
  return readSecrets(Object.fromEntries(names.map((name) => [name, env[name]])));
}

/** Each once. A longer one goes first, or the rest of it would stay where a shorter one is a part of it. */
export function longestFirst(secrets: readonly string[]): readonly string[] {
  return [...new Set(secrets)].toSorted((a, b) => b.length - a.length);
}

/** A header such as "Bearer abc..." as a whole and without its first word. Short ones would hide common words. */
function toSecrets(value: string): readonly string[] {
  return [value, value.replace(/^\w{1,10} /, '')].filter((secret) => secret.length >= 8);
}

/** A name and, behind a blank, a colon or "=", the word that follows it: quotes of JSON and "Bearer" may stand between. */
const NAMED = /([\w.-]{1,60})["']?[\s:=]+["']?(?=(?:(?:bearer|basic) )?([^\s"'&}-][^\s"'&}]*))/gi;

/**
 * `--api-key=...`, `--api-key ...`, `TOKEN=...`, `Authorization: Bearer ...`, `{"token": "..."}`, `?key=...`, and what has
 * the form of a key. Stricter than with variables: a folder or a number that is taken for a key would be cut out of what
 * tools return.
 */
function secretsOfArguments(args: readonly string[]): readonly string[] {
  const named = [...args.join(' ').matchAll(NAMED)].flatMap(([, name = '', value = '']) =>
    isSecretName(name) || /authorization$/i.test(name) ? readSecrets({ KEY: value }) : [],
  );
  return [...named, ...args.filter((arg) => maskKeyForms(arg) === '[key]')];
}
