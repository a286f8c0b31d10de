import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readRegular } from '../../records/files.ts';
import { isSecretName, maskKeyForms, mayBeSecretName, readSecrets } from '../../text/secrets.ts';
import { nameType, quote, showValue } from '../../text/show.ts';
import { messageOf } from '../tool.ts';

/** One server of an `mcpServers` file, its variables filled in. */
export type McpServer = {
  readonly name: string;
  /** What no message and no result may show: keys in its environment, arguments, headers and address. */
  readonly secrets: readonly string[];
} & (Program | Address);

type Program = {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
};

type Address = { readonly kind: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** The servers of a run, and the file as it was set. They hold keys, so they go to the workers, and into no file. */
export type McpSettings = { readonly file: string; readonly servers: readonly McpServer[] };

type Environment = Readonly<Record<string, string | undefined>>;
type Fields = Readonly<Record<string, unknown>>;

const USUAL = '.mcp.json';

/** The servers of the file that EVAL_MCP names, or else of `.mcp.json` where the project has one; null for "off". */
export function findMcp(setting: string | null, root: string, env: Environment): McpSettings | null {
  if (setting === 'off' || (setting === null && !existsSync(resolve(root, USUAL)))) return null;
  const file = setting ?? USUAL;
  return { ...readMcpFile(resolve(root, file), env), file };
}

/**
 * Reads a file of the common form {"mcpServers": {name: {command, args, env, cwd} | {type: "http", url, headers}}}.
 * Relative folders start at the file's own. Throws one error that names everything that is wrong, and shows no value
 * that may hold a key.
 */
export function readMcpFile(file: string, env: Environment): McpSettings {
  const problems: string[] = [];
  const servers: McpServer[] = [];
  for (const [name, entry] of Object.entries(readServers(file))) {
    try {
      if (isFields(entry) && entry['disabled'] === true) continue;
      servers.push(toServer(name, entry, env, dirname(resolve(file))));
    } catch (error) {
      problems.push(`${file}: server ${quote(name)}: ${messageOf(error)}`);
    }
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return { file, servers };
}

function readServers(file: string): Fields {
  let servers: unknown;
  try {
    const text = readRegular(file).toString('utf8');
    servers = JSON.parse(text.replace(/^\uFEFF/, ''))?.mcpServers;
  } catch (cause) {
    // A SyntaxError quotes a piece of the file, which may be a key.
    const reason = messageOf(cause).replace(/, (?:\.\.\.)?".*$/s, '');
    const remedy = 'Correct it, or set EVAL_MCP=off.';
    throw new Error(`EVAL_MCP: ${file} cannot be read as JSON (${reason}). ${remedy}`, { cause });
  }
  if (isFields(servers)) return servers;
  throw new Error(`${file}: "mcpServers" must be an object with a server for each name, got ${nameKind(servers)}.`);
}

function toServer(name: string, entry: unknown, env: Environment, folder: string): McpServer {
  if (!isFields(entry)) throw new Error(`it must be an object, got ${nameKind(entry)}.`);
  const server = isAddress(entry) ? toAddress(entry, env) : toProgram(entry, env, folder);
  const own = server.kind === 'stdio' ? secretsOfProgram(server) : secretsOfAddress(server);
  const variables = [...JSON.stringify(entry).matchAll(VARIABLE)].map(([, variable = '']) => [variable, env[variable]]);
  const secrets = new Set([...own, ...readSecrets(Object.fromEntries(variables))]);
  // The longest first, or the rest of it would stay where a shorter one is a part of it.
  return { name, ...server, secrets: [...secrets].toSorted((a, b) => b.length - a.length) };
}

function isAddress({ type, command, url }: Fields): boolean {
  if (type === undefined) return command === undefined && url !== undefined;
  if (type === 'stdio') return false;
  if (type === 'http' || type === 'streamable-http') return true;
  throw new Error(`"type" must be "stdio" or "http" (streamable HTTP), got ${showValue(type)}.`);
}

/** What a server inherits: enough to find programs and a home, and no key. */
const INHERITED = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'USER'];

function toProgram(entry: Fields, env: Environment, folder: string): Program {
  const inherited = INHERITED.flatMap((key) => (env[key] === undefined ? [] : [[key, env[key]] as const]));
  const args = entry['args'] ?? [];
  if (!Array.isArray(args)) throw new Error(`"args" must be a list of texts, got ${nameKind(args)}.`);
  return {
    kind: 'stdio',
    command: toText('command', entry['command'], env),
    args: args.map((arg, index) => toText(`args[${index}]`, arg, env)),
    env: { ...Object.fromEntries(inherited), ...toTexts(entry, 'env', env) },
    cwd: resolve(folder, entry['cwd'] === undefined ? '' : toText('cwd', entry['cwd'], env)),
  };
}

function toAddress(entry: Fields, env: Environment): Address {
  const url = toText('url', entry['url'], env);
  if (/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    return { kind: 'http', url, headers: toTexts(entry, 'headers', env) };
  }
  throw new Error('"url" must be a whole http or https address.');
}

/** What a value is, and not the value: nearly every value of such a file may hold a key. */
function nameKind(value: unknown): string {
  if (value === undefined) return 'nothing';
  return value === '' ? 'an empty text' : `a value of the type ${nameType(value)}`;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toTexts(entry: Fields, key: string, env: Environment): Readonly<Record<string, string>> {
  const value = entry[key] ?? {};
  if (!isFields(value)) throw new Error(`${quote(key)} must be an object of texts, got ${nameKind(value)}.`);
  const texts = Object.entries(value).map(([name, text]) => [name, text === '' ? '' : toText(name, text, env)]);
  return Object.fromEntries(texts);
}

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** Fills in `${NAME}` and `${NAME:-default}`, once; with a default, an empty variable counts as unset, as in a shell. */
function toText(key: string, value: unknown, env: Environment): string {
  if (typeof value !== 'string' || value === '') {
    throw new Error(`${quote(key)} must be a text, got ${nameKind(value)}.`);
  }
  return value.replace(VARIABLE, (variable, name: string, fallback: string | undefined) => {
    const found = fallback === undefined ? env[name] : env[name] || fallback;
    if (found !== undefined) return found;
    throw new Error(`${quote(key)} needs ${variable}, which is not set. Set it in .env or write \${NAME:-default}.`);
  });
}

/** What a program is given as keys: in variables, on its command line, as the password of an address. */
function secretsOfProgram({ env, args }: Program): readonly string[] {
  const variables = Object.entries(env).flatMap(([name, value]) => (mayBeSecretName(name) ? toKey(value) : []));
  const values = [...Object.values(env), ...args.map((arg) => arg.replace(/^[\w-]+=/, ''))];
  return [...variables, ...secretsOfArguments(args), ...readSecrets(Object.fromEntries(values.entries()))];
}

/** All headers of an address, also without the scheme ("Bearer"), and keys in the address itself. */
function secretsOfAddress({ url, headers }: Address): readonly string[] {
  const { username = '', password = '', searchParams = [] } = URL.parse(url) ?? {};
  const query = [...searchParams].flatMap(([name, value]) => (mayBeSecretName(name) ? [value] : []));
  const bare = Object.values(headers).map((value) => value.replace(/^\w{1,10} /, ''));
  return [...Object.values(headers), ...bare, ...query, username, password].flatMap(toKey);
}

/** None where the value is too short or a placeholder. */
function toKey(value: string): readonly string[] {
  return readSecrets({ KEY: value });
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
    isSecretName(name) || /authorization$/i.test(name) ? toKey(value) : [],
  );
  return [...named, ...args.filter((arg) => maskKeyForms(arg) === '[key]')];
}
