import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import { hideSecrets } from '../../secrets/hide-secrets.ts';
import { AgentError } from '../../types.ts';
import type { ToolContext } from '../tool.ts';
import { McpConnection, type McpLimits } from './mcp-connection.ts';
import type { McpServer } from './mcp-settings.ts';

/** A server that ends more often without a result in between is not started again. */
const MAX_RESTARTS = 5;

/**
 * A server for the time of a run. When it has ended, the next call starts it again. A call that lost it is repeated
 * once, alone among those that did: so the one that it cannot bear is told from those that were under way with it.
 */
export class RunningServer {
  readonly name: string;
  readonly #server: McpServer;
  readonly #limits: McpLimits;
  #connection: Promise<McpConnection>;
  /** Since the last result. */
  #restarts = 0;
  #repeats: Promise<unknown> = Promise.resolve();
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
    return (await this.#connection).listTools(most);
  }

  /**
   * Rejects with a sentence for the model when there is no result. A server that cannot be had any more, or that ends at
   * this call twice, ends the sample: an answer without the tool would not tell what the agent can do.
   */
  async callTool(name: string, args: Arguments, context: CallContext): Promise<CallToolResult> {
    const first = await this.#try(name, args, context);
    if (!('lost' in first)) return first.result;
    const repeated = await this.#inTurn(() => this.#try(name, args, context));
    if (!('lost' in repeated)) return repeated.result;
    const what = `The MCP server "${this.name}" ended twice at a call of ${JSON.stringify(this.hide(name))}: ${repeated.lost}`;
    return endSample(what, context);
  }

  /** What came of one call; `lost` says why when the server was lost meanwhile. */
  async #try(name: string, args: Arguments, context: CallContext): Promise<Tried> {
    const { signal } = context;
    signal.throwIfAborted();
    const connection = await this.#connected().catch((error: unknown) =>
      endSample(`The MCP server "${this.name}" is gone: ${messageOf(error)} Mend it and run again.`, context),
    );
    try {
      const result = await connection.callTool(name, args, signal);
      this.#restarts = 0;
      return { result };
    } catch (cause) {
      signal.throwIfAborted();
      if (!connection.open) return { lost: messageOf(cause) };
      throw new Error(`the MCP server "${this.name}" gave no result: ${messageOf(cause)}`, { cause });
    }
  }

  /** Runs one after the other, whatever came of those before. */
  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#repeats.then(run, run);
    this.#repeats = turn.catch(() => null);
    return turn;
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
    await this.#connection;
    return this.#connected();
  }

  async #restart(ended: McpConnection | null): Promise<McpConnection> {
    await ended?.close();
    if (this.#restarts >= MAX_RESTARTS) throw new Error(`it ended ${MAX_RESTARTS + 1} times without a result between.`);
    this.#restarts++;
    return this.#connect();
  }

  async #connect(): Promise<McpConnection> {
    const connection = new McpConnection(this.#server, this.#limits);
    await connection.start();
    return connection;
  }
}

type Arguments = Readonly<Record<string, unknown>>;

type CallContext = Pick<ToolContext, 'signal' | 'giveUp'>;

type Tried = { readonly result: CallToolResult } | { readonly lost: string };

function endSample(message: string, { giveUp }: CallContext): never {
  const lost = new AgentError('server', message);
  giveUp?.(lost);
  throw lost;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
