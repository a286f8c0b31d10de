import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readRegular } from '../../records/files.ts';
import { isSecretName, maskKeyForms, readSecrets } from '../../text/secrets.ts';
import { quote } from '../../text/show.ts';
import { messageOf } from '../../text/thrown.ts';

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
  throw new Error(`${file}: "mcpServers" must be an object with a server for each name.`);
}

function toServer(name: string, entry: unknown, env: Environment, folder: string): McpServer {
  const fill = (_: string, value: unknown) => (typeof value === 'string' ? fillIn(value, env) : value);
  const filled: unknown = JSON.parse(JSON.stringify(entry), fill);
  const toKind = isFields(filled) && filled['command'] === undefined ? toAddress : toProgram;
  const server = isFields(filled) ? toKind(filled, env, folder) : null;
  if (server === null) throw new Error(`it has not the form of a server. Write ${PROGRAM_FORM} or ${ADDRESS_FORM}.`);
  const variables = [...JSON.stringify(entry).matchAll(VARIABLE)].map(([, variable = '']) => [variable, env[variable]]);
  const secrets = new Set([...findSecrets(server), ...readSecrets(Object.fromEntries(variables))]);
  // The longest first, or the rest of it would stay where a shorter one is a part of it.
  return { name, ...server, secrets: [...secrets].toSorted((a, b) => b.length - a.length) };
}

const PROGRAM_FORM = '{"command": "npx", "args": ["..."], "env": {"NAME": "..."}, "cwd": "..."}';
const ADDRESS_FORM = '{"type": "http", "url": "https://...", "headers": {"NAME": "..."}}';

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** Fills in `${NAME}` and `${NAME:-default}`, once; with a default, an empty variable counts as unset, as in a shell. */
function fillIn(text: string, env: Environment): string {
  return text.replace(VARIABLE, (variable, name: string, fallback: string | undefined) => {
    const found = fallback === undefined ? env[name] : env[name] || fallback;
    if (found !== undefined) return found;
    throw new Error(`it needs ${variable}, which is not set. Set it in .env or write \${NAME:-default}.`);
  });
}

function toAddress({ type = 'http', url, headers = {} }: Fields): Address | null {
  const isHttp = type === 'http' || type === 'streamable-http';
  if (!isHttp || !isText(url) || !/^https?:$/.test(URL.parse(url)?.protocol ?? '') || !isTexts(headers)) return null;
  return { kind: 'http', url, headers };
}

/** What a server inherits: enough to find programs and a home, and no key. */
const INHERITED = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'USER'];

function toProgram(fields: Fields, env: Environment, folder: string): Program | null {
  const { type = 'stdio', command, args = [], env: own = {}, cwd = '' } = fields;
  if (type !== 'stdio' || !isText(command) || command === '' || !isText(cwd)) return null;
  if (!Array.isArray(args) || !args.every(isText) || !isTexts(own)) return null;
  const inherited = INHERITED.flatMap((key) => (env[key] === undefined ? [] : [[key, env[key]] as const]));
  return { kind: 'stdio', command, args, env: { ...Object.fromEntries(inherited), ...own }, cwd: resolve(folder, cwd) };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isFields(value) && Object.values(value).every(isText);
}

/** A name and, behind a blank, a colon or "=", the word that follows it: quotes of JSON and "Bearer" may stand between. */
const NAMED = /([\w.-]{1,60})["']?[\s:=]+["']?(?=(?:(?:bearer|basic) )?([^\s"'&}-][^\s"'&}]*))/gi;

/**
 * What a server is given as keys: in its variables, in words such as `--api-key ...`, `TOKEN=...`, `Authorization: Bearer
 * ...`, `{"token": "..."}` and `?key=...`, as the password of an address, in any form of a key, and as its headers, with
 * and without their scheme.
 */
function findSecrets(server: Program | Address): readonly string[] {
  const [env, words] = server.kind === 'stdio' ? [server.env, server.args] : [{}, [server.url]];
  const headers = server.kind === 'http' ? Object.values(server.headers) : [];
  const named = [...words.join(' ').matchAll(NAMED)].map(([, name = '', value = '']) => [name, value] as const);
  const keys = [
    ...[...Object.entries(env), ...named].flatMap(([name, value]) =>
      isSecretName(name) || /authorization$/i.test(name) ? [value] : [],
    ),
    ...headers.flatMap((value) => [value, value.replace(/^\w{1,10} /, '')]),
  ];
  const addresses = [...Object.values(env), ...words.map((word) => word.replace(/^[\w-]+=/, ''))];
  return [
    ...keys.flatMap((value) => readSecrets({ KEY: value })),
    ...readSecrets(Object.fromEntries(addresses.entries())),
    ...words.filter((word) => maskKeyForms(word) === '[key]'),
  ];
}
