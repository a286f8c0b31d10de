import { setTimeout as sleep } from 'node:timers/promises';
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import pLimit from 'p-limit';
import { redact } from '../../text/secrets.ts';
import { AgentError } from '../../types.ts';
import { messageOf, type ToolContext } from '../tool.ts';
import { McpConnection, type McpLimits, NoResult } from './connection.ts';
import type { McpServer } from './mcp-file.ts';

/** A server that ends more often without a result in between is not started again. */
const MAX_RESTARTS = 5;

/** So many calls at a time may each have a server of their own. */
const MAX_APART = 8;

/** How often a request is repeated while its server says "not now", and the longest pause that is waited for. */
const MAX_REPEATS = 5;
const MAX_PAUSE_MS = 120_000;

type Arguments = Readonly<Record<string, unknown>>;
type CallContext = Pick<ToolContext, 'signal' | 'giveUp' | 'onBackOff'>;

/**
 * A server for the time of a run. When it has ended, the next call starts it again. Each call that it left without a
 * result is made once more on a server of its own: so the call that ends it is told from those that were under way.
 */
export class RunningServer {
  readonly name: string;
  /** What the server says of its version, without keys. */
  readonly version: string;
  readonly secrets: readonly string[];
  readonly #server: McpServer;
  readonly #limits: McpLimits;
  readonly #apart = pLimit(MAX_APART);
  #connection: McpConnection;
  #starting: Promise<McpConnection> | null = null;
  /** Since the last result. */
  #restarts = 0;

  constructor(server: McpServer, limits: McpLimits, connection: McpConnection) {
    this.name = server.name;
    this.#server = server;
    this.#limits = limits;
    this.#connection = connection;
    this.secrets = server.secrets;
    this.version = redact(connection.version, server.secrets);
  }

  listTools(most: number): Promise<readonly Tool[]> {
    return askPatiently(() => this.#connection.listTools(most), this.#limits);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  /**
   * Rejects with a sentence for the model when there is no result. A server that is gone, or that this call ends, ends
   * the sample: an answer without the tool would not tell what the agent can do.
   */
  async callTool(name: string, args: Arguments, context: CallContext): Promise<CallToolResult> {
    context.signal.throwIfAborted();
    const first = await this.#ask(await this.#connected(context), name, args, context);
    if (!(first instanceof NoResult)) return first;
    this.#backOff(null, context);
    const second = await this.#apart(() => this.#askApart(name, args, context));
    if (!(second instanceof NoResult)) return second;
    const what = `${this.#server.kind === 'http' ? 'was lost' : 'ended'} twice at a call of ${this.#quote(name)}`;
    return endSample(`The MCP server "${this.name}" ${what}: ${second.message}`, context);
  }

  /** The result of one call, or how the connection was lost. */
  async #ask(connection: McpConnection, name: string, args: Arguments, context: CallContext) {
    const { signal } = context;
    const onNotNow = (status: number | null) => this.#backOff(status, context);
    const patience = { pauseMs: this.#limits.pauseMs, signal, onNotNow };
    try {
      const result = await askPatiently(() => connection.callTool(name, args, signal), patience);
      this.#restarts = 0;
      return result;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof NoResult)) throw error;
      if (!connection.open) return error;
      if (error.status === null) throw new Error(`the MCP server "${this.name}" gave no result: ${error.message}`);
      const often = error.pauseMs === null ? `of ${this.#quote(name)}` : 'again and again';
      const problem = `The MCP server "${this.name}" refused a call ${often}: ${error.message.replace(/\.$/, '')}.`;
      return endSample(`${problem} ${remedyOf(error.status)}`, context, error.status);
    }
  }

  /** The same on a server that no other call can end. */
  async #askApart(name: string, args: Arguments, context: CallContext) {
    context.signal.throwIfAborted();
    const connection = await connect(this.#server, this.#limits).catch((error) => this.#endAsGone(error, context));
    return this.#ask(connection, name, args, context).finally(() => void connection.close());
  }

  /** The server, started again when it has ended: of several calls that find it so, the first one starts it. */
  #connected(context: CallContext): Promise<McpConnection> | McpConnection {
    if (this.#connection.open) return this.#connection;
    this.#backOff(null, context);
    this.#starting ??= this.#startAgain().finally(() => {
      this.#starting = null;
    });
    return this.#starting.catch((error) => this.#endAsGone(error, context));
  }

  async #startAgain(): Promise<McpConnection> {
    await this.#connection.close();
    if (this.#restarts >= MAX_RESTARTS) throw new Error(`it ended ${MAX_RESTARTS + 1} times without a result between.`);
    this.#restarts++;
    this.#connection = await connect(this.#server, this.#limits);
    return this.#connection;
  }

  /** The time that a sample waits for the server is not the agent's. */
  #backOff(status: number | null, { onBackOff }: CallContext): void {
    onBackOff?.({ kind: kindOf(status), status, requestId: null, server: `${this.name}, over MCP` });
  }

  #endAsGone(error: unknown, context: CallContext): never {
    return endSample(`The MCP server "${this.name}" is gone: ${messageOf(error)} Mend it and run again.`, context);
  }

  #quote(name: string): string {
    return JSON.stringify(redact(name, this.secrets));
  }
}

/** Rejects with a sentence when the server does not start. */
export function connect(server: McpServer, limits: McpLimits): Promise<McpConnection> {
  return askPatiently(async () => {
    const connection = new McpConnection(server, limits);
    await connection.start();
    return connection;
  }, limits);
}

type Patience = { pauseMs: number; signal?: AbortSignal; onNotNow?: (status: number | null) => void };

/** Makes a request again while its server says "not now", a few times, after a pause that doubles each time. */
async function askPatiently<T>(ask: () => Promise<T>, { pauseMs, signal, onNotNow }: Patience): Promise<T> {
  for (let repeats = 0; ; repeats++) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof NoResult) || error.pauseMs === null) throw error;
      onNotNow?.(error.status);
      // Requests that were refused together do not come back together.
      const pause = Math.max(error.pauseMs, pauseMs * 2 ** repeats * (1 + Math.random() / 4));
      if (repeats === MAX_REPEATS || pause > MAX_PAUSE_MS) throw error;
      await sleep(pause, undefined, signal === undefined ? {} : { signal });
    }
  }
}

function kindOf(status: number | null): 'rate_limit' | 'server' {
  return status === 429 ? 'rate_limit' : 'server';
}

function remedyOf(status: number): string {
  if (status === 401 || status === 403) return 'Correct its key in the settings of MCP servers and run again.';
  return status === 429 || status >= 500 ? 'Run it again later.' : 'Mend it and run again.';
}

function endSample(message: string, { giveUp }: CallContext, status: number | null = null): never {
  const error = new AgentError(kindOf(status), message, { status });
  giveUp?.(error);
  throw error;
}
