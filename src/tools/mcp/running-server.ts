import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import { hideSecrets } from '../../secrets/hide-secrets.ts';
import { AgentError } from '../../types.ts';
import type { ToolContext } from '../tool.ts';
import { McpConnection, type McpLimits } from './mcp-connection.ts';
import type { McpServer } from './mcp-settings.ts';

/** A server that ends more often is not started again. */
const MAX_RESTARTS = 3;

/** A server for the time of a run. When it has ended, the next call starts it again. */
export class RunningServer {
  readonly name: string;
  readonly #server: McpServer;
  readonly #limits: McpLimits;
  #connection: Promise<McpConnection>;
  #restarts = 0;
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
    running.#version = connection.version;
    return running;
  }

  /** What the server says of its version. */
  get version(): string {
    return this.#version;
  }

  hide(text: string): string {
    return hideSecrets(text, this.#server.secrets);
  }

  async listTools(most: number): Promise<readonly Tool[]> {
    return (await this.#connection).listTools(most);
  }

  /**
   * Rejects with a sentence for the model when there is no result. A server that cannot be had any more ends the sample:
   * an answer without the tool would not tell what the agent can do.
   */
  async callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    { signal, giveUp }: Pick<ToolContext, 'signal' | 'giveUp'>,
  ): Promise<CallToolResult> {
    const connection = await this.#connected().catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      const lost = new AgentError('server', `The MCP server "${this.name}" is gone: ${why} Mend it and run again.`);
      giveUp?.(lost);
      throw lost;
    });
    try {
      return await connection.callTool(name, args, signal);
    } catch (cause) {
      signal.throwIfAborted();
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`the MCP server "${this.name}" gave no result: ${why}`, { cause });
    }
  }

  async close(): Promise<void> {
    const connection = await this.#connection.catch(() => null);
    await connection?.close();
  }

  async #connected(): Promise<McpConnection> {
    const current = this.#connection;
    const connection = await current;
    if (connection.open) return connection;
    // Of several calls that find it closed the first starts it again.
    if (this.#connection === current) this.#connection = this.#restart(connection);
    return this.#connected();
  }

  async #restart(ended: McpConnection): Promise<McpConnection> {
    await ended.close();
    this.#restarts++;
    if (this.#restarts > MAX_RESTARTS) throw new Error(`it ended ${this.#restarts} times.`);
    return this.#connect();
  }

  async #connect(): Promise<McpConnection> {
    const connection = new McpConnection(this.#server, this.#limits);
    await connection.start();
    return connection;
  }
}
