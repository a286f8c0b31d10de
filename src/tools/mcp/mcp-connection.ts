import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  type CallToolResult,
  CallToolResultSchema,
  ListToolsResultSchema,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { hideInMessage } from '../../secrets/hide-in-message.ts';
import { maskKeys } from '../../secrets/mask-keys.ts';
import { toVisible } from '../../text/visible-text.ts';
import { findAnswered } from './answered.ts';
import { cappedFetch } from './capped-fetch.ts';
import type { McpServer } from './mcp-settings.ts';
import { findNotNow } from './not-now.ts';
import { StdioTransport } from './stdio-transport.ts';

/** npx may have to download a server first. */
const START_MS = 60_000;
const MAX_PAGES = 50;

/** Milliseconds that things may take; a test takes shorter ones. */
export type McpLimits = {
  readonly startMs: number;
  readonly callMs: number;
  /** Before the first repeat of a request that a server over HTTP puts off. */
  readonly pauseMs: number;
};

export const MCP_LIMITS: McpLimits = { startMs: START_MS, callMs: 120_000, pauseMs: 1_000 };

/** One connection to a server, from its handshake to its end. */
export class McpConnection {
  readonly #client = new Client({ name: 'viva', version: '0.1.0' });
  readonly #server: McpServer;
  readonly #limits: McpLimits;
  #describe = () => '';
  #hasSession = () => false;
  #open = false;
  #underWay = 0;
  #lostAlone = false;

  constructor(server: McpServer, limits: McpLimits) {
    this.#server = server;
    this.#limits = limits;
    this.#client.onclose = () => this.#lose();
  }

  get open(): boolean {
    return this.#open;
  }

  /** Whether a single call was under way when it was lost: no other can have ended it. */
  get lostAlone(): boolean {
    return this.#lostAlone;
  }

  /** What the server says of its version: it may be a key of its own. */
  get version(): string {
    return this.#client.getServerVersion()?.version ?? 'unknown';
  }

  /** Rejects with a sentence when the server does not start or does not speak MCP. */
  async start(): Promise<void> {
    try {
      await this.#client.connect(this.#makeTransport(), { timeout: this.#limits.startMs });
      this.#open = true;
    } catch (error) {
      const problem = this.#explain(error);
      await this.close();
      throw new Error(`it did not start: ${problem}`, { cause: error });
    }
  }

  /** Every tool, at most `most` and one more. Neither the list nor its schemas can be trusted. */
  async listTools(most: number): Promise<readonly Tool[]> {
    const tools: Tool[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page++) {
      const params = cursor === undefined ? {} : { cursor };
      const listed = await this.#ask(() =>
        this.#client.request({ method: 'tools/list', params }, ListToolsResultSchema, {
          timeout: this.#limits.startMs,
        }),
      );
      tools.push(...listed.tools);
      cursor = listed.nextCursor;
      if (cursor === undefined || tools.length > most) return tools;
    }
    throw new Error(`its list of tools has more than ${MAX_PAGES} pages.`);
  }

  /** Rejects with a sentence when there is no result; a tool's own error is a result. */
  callTool(name: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<CallToolResult> {
    const params = { name, arguments: { ...args } };
    const options = { signal, timeout: this.#limits.callMs };
    const send = () => this.#client.request({ method: 'tools/call', params }, CallToolResultSchema, options);
    return this.#ask(send, signal);
  }

  async close(): Promise<void> {
    this.#open = false;
    await this.#client.close();
  }

  async #ask<T>(send: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    this.#underWay++;
    try {
      return await send();
    } catch (error) {
      // A sample that is over says nothing of the server.
      if (signal?.aborted !== true && (isLost(error) || (await this.#lacksSession(error, signal)))) this.#lose();
      throw new Error(this.#explain(error), { cause: error });
    } finally {
      this.#underWay--;
    }
  }

  /**
   * A session that the server does not know any more is answered with 404, and by many with 400: a ping tells it from a
   * call that alone is answered so, for which no other call is to lose its connection.
   */
  async #lacksSession(error: unknown, signal?: AbortSignal): Promise<boolean> {
    const status = findAnswered(error)?.status;
    if ((status !== 404 && status !== 400) || !this.#hasSession()) return false;
    const timeout = this.#limits.callMs;
    return this.#client.ping(signal === undefined ? { timeout } : { timeout, signal }).then(
      () => false,
      (reason: unknown) => findAnswered(reason)?.status === status,
    );
  }

  #lose(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#lostAlone = this.#underWay === 1;
  }

  #makeTransport() {
    if (this.#server.kind === 'stdio') {
      const transport = new StdioTransport(this.#server);
      this.#describe = () => transport.describe();
      return transport;
    }
    const requestInit = { headers: { ...this.#server.headers } };
    const options = { requestInit, fetch: cappedFetch };
    const transport = new StreamableHTTPClientTransport(new URL(this.#server.url), options);
    this.#hasSession = () => transport.sessionId !== undefined;
    return transport;
  }

  /** Without keys: a server may repeat in its words what it was given. */
  #explain(error: unknown): string {
    const message = describeIssue(error) ?? (error instanceof Error ? error.message : String(error));
    // Of a line that cannot be had, fetch says why in the cause alone.
    const cause = error instanceof TypeError && error.cause instanceof Error ? error.cause.message : '';
    const known = [message, cause, this.#describe()].filter((part) => part !== '').join('; ');
    return toVisible(maskKeys(hideInMessage(known, this.#server.secrets)), 1_000);
  }
}

/** Over HTTP a connection is lost when no answer comes: nobody listens, or the line breaks. A status is one. */
function isLost(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (findNotNow(error) !== null || findAnswered(error) !== null) return false;
  if (error instanceof SyntaxError) return false;
  return describeIssue(error) === null && !(typeof code === 'number' && code < 0);
}

/** What is wrong with a reply that is none of the protocol; null for every other error. */
function describeIssue(error: unknown): string | null {
  if (!(error instanceof Error) || !('issues' in error) || !Array.isArray(error.issues)) return null;
  const { path, message }: { path?: unknown; message?: unknown } = error.issues[0] ?? {};
  const place = Array.isArray(path) ? `${path.join('.')}: ` : '';
  return `its reply is not valid: ${place}${String(message ?? 'not as the protocol says')}`;
}
