import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import pLimit from 'p-limit';
import { hideSecrets } from '../../secrets/hide-secrets.ts';
import { AgentError } from '../../types.ts';
import type { ToolContext } from '../tool.ts';
import { type Answered, describeRefusal, findAnswered } from './answered.ts';
import { McpConnection, type McpLimits } from './mcp-connection.ts';
import type { McpServer } from './mcp-settings.ts';
import { askPatiently, findNotNow, type NotNow } from './not-now.ts';

/** A server that ends more often without a result in between is not started again. */
const MAX_RESTARTS = 5;

/** So many calls may each have a process of their own at a time. */
const MAX_APART = 8;

/**
 * A server for the time of a run. When it has ended, the next call starts it again, and calls that lost it are repeated
 * side by side: one that hangs holds no other up. Those that lose it again in company are each made once more on a server
 * of their own: so the one that it cannot bear is told from those that were under way with it.
 */
export class RunningServer {
  readonly name: string;
  readonly #server: McpServer;
  readonly #limits: McpLimits;
  #connection: Promise<McpConnection>;
  /** What it came to last. */
  #latest: McpConnection | null = null;
  /** Since the last result. */
  #restarts = 0;
  readonly #apart = pLimit(MAX_APART);
  #version = 'unknown';

  private constructor(server: McpServer, limits: McpLimits) {
    this.name = server.name;
    this.#server = server;
    this.#limits = limits;
    this.#connection = this.#connect();
  }

  /** Rejects with a sentence when it does not start. */
  static async start(server: McpServer, limits: McpLimits): Promise<RunningServer> {
    const running = new RunningServer(server, limits);
    const connection = await running.#connection;
    running.#latest = connection;
    running.#version = running.hide(connection.version);
    return running;
  }

  /** What the server says of its version, without keys. */
  get version(): string {
    return this.#version;
  }

  hide(text: string): string {
    return hideSecrets(text, this.#server.secrets);
  }

  /** The same in the letters that providers take in a name. */
  hideInName(name: string): string {
    return hideSecrets(name, this.#server.secrets, '_key_');
  }

  async listTools(most: number): Promise<readonly Tool[]> {
    const connection = await this.#connection;
    return askPatiently(() => connection.listTools(most), this.#limits);
  }

  /**
   * Rejects with a sentence for the model when there is no result. A server that cannot be had any more, or that this
   * call ends each time, ends the sample: an answer without the tool would not tell what the agent can do.
   */
  async callTool(name: string, args: Arguments, context: CallContext): Promise<CallToolResult> {
    const first = await this.#try(name, args, context);
    if (!('lost' in first)) return first.result;
    this.#putOff(null, context);
    const second = await this.#try(name, args, context);
    if (!('lost' in second)) return second.result;
    const isCause = first.alone && second.alone;
    const last = isCause ? second : await this.#tryApart(name, args, context);
    if (!('lost' in last)) return last.result;
    const lost = this.#server.kind === 'http' ? 'was lost' : 'ended';
    const what = `${lost} ${isCause ? 'twice' : 'three times'} at a call of ${JSON.stringify(this.hide(name))}`;
    return endSample(`The MCP server "${this.name}" ${what}: ${last.lost}`, context);
  }

  /** What came of one call; `lost` says why when the server was lost meanwhile. */
  async #try(name: string, args: Arguments, context: CallContext): Promise<Tried> {
    context.signal.throwIfAborted();
    if (this.#latest?.open !== true) this.#putOff(null, context);
    const connection = await this.#connected().catch((error: unknown) => this.#endAsGone(error, context));
    return this.#ask(connection, name, args, context);
  }

  /** The same on a server that no other call can end. */
  #tryApart(name: string, args: Arguments, context: CallContext): Promise<Tried> {
    return this.#apart(async () => {
      context.signal.throwIfAborted();
      const connection = await this.#connect().catch((error: unknown) => this.#endAsGone(error, context));
      try {
        return await this.#ask(connection, name, args, context);
      } finally {
        connection.close().catch(() => null);
      }
    });
  }

  async #ask(connection: McpConnection, name: string, args: Arguments, context: CallContext): Promise<Tried> {
    const { signal } = context;
    const onNotNow = ({ status }: NotNow) => this.#putOff(status, context);
    const patience = { pauseMs: this.#limits.pauseMs, signal, onNotNow };
    try {
      const result = await askPatiently(() => connection.callTool(name, args, signal), patience);
      this.#restarts = 0;
      return { result };
    } catch (cause) {
      signal.throwIfAborted();
      if (!connection.open) return { lost: messageOf(cause), alone: connection.lostAlone };
      const notNow = findNotNow(cause);
      if (notNow !== null) return this.#endAsRefused(notNow, 'again and again', messageOf(cause), context);
      const answered = findAnswered(cause);
      const ofTool = `of ${JSON.stringify(this.hide(name))}`;
      if (answered !== null) return this.#endAsRefused(answered, ofTool, messageOf(cause), context);
      throw new Error(`the MCP server "${this.name}" gave no result: ${messageOf(cause)}`, { cause });
    }
  }

  /** Time that goes into waiting for the server is not the agent's. */
  #putOff(status: number | null, { onPutOff }: CallContext): void {
    onPutOff?.({ kind: toKind(status), status, requestId: null, server: `${this.name}, over MCP` });
  }

  /** With "not now" again and again, or as such: then it would be refused again, and is not repeated. */
  #endAsRefused({ status }: NotNow | Answered, what: string, problem: string, context: CallContext): never {
    const message = describeRefusal(`The MCP server "${this.name}" refused a call ${what}: ${problem}`, status);
    return endSample(message, context, { kind: toKind(status), status });
  }

  #endAsGone(error: unknown, context: CallContext): never {
    return endSample(`The MCP server "${this.name}" is gone: ${messageOf(error)} Mend it and run again.`, context);
  }

  async close(): Promise<void> {
    const connection = await this.#connection.catch(() => null);
    await connection?.close();
  }

  async #connected(): Promise<McpConnection> {
    const current = this.#connection;
    const connection = await current.catch(() => null);
    if (connection?.open === true) return connection;
    // Of several calls that find it closed the first starts it again.
    if (this.#connection === current) this.#connection = this.#restart(connection);
    this.#latest = await this.#connection;
    return this.#connected();
  }

  async #restart(ended: McpConnection | null): Promise<McpConnection> {
    await ended?.close();
    if (this.#restarts >= MAX_RESTARTS) throw new Error(`it ended ${MAX_RESTARTS + 1} times without a result between.`);
    this.#restarts++;
    return this.#connect().catch((error: unknown) => {
      if (findNotNow(error) !== null) this.#restarts--;
      throw error;
    });
  }

  #connect(): Promise<McpConnection> {
    return askPatiently(async () => {
      const connection = new McpConnection(this.#server, this.#limits);
      await connection.start();
      return connection;
    }, this.#limits);
  }
}

type Arguments = Readonly<Record<string, unknown>>;

type CallContext = Pick<ToolContext, 'signal' | 'giveUp' | 'onPutOff'>;

type Why = { readonly kind: 'rate_limit' | 'server'; readonly status: number | null };

type Tried = { readonly result: CallToolResult } | { readonly lost: string; readonly alone: boolean };

function toKind(status: number | null): 'rate_limit' | 'server' {
  return status === 429 ? 'rate_limit' : 'server';
}

function endSample(message: string, { giveUp }: CallContext, why: Why = { kind: 'server', status: null }): never {
  const lost = new AgentError(why.kind, message, { status: why.status });
  giveUp?.(lost);
  throw lost;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
