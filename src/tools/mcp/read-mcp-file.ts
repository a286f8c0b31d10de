import { dirname, resolve } from 'node:path';
import { NotRegular, readRegular } from '../../files/regular-file.ts';
import { nameType, quote, showValue } from '../../records/show-value.ts';
import { expandVariables, listVariables, MissingVariables } from './expand-variables.ts';
import type { McpServer, McpSettings } from './mcp-settings.ts';
import { longestFirst, secretsOfAddress, secretsOfProgram, secretsOfVariables } from './server-secrets.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What a server inherits: enough to find programs and a home, and no key. */
const INHERITED = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'USER'];

/**
 * Reads a file of the common form {"mcpServers": {name: {command, args, env, cwd} | {type: "http", url, headers}}}.
 * Relative folders start at the file's own. Throws one error that names everything that is wrong, and shows no value
 * that may hold a key.
 */
export function readMcpFile(file: string, env: Environment): McpSettings {
  const problems: string[] = [];
  const servers: McpServer[] = [];
  for (const [name, entry] of readEntries(file)) {
    try {
      if (isFields(entry) && entry['disabled'] === true) continue;
      const server = toServer(name, entry, env, dirname(resolve(file)));
      const given = secretsOfVariables(listVariables(JSON.stringify(entry)), env);
      servers.push({ ...server, secrets: longestFirst([...server.secrets, ...given]) });
    } catch (error) {
      problems.push(`${file}: server ${quote(name)}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return { file, servers };
}

function readEntries(file: string): readonly [string, unknown][] {
  const parsed = parse(file);
  const servers = isFields(parsed) ? parsed['mcpServers'] : undefined;
  if (isFields(servers)) return Object.entries(servers);
  throw new Error(`${file}: "mcpServers" must be an object with a server for each name, got ${nameKind(servers)}.`);
}

function parse(file: string): unknown {
  try {
    return JSON.parse(
      readRegular(file)
        .toString('utf8')
        .replace(/^\uFEFF/, ''),
    );
  } catch (cause) {
    const reason = cause instanceof NotRegular ? `it is ${cause.what}` : describe(cause);
    throw new Error(`EVAL_MCP: ${file} cannot be read as JSON (${reason}). Correct it, or set EVAL_MCP=off.`, {
      cause,
    });
  }
}

/** Without the piece of the file that a SyntaxError quotes. */
function describe(cause: unknown): string {
  const said = cause instanceof Error ? cause.message : String(cause);
  return cause instanceof SyntaxError ? said.replace(/, (?:\.\.\.)?".*$/s, '') : said;
}

function toServer(name: string, entry: unknown, env: Environment, folder: string): McpServer {
  if (!isFields(entry)) throw new Error(`it must be an object, got ${nameKind(entry)}.`);
  const { command, url } = entry;
  const type = entry['type'] ?? (command === undefined && url !== undefined ? 'http' : 'stdio');
  if (type === 'stdio') return toStdio(name, entry, env, folder);
  if (type === 'http' || type === 'streamable-http') return toHttp(name, entry, env);
  throw new Error(`"type" must be "stdio" or "http" (streamable HTTP), got ${showValue(type)}.`);
}

function toStdio(name: string, entry: Fields, env: Environment, folder: string): McpServer {
  const own = toTexts(entry, 'env', env);
  const inherited = INHERITED.flatMap((key) => (env[key] === undefined ? [] : [[key, env[key]] as const]));
  const args = entry['args'] ?? [];
  if (!Array.isArray(args)) throw new Error(`"args" must be a list of texts, got ${nameKind(args)}.`);
  const words = args.map((arg, index) => toText({ [`args[${index}]`]: arg }, `args[${index}]`, env));
  return {
    kind: 'stdio',
    name,
    command: toText(entry, 'command', env),
    args: words,
    env: { ...Object.fromEntries(inherited), ...own },
    cwd: entry['cwd'] === undefined ? folder : resolve(folder, toText(entry, 'cwd', env)),
    secrets: secretsOfProgram(own, words),
  };
}

function toHttp(name: string, entry: Fields, env: Environment): McpServer {
  const url = toText(entry, 'url', env);
  const headers = toTexts(entry, 'headers', env);
  const parsed = URL.parse(url);
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
    const got = parsed === null ? 'a text that is no address' : `one that starts with ${quote(parsed.protocol)}`;
    throw new Error(`"url" must be an http or https address, got ${got}.`);
  }
  return { kind: 'http', name, url, headers, secrets: secretsOfAddress(url, headers) };
}

/** What a value is, and not the value: in such a file nearly each one may hold a key. */
function nameKind(value: unknown): string {
  if (value === undefined) return 'nothing';
  return value === '' ? 'an empty text' : `a value of the type ${nameType(value)}`;
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toText(entry: Fields, key: string, env: Environment): string {
  const value = entry[key];
  if (typeof value !== 'string' || value === '')
    throw new Error(`${quote(key)} must be a text, got ${nameKind(value)}.`);
  try {
    return expandVariables(value, env);
  } catch (error) {
    if (!(error instanceof MissingVariables)) throw error;
    const names = error.names.map((name) => `\${${name}}`).join(', ');
    throw new Error(`${quote(key)} needs ${names}, which is not set. Set it in .env or write \${NAME:-default}.`);
  }
}

function toTexts(entry: Fields, key: string, env: Environment): Readonly<Record<string, string>> {
  const value = entry[key] ?? {};
  if (!isFields(value)) throw new Error(`${quote(key)} must be an object of texts, got ${nameKind(value)}.`);
  return Object.fromEntries(
    Object.entries(value).map(([name, text]) => [name, text === '' ? '' : toText({ [name]: text }, name, env)]),
  );
}
