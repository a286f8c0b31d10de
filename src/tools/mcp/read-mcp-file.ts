import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { quote, showValue } from '../../records/show-value.ts';
import { mayBeSecretName } from '../../secrets/secret-name.ts';
import { expandVariables, MissingVariables } from './expand-variables.ts';
import type { McpServer, McpSettings } from './mcp-settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What a server inherits: enough to find programs and a home, and no key. */
const INHERITED = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'USER'];

/**
 * Reads a file of the common form {"mcpServers": {name: {command, args, env, cwd} | {type: "http", url, headers}}}.
 * Relative folders start at the file's own. Throws one error that names everything that is wrong, and shows no value
 * of a variable.
 */
export function readMcpFile(file: string, env: Environment): McpSettings {
  const problems: string[] = [];
  const servers: McpServer[] = [];
  for (const [name, entry] of readEntries(file)) {
    try {
      if (isFields(entry) && entry['disabled'] === true) continue;
      servers.push(toServer(name, entry, env, dirname(resolve(file))));
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
  throw new Error(`${file}: "mcpServers" must be an object with a server for each name, got ${showValue(servers)}.`);
}

function parse(file: string): unknown {
  try {
    // Opening a pipe waits for who writes to it.
    if (!statSync(file).isFile()) throw new Error('it is no regular file');
    return JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`EVAL_MCP: ${file} cannot be read as JSON (${reason}). Correct it, or set EVAL_MCP=off.`, {
      cause,
    });
  }
}

function toServer(name: string, entry: unknown, env: Environment, folder: string): McpServer {
  if (!isFields(entry)) throw new Error(`it must be an object, got ${showValue(entry)}.`);
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
  if (!Array.isArray(args)) throw new Error(`"args" must be a list of texts, got ${showValue(args)}.`);
  return {
    kind: 'stdio',
    name,
    command: toText(entry, 'command', env),
    args: args.map((arg, index) => toText({ [`args[${index}]`]: arg }, `args[${index}]`, env)),
    env: { ...Object.fromEntries(inherited), ...own },
    cwd: entry['cwd'] === undefined ? folder : resolve(folder, toText(entry, 'cwd', env)),
    secrets: Object.entries(own).flatMap(([key, value]) => (mayBeSecretName(key) ? toSecrets(value) : [])),
  };
}

function toHttp(name: string, entry: Fields, env: Environment): McpServer {
  const url = toText(entry, 'url', env);
  const headers = toTexts(entry, 'headers', env);
  const parsed = URL.parse(url);
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
    throw new Error(`"url" must be an http or https address, got ${showValue(entry['url'])}.`);
  }
  const { searchParams, username, password } = parsed;
  const inAddress = [...searchParams].flatMap(([key, value]) => (mayBeSecretName(key) ? [value] : []));
  const held = [...Object.values(headers), ...inAddress, username, password];
  return { kind: 'http', name, url, headers, secrets: held.flatMap(toSecrets) };
}

/** A header such as "Bearer abc..." as a whole and without its first word. Short ones would blank out common words. */
function toSecrets(value: string): readonly string[] {
  const bare = value.replace(/^\w{1,10} /, '');
  return [...new Set([value, bare])].filter((secret) => secret.length >= 8);
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toText(entry: Fields, key: string, env: Environment): string {
  const value = entry[key];
  if (typeof value !== 'string' || value === '')
    throw new Error(`${quote(key)} must be a text, got ${showValue(value)}.`);
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
  if (!isFields(value)) throw new Error(`${quote(key)} must be an object of texts, got ${showValue(value)}.`);
  return Object.fromEntries(
    Object.entries(value).map(([name, text]) => [name, text === '' ? '' : toText({ [name]: text }, name, env)]),
  );
}
