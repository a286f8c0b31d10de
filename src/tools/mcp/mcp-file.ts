import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import type * as Zod from 'zod/v4';
import { readRegular } from '../../data/files/read-file.ts';
import { requirePackage } from '../../package.ts';
import { field, isFields } from '../../words/fields.ts';
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
  /** The names of tools whose descriptions were cut. */
  cut: readonly string[];
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
  const entries = Object.entries(readServers(file)).filter(
    ([, entry]) => field(entry, 'disabled') !== true,
  );
  if (entries.length > 0) requirePackage(SDK, `${file}: an MCP server`);
  for (const [name, entry] of entries) {
    try {
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
    typeof value === 'string' ? fillIn(value, env) : value,
  );
  if (!isFields(entry)) throw new Error(`it must be an object, got ${nameType(entry)}.`);
  const server = checkServer(filled, env, folder);
  if (server === null) {
    const names = Object.keys(entry).map(quote).join(', ') || 'nothing';
    throw new Error(`it needs "command" or "url", got ${names}.`);
  }
  const variables = [...json.matchAll(VARIABLE)].map(([, variable = '']) => [
    variable,
    env[variable],
  ]);
  const secrets = new Set([...findSecrets(server), ...readSecrets(Object.fromEntries(variables))]);
  // The longest comes first: after replacing a shorter key inside it, its rest would remain.
  return { name, ...server, secrets: [...secrets].toSorted((a, b) => b.length - a.length) };
}

const SDK = '@modelcontextprotocol/sdk';

/**
 * The variables that a server inherits: enough to find programs and the home folder, but no keys.
 */
const INHERITED = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'USER'];

/** The two forms of a server; null for another. A message says what a field must be. */
function checkServer(entry: unknown, env: Environment, folder: string): Program | Address | null {
  // A strict package manager shows viva no zod, but the SDK's own.
  const sdk = createRequire(import.meta.url).resolve(`${SDK}/types.js`);
  const z: typeof Zod = createRequire(sdk)('zod/v4');
  const text = z.string('a string');
  const texts = z.record(text, text, 'an object of strings');
  if (field(entry, 'command') !== undefined) {
    const form = z.object({
      type: z.literal('stdio', '"stdio" with "command"').optional(),
      command: text.min(1, 'a string'),
      args: z.array(text, 'a list of strings').default([]),
      env: texts.default({}),
      cwd: text.default(''),
    });
    const { command, args, env: added, cwd } = check(form, entry);
    const inherited = INHERITED.flatMap((key) => (env[key] === undefined ? [] : [[key, env[key]]]));
    const all = { ...Object.fromEntries(inherited), ...added };
    return { kind: 'stdio', command, args, env: all, cwd: resolve(folder, cwd) };
  }
  if (field(entry, 'url') === undefined) return null;
  const form = z.object({
    type: z.enum(['http', 'streamable-http'], '"http" with "url"').optional(),
    url: z.url({ protocol: /^https?$/, error: 'an address that starts with http:// or https://' }),
    headers: texts.default({}),
  });
  const { url, headers } = check(form, entry);
  return { kind: 'http', url, headers };
}

/**
 * The message names the field, or the part of it that is wrong, and its type. The value is not shown, since it may
 * be a key, except for `type`.
 */
function check<T>(form: Zod.ZodType<T>, entry: unknown): T {
  const { data, error } = form.safeParse(entry);
  if (error === undefined) return data;
  const [{ path, message } = { path: [], message: '' }] = error.issues;
  const value = path.reduce<unknown>((part, name) => field(part, String(name)), entry);
  const shown =
    path[0] === 'type' ? showValue(value) : value === '' ? 'an empty one' : nameType(value);
  throw new Error(`${quote(path.join('.'))} must be ${message}, got ${shown}.`);
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
