import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  type CallToolResult,
  CallToolResultSchema,
  ListToolsResultSchema,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { maskKeys, redactMessage } from '../../text/secrets.ts';
import { escapeLine } from '../../text/show.ts';
import { messageOf } from '../tool.ts';
import type { McpServer } from './mcp-file.ts';
import { createHttpTransport, NotNow, StdioTransport } from './transports.ts';

/** Milliseconds that things may take; a test takes shorter ones. */
export type McpLimits = {
  readonly startMs: number;
  readonly callMs: number;
  /** Before the first repeat of a request that a server over HTTP puts off. */
  readonly pauseMs: number;
};

/** npx may have to download a server first. */
export const MCP_LIMITS: McpLimits = { startMs: 60_000, callMs: 120_000, pauseMs: 1_000 };

/** Why a request had no result. Its message shows no key: a server may repeat in its words what it was given. */
export class NoResult extends Error {
  /** Of a reply over HTTP. */
  readonly status: number | null;
  /** How long a server that says "not now" asks to wait; null for all else that goes wrong. */
  readonly pauseMs: number | null;

  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.status = statusOf(cause);
    this.pauseMs = cause instanceof NotNow ? cause.pauseMs : null;
  }
}

/** One connection to a server, from its handshake to its end. */
export class McpConnection {
  readonly #client = new Client({ name: 'viva', version: '0.1.0' });
  readonly #transport: StdioTransport | ReturnType<typeof createHttpTransport>;
  readonly #secrets: readonly string[];
  readonly #limits: McpLimits;
  /** False once the server has ended, or the line to it is broken. */
  open = true;

  constructor(server: McpServer, limits: McpLimits) {
    this.#transport = server.kind === 'stdio' ? new StdioTransport(server) : createHttpTransport(server);
    this.#secrets = server.secrets;
    this.#limits = limits;
    this.#client.onclose = () => {
      this.open = false;
    };
  }

  /** What the server says of its version: it may be a key of its own. */
  get version(): string {
    return this.#client.getServerVersion()?.version ?? 'unknown';
  }

  /** Rejects with NoResult when the server does not start or does not speak MCP. */
  async start(): Promise<void> {
    try {
      await this.#client.connect(this.#transport, { timeout: this.#limits.startMs });
    } catch (error) {
      const problem = this.#explain(error);
      await this.close();
      throw new NoResult(`it did not start: ${problem}`, error);
    }
  }

  /** Every tool, or more than `most` of them. */
  async listTools(most: number): Promise<readonly Tool[]> {
    const tools: Tool[] = [];
    const options = { timeout: this.#limits.startMs };
    let cursor: string | undefined;
    do {
      const request = { method: 'tools/list', params: cursor === undefined ? {} : { cursor } } as const;
      const page = await this.#ask(() => this.#client.request(request, ListToolsResultSchema, options));
      tools.push(...page.tools);
      cursor = page.nextCursor;
    } while (cursor !== undefined && tools.length <= most);
    return tools;
  }

  /** Rejects with NoResult; a tool's own error is a result. */
  callTool(name: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<CallToolResult> {
    const request = { method: 'tools/call', params: { name, arguments: { ...args } } } as const;
    const options = { signal, timeout: this.#limits.callMs };
    return this.#ask(() => this.#client.request(request, CallToolResultSchema, options));
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  async #ask<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      if (isBroken(error) || this.#lacksSession(error)) this.open = false;
      throw new NoResult(this.#explain(error), error);
    }
  }

  /** By the protocol 404 says that the server does not know the session any more; many servers say it with 400. */
  #lacksSession(error: unknown): boolean {
    if (this.#transport instanceof StdioTransport || this.#transport.sessionId === undefined) return false;
    const status = statusOf(error);
    return status === 404 || (status === 400 && /session/i.test(messageOf(error)));
  }

  #explain(error: unknown): string {
    // fetch says only in the cause why there is no line.
    const cause = isBroken(error) && error.cause instanceof Error ? error.cause.message : '';
    const ending = this.#transport instanceof StdioTransport ? this.#transport.describe() : '';
    const known = [describe(error), cause, ending].filter((part) => part !== '').join('; ');
    return escapeLine(maskKeys(redactMessage(known, this.#secrets)), 1_000);
  }
}

/** Nobody listens at the address, or the line breaks: fetch and the bodies of its replies throw a TypeError. */
function isBroken(error: unknown): error is TypeError {
  return error instanceof TypeError;
}

function statusOf(error: unknown): number | null {
  const { code = -1 } = error instanceof StreamableHTTPError ? error : {};
  return code > 0 ? code : null;
}

function describe(error: unknown): string {
  const status = statusOf(error);
  if (status !== null) {
    const said = messageOf(error).replace(/^Streamable HTTP error: (?:Error POSTing to endpoint: )?/, '');
    return `it answered ${status}: ${said}`.trim().replace(/:$/, '');
  }
  if (!(error instanceof Error && 'issues' in error && Array.isArray(error.issues))) return messageOf(error);
  const { path, message }: { path?: unknown; message?: unknown } = error.issues[0] ?? {};
  return `its reply is not valid: ${Array.isArray(path) ? `${path.join('.')}: ` : ''}${message}`;
}
