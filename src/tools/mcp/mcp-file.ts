import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readRegular } from '../../data/files/read-file.ts';
import { isFields } from '../../words/fields.ts';
import { isSecretName, readSecrets } from '../../words/read-secrets.ts';
import { maskKeyForms } from '../../words/secrets.ts';
import { nameType, quote, showValue } from '../../words/show.ts';
import { messageOf } from '../../words/thrown.ts';
import type { Tool } from '../tool.ts';

/** One server of an `mcpServers` file, with its variables filled in. */
export type McpServer = Readonly<{
  name: string;
  /**
   * The keys in its environment, arguments, headers and address. No message and no result may show
   * them.
   */
  secrets: readonly string[];
}> &
  (Program | Address);

type Program = Readonly<{
  kind: 'stdio';
  command: string;
  args: readonly string[];
  /** The whole environment of the server. */
  env: Readonly<Record<string, string>>;
  cwd: string;
}>;

type Address = Readonly<{
  kind: 'http';
  url: string;
  headers: Readonly<Record<string, string>>;
}>;

/**
 * The servers of a run, and their file as the user named it. They contain keys, so they are passed
 * to the workers but not written to any file.
 */
export type McpSettings = Readonly<{ file: string; servers: readonly McpServer[] }>;

/** A running server with its tools. */
export type OpenServer = Readonly<{
  name: string;
  version: string;
  /** Its address or command line, without keys. */
  at: string;
  tools: readonly Tool[];
  close(): Promise<void>;
}>;

type Environment = Readonly<Record<string, string | undefined>>;
type Fields = Readonly<Record<string, unknown>>;

const USUAL = '.mcp.json';

/**
 * The servers of the file that EVAL_MCP names, else of the project's `.mcp.json`; null for "off" or
 * without a file.
 */
export function findMcp(
  setting: string | null,
  root: string,
  env: Environment,
): McpSettings | null {
  if (setting === 'off' || (setting === null && !existsSync(resolve(root, USUAL)))) return null;
  const file = setting ?? USUAL;
  return { ...readMcpFile(resolve(root, file), env), file };
}

/**
 * Reads a file of the common form {"mcpServers": {name: {command, args, env, cwd} | {type: "http",
 * url, headers}}}. Relative folders start at the file's own. Throws one error with all problems. It
 * shows no value that may contain a key.
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
  if (!existsSync(file))
    throw new Error(`EVAL_MCP: ${file}: no such file. Check the path, or set EVAL_MCP=off.`);
  let servers: unknown;
  try {
    const text = readRegular(file).toString('utf8');
    servers = JSON.parse(text.replace(/^\uFEFF/, ''))?.mcpServers;
  } catch (cause) {
    // A SyntaxError quotes a part of the file, which may be a key.
    const reason = messageOf(cause).replace(/, (?:\.\.\.)?".*$/s, '');
    const remedy = 'Correct it, or set EVAL_MCP=off.';
    throw new Error(`EVAL_MCP: ${file} cannot be read as JSON (${reason}). ${remedy}`, { cause });
  }
  if (isFields(servers)) return servers;
  throw new Error(`${file}: "mcpServers" must be an object with a server for each name.`);
}

function toServer(name: string, entry: unknown, env: Environment, folder: string): McpServer {
  const json = JSON.stringify(entry);
  const filled: unknown = JSON.parse(json, (_, value: unknown) =>
    isString(value) ? fillIn(value, env) : value,
  );
  if (!isFields(entry) || !isFields(filled))
    throw new Error(`it must be an object, got ${nameType(entry)}.`);
  const [field, types] = filled['command'] === undefined ? ['url', HTTP] : ['command', STDIO];
  if (filled[field] === undefined)
    throw new Error(
      `it needs "command" or "url", got ${Object.keys(entry).map(quote).join(', ') || 'nothing'}.`,
    );
  if (!types.some((type) => type === (filled['type'] ?? types[0]))) {
    throw new Error(
      `"type" must be ${quote(types[0])} with ${quote(field)}, got ${showValue(entry['type'])}.`,
    );
  }
  const server = field === 'url' ? toAddress(filled) : toProgram(filled, env, folder);
  const variables = [...json.matchAll(VARIABLE)].map(([, variable = '']) => [
    variable,
    env[variable],
  ]);
  const secrets = new Set([...findSecrets(server), ...readSecrets(Object.fromEntries(variables))]);
  // The longest comes first: after replacing a shorter key inside it, its rest would remain.
  return { name, ...server, secrets: [...secrets].toSorted((a, b) => b.length - a.length) };
}

const STDIO = ['stdio'] as const;
const HTTP = ['http', 'streamable-http'] as const;

/**
 * Names the field, or the part of it that is not text, and the type. The value is not shown, since
 * it may be a key.
 */
function mistyped(field: string, form: string, value: unknown): Error {
  const parts = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const [name, part] = parts.find(([, each]) => !isString(each)) ?? [];
  if (name !== undefined)
    return new Error(`${quote(`${field}.${name}`)} must be a string, got ${nameType(part)}.`);
  return new Error(
    `${quote(field)} must be ${form}, got ${value === '' ? 'an empty one' : nameType(value)}.`,
  );
}

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/**
 * Fills in `${NAME}` and `${NAME:-default}`, once. With a default, an empty variable counts as
 * unset, as in a shell.
 */
function fillIn(text: string, env: Environment): string {
  return text.replace(VARIABLE, (variable, name: string, fallback: string | undefined) => {
    const found = fallback === undefined ? env[name] : env[name] || fallback;
    if (found !== undefined) return found;
    throw new Error(
      `it needs ${variable}, which is not set. Set it in .env or write \${NAME:-default}.`,
    );
  });
}

function toAddress({ url, headers = {} }: Fields): Address {
  if (!isString(url) || !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw mistyped('url', 'an address that starts with http:// or https://', url);
  }
  if (!areStrings(headers)) throw mistyped('headers', 'an object of strings', headers);
  return { kind: 'http', url, headers };
}

/**
 * The variables that a server inherits: enough to find programs and the home folder, but no keys.
 */
const INHERITED = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'USER'];

function toProgram(fields: Fields, env: Environment, folder: string): Program {
  const { command, args = [], env: added = {}, cwd = '' } = fields;
  if (!isString(command) || command === '') throw mistyped('command', 'a string', command);
  if (!Array.isArray(args) || !args.every(isString))
    throw mistyped('args', 'a list of strings', args);
  if (!areStrings(added)) throw mistyped('env', 'an object of strings', added);
  if (!isString(cwd)) throw mistyped('cwd', 'a string', cwd);
  const inherited = INHERITED.flatMap((key) =>
    env[key] === undefined ? [] : [[key, env[key]] as const],
  );
  return {
    kind: 'stdio',
    command,
    args,
    env: { ...Object.fromEntries(inherited), ...added },
    cwd: resolve(folder, cwd),
  };
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function areStrings(value: unknown): value is Readonly<Record<string, string>> {
  return isFields(value) && Object.values(value).every(isString);
}

/**
 * A name and, after a space, a colon or "=", the next word. JSON quotes and "Bearer" may be between
 * them.
 */
const NAMED = /([\w.-]{1,60})["']?[\s:=]+["']?(?=(?:(?:bearer|basic) )?([^\s"'&}-][^\s"'&}]*))/gi;

/**
 * The keys that a server gets: in its variables, in words such as `--api-key ...`, `TOKEN=...`,
 * `Authorization: Bearer ...`, `{"token": "..."}` and `?key=...`, as the password in an address, in
 * any known form of a key, and as its headers, with and without their scheme.
 */
function findSecrets(server: Program | Address): readonly string[] {
  const {
    env,
    args: words,
    headers,
  } = server.kind === 'stdio'
    ? { ...server, headers: [] }
    : { env: {}, args: [server.url], headers: Object.values(server.headers) };
  const named = [...words.join(' ').matchAll(NAMED)].map(
    ([, name = '', value = '']) => [name, value] as const,
  );
  const keys = [
    ...[...Object.entries(env), ...named].flatMap(([name, value]) =>
      isSecretName(name) ? [value] : [],
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
