import {
  type CallToolResult,
  CallToolResultSchema,
  ListToolsResultSchema,
  ToolSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { retry } from '../../processes/retry.ts';
import { AgentError } from '../../words/answer.ts';
import { maskKeys, redact, redactIn } from '../../words/secrets.ts';
import { cutLong, quote } from '../../words/show.ts';
import { messageOf } from '../../words/thrown.ts';
import { showMedia } from '../media.ts';
import { readDocument } from '../readers/index.ts';
import type { Tool, ToolContext, ToolOutput } from '../tool.ts';
import { claimName } from './clean-schema.ts';
import { ask, type Connection, connect, type McpLimits, NoResult } from './connection.ts';
import { toInputSchema, toServerNames } from './input-schema.ts';
import type { McpServer, McpSettings, OpenServer } from './mcp-file.ts';

/** The servers of this process, by their settings. All suites and agents share them. */
const opened = new Map<string, Promise<readonly OpenServer[]>>();

/**
 * Starts the servers of a run, once for each process; they end with the process. Rejects with all
 * problems when a server does not start or lists tools that no model can use: a run without some of
 * its tools would measure something else.
 */
export function openServers(
  settings: McpSettings,
  limits: McpLimits = MCP_LIMITS,
): Promise<readonly OpenServer[]> {
  const key = JSON.stringify(settings);
  const opening = opened.get(key) ?? openAll(settings, limits);
  opened.set(key, opening);
  opening.catch(() => opened.delete(key));
  return opening;
}

async function openAll(
  { file, servers }: McpSettings,
  limits: McpLimits,
): Promise<readonly OpenServer[]> {
  const settled = await Promise.allSettled(servers.map((server) => openServer(server, limits)));
  const open = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const problems = settled.flatMap((result, index) =>
    result.status === 'fulfilled'
      ? []
      : `MCP server ${quote(servers[index]?.name ?? '')}: ${messageOf(result.reason)}`,
  );
  const together = findProblem(open.flatMap(({ tools }) => tools));
  if (together !== null) problems.push(`MCP servers together: ${together}`);
  if (problems.length === 0) return open;
  await Promise.all(open.map((server) => server.close()));
  throw new Error([...problems, `Correct ${file}, or set EVAL_MCP=off.`].join('\n'));
}

/** Starts one server and reads its list of tools. A server that fails at either is ended. */
export async function openServer(
  settings: McpServer,
  limits: McpLimits = MCP_LIMITS,
): Promise<OpenServer> {
  const connection = await connect(settings, limits);
  const server = new Server(settings, limits, connection);
  try {
    const { version: stated = 'unknown' } = connection.client.getServerVersion() ?? {};
    const version = redact(stated, settings.secrets);
    const listed = await listTools(connection, settings, limits);
    const taken = new Map<string, number>();
    const byName = listed.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const made = byName.map((tool) => toTool(tool, server, settings, { version, taken }));
    const tools = made.map(({ tool }) => tool);
    const problem = findProblem(tools);
    if (problem !== null) throw new Error(problem);
    const cut = made.flatMap(({ tool, isCut }) => (isCut ? [tool.name] : []));
    const { name } = settings;
    return { name, version, at: locate(settings), tools, cut, close: () => server.close() };
  } catch (error) {
    await server.close();
    throw error;
  }
}

function locate(server: McpServer): string {
  const at = server.kind === 'http' ? server.url : [server.command, ...server.args].join(' ');
  return maskKeys(redact(at, server.secrets));
}

type ListedTool = Readonly<{
  name: string;
  description?: string | null | undefined;
  inputSchema?: unknown;
}>;

/** The SDK's own schema refuses the whole list for one input schema of another form. */
const TOOLS = ListToolsResultSchema.extend({
  tools: ToolSchema.pick({ name: true })
    .extend({ description: ToolSchema.shape.description.nullable() })
    .loose()
    .array(),
});

/**
 * All tools; the list stops soon after MAX_TOOLS. Its pages together may take as long as a start.
 */
async function listTools(connection: Connection, server: McpServer, { startMs }: McpLimits) {
  const tools: ListedTool[] = [];
  const end = performance.now() + startMs;
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const timeout = Math.max(1, end - performance.now());
    const request = {
      method: 'tools/list',
      params: cursor === undefined ? {} : { cursor },
    } as const;
    const page = await ask(connection, server, (client) =>
      client.request(request, TOOLS, { timeout }),
    ).catch((error: unknown) => {
      throw new Error(`it did not list its tools: ${messageOf(error)}`, { cause: error });
    });
    tools.push(...page.tools);
    cursor = page.nextCursor;
    if (cursor === undefined || tools.length > MAX_TOOLS) return tools;
  }
  throw new Error(`its list of tools has more than ${MAX_PAGES} pages.`);
}

/** A server that repeats its cursor would list its tools for ever. */
const MAX_PAGES = 100;

/**
 * Providers accept 128 tools in one request, and viva's own and the provider's tools need some of
 * them.
 */
const MAX_TOOLS = 120;

function findProblem(tools: readonly Tool[]): string | null {
  const names = tools.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (tools.length > MAX_TOOLS)
    return `more than ${MAX_TOOLS} tools are listed; a request can have no more.`;
  return twice === undefined ? null : `two tools would have the name ${quote(twice)}.`;
}

/** A tool as agents use it. What it says and its results are redacted here, and only here. */
function toTool(
  listed: ListedTool,
  server: Server,
  { name: serverName, secrets }: McpServer,
  { version, taken }: { readonly version: string; readonly taken: Map<string, number> },
): { readonly tool: Tool; readonly isCut: boolean } {
  const name = redact(listed.name, secrets);
  const description = redact(listed.description ?? '', secrets);
  const { schema, remark, names } = readInputSchema(name, listed, secrets);
  const texts = [cutLong(description, MAX_DESCRIPTION), remark];
  const tool: Tool = {
    name: claimName(`${serverName}__${name}`, taken, ODD_IN_NAME),
    description: texts.filter((text) => text !== '').join('\n\n'),
    schema,
    version,
    run: async (args, context) => {
      const own = toServerNames(Object.fromEntries(args), names);
      const result = await server.callTool(listed.name, own, context);
      const { text, media } = redactIn(await toOutput(result, context), secrets);
      // A tool's own error is thrown, as in every tool.
      if (result.isError === true) throw new Error(text);
      return { text, media };
    },
  };
  return { tool, isCut: description.length > MAX_DESCRIPTION };
}

function readInputSchema(name: string, { inputSchema }: ListedTool, secrets: readonly string[]) {
  try {
    return toInputSchema(inputSchema, secrets);
  } catch (error) {
    const problem = `its tool ${quote(name)} cannot be offered to a model`;
    throw new Error(`${problem}: ${messageOf(error)}.`, { cause: error });
  }
}

const MAX_DESCRIPTION = 20_000;

/** Every provider accepts the other characters in the name of a tool. */
const ODD_IN_NAME = /[^A-Za-z0-9_-]/g;

/** The texts of a result, and its pictures. */
async function toOutput({ content, structuredContent }: CallToolResult, context: ToolContext) {
  const parts = await Promise.all(
    content.map((block, index): ToolOutput | Promise<ToolOutput> => {
      if (block.type === 'text') return block.text;
      if (block.type === 'resource_link') return `${block.name}: ${block.uri}`;
      if (block.type !== 'resource')
        return readFile(`${block.type} ${index + 1}`, block.data, context);
      const { resource } = block;
      return 'text' in resource ? resource.text : readFile(resource.uri, resource.blob, context);
    }),
  );
  const texts = parts
    .map((part) => (typeof part === 'string' ? part : part.text))
    .filter((text) => text !== '');
  if (content.length === 0 && structuredContent !== undefined)
    texts.push(JSON.stringify(structuredContent));
  return {
    text: texts.join('\n') || '(the tool returned nothing)',
    media: parts.flatMap((part) => (typeof part === 'string' ? [] : part.media)),
  };
}

/** Reads a file like an attachment, by its content. A broken picture never reaches an API. */
async function readFile(name: string, base64: string, context: ToolContext): Promise<ToolOutput> {
  const bytes = Buffer.from(base64, 'base64');
  try {
    const shown = showMedia(name, bytes, context);
    return shown ?? `[${name}]\n${(await readDocument(bytes, name, context)).text}`;
  } catch (error) {
    context.signal.throwIfAborted();
    return `[${messageOf(error)}]`;
  }
}

type CallContext = Pick<ToolContext, 'signal' | 'giveUp' | 'onBackOff'>;

/**
 * A server during a run. When it has ended, the next call starts it again. Each call that lost its
 * result is repeated once on a separate server, so only the call that ends servers fails.
 */
class Server {
  readonly #settings: McpServer;
  readonly #limits: McpLimits;
  #current: Promise<Connection>;

  constructor(settings: McpServer, limits: McpLimits, connection: Connection) {
    this.#settings = settings;
    this.#limits = limits;
    this.#current = Promise.resolve(connection);
  }

  async close(): Promise<void> {
    await (await this.#current).client.close();
  }

  /**
   * Rejects with a sentence for the model when there is no result. If the server cannot be started
   * again, or if this call ends it, the sample fails: an answer without the tool would not show
   * what the agent can do.
   */
  async callTool(tool: string, args: object, context: CallContext): Promise<CallToolResult> {
    context.signal.throwIfAborted();
    const first = await this.#call(this.#connected(context), tool, args, context);
    if (!(first instanceof NoResult)) return first;
    const separate = connect(this.#settings, this.#limits);
    this.#backOff(null, context, separate);
    const end = () => void separate.then(({ client }) => client.close()).catch(() => {});
    const second = await this.#call(separate, tool, args, context).finally(end);
    if (!(second instanceof NoResult)) return second;
    const what = `was lost twice during a call of ${quote(tool)}: ${second.message}`;
    return this.#endSample(what, context);
  }

  /** The running server. Of several calls that find it ended, the first one starts it again. */
  async #connected(context: CallContext): Promise<Connection> {
    const connecting = this.#current;
    const connection = await connecting.catch(() => null);
    if (connection?.open === true) return connection;
    if (this.#current === connecting) {
      this.#current = connect(this.#settings, this.#limits);
      void connection?.client.close();
    }
    this.#backOff(null, context, this.#current);
    return this.#current;
  }

  /** The result of one call, or how the connection was lost. */
  async #call(connecting: Promise<Connection>, tool: string, args: object, context: CallContext) {
    const { signal } = context;
    const connection = await connecting.catch((error) =>
      this.#endSample(`could not be started again: ${messageOf(error)}`, context),
    );
    const request = {
      method: 'tools/call',
      params: { name: tool, arguments: { ...args } },
    } as const;
    const options = { signal, timeout: this.#limits.callMs };
    const send = () =>
      ask(connection, this.#settings, (client) =>
        client.request(request, CallToolResultSchema, options),
      );
    const retries = { times: 5, pauseMs: this.#limits.pauseMs, longestMs: 120_000 };
    const passingOf = (error: unknown) => (error instanceof NoResult ? error.passing : null);
    const onPause = (error: unknown, pause: Promise<unknown>) =>
      this.#backOff(error instanceof NoResult ? error.status : null, context, pause);
    try {
      return await retry(retries, send, passingOf, { signal, onPause });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof NoResult)) throw error;
      if (!connection.open || error.isLost) return error;
      const { status, message } = error;
      if (status === null)
        throw new Error(`the MCP server "${this.#settings.name}" gave no result: ${message}`);
      return this.#endSample(`refused a call of ${quote(tool)}: ${message}`, context, status);
    }
  }

  /** The time of waiting for a busy server is not part of the agent's latency. */
  #backOff(status: number | null, { onBackOff }: CallContext, until: Promise<unknown>): void {
    const server = `${this.#settings.name}, over MCP`;
    onBackOff?.({ kind: kindOf(status), status, requestId: null, server }, until);
  }

  #endSample(what: string, { giveUp }: CallContext, status: number | null = null): never {
    const problem = `The MCP server "${this.#settings.name}" ${what}`;
    const error = new AgentError(kindOf(status), problem, { status });
    giveUp?.(error);
    throw error;
  }
}

function kindOf(status: number | null): 'rate_limit' | 'server' {
  return status === 429 ? 'rate_limit' : 'server';
}

/** The limit is long, since npx may have to download a server first. */
const MCP_LIMITS: McpLimits = { startMs: 60_000, callMs: 120_000, pauseMs: 1_000 };
