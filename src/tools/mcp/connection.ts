import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { liveGroups } from '../../processes/groups.ts';
import { limitBody, type Passing, readPassing, retry } from '../../processes/retry.ts';
import { OutputTail } from '../../processes/run-shell.ts';
import { maskKeys, redactMessage } from '../../words/secrets.ts';
import { escapeLine, plural, tryOrUndefined } from '../../words/show.ts';
import { messageOf } from '../../words/thrown.ts';
import type { McpServer } from './mcp-file.ts';

/** Limits in milliseconds. Tests use shorter ones. */
export type McpLimits = Readonly<{
  startMs: number;
  callMs: number;
  /** The pause before the first retry of a request to a busy server. */
  pauseMs: number;
}>;

/** One connection to a server, from its handshake to its end. */
export type Connection = {
  readonly client: Client;
  readonly transport: StdioTransport | StreamableHTTPClientTransport;
  /** False once the server has ended, or the connection to it is broken. */
  open: boolean;
  /** Why viva ended the connection, or "". */
  ended: string;
};

/** Rejects when the server does not start or does not speak MCP. */
export async function connect(server: McpServer, limits: McpLimits): Promise<Connection> {
  const client = new Client({ name: 'viva', version: '0.1.0' });
  const onEndless = () => {
    connection.ended = TOO_LONG;
    void client.close();
  };
  const transport =
    server.kind === 'stdio' ? new StdioTransport(server) : createHttpTransport(server, onEndless);
  const connection: Connection = { client, transport, open: true, ended: '' };
  client.onclose = () => {
    connection.open = false;
  };
  try {
    await client.connect(transport, { timeout: limits.startMs });
    return connection;
  } catch (error) {
    const problem = explain(error, connection, server);
    await client.close();
    throw new Error(`it did not start: ${problem}`, { cause: error });
  }
}

/** Why a request had no result. The message contains no keys; `cause` is the original error. */
export class NoResult extends Error {
  /** The status of a reply over HTTP. */
  get status(): number | null {
    return statusOf(this.cause);
  }
}

/** Sends a request to a server. Rejects with NoResult. A tool's own error is a result. */
export async function ask<T>(
  connection: Connection,
  server: McpServer,
  send: (client: Client) => Promise<T>,
) {
  try {
    return await send(connection.client);
  } catch (error) {
    if (isBroken(error) || lacksSession(error, connection)) connection.open = false;
    throw new NoResult(explain(error, connection, server), { cause: error });
  }
}

/** Repeats a request while the server is busy. */
export function retryBusy<T>(
  send: () => Promise<T>,
  { pauseMs }: McpLimits,
  signal: AbortSignal,
  onBusy: (status: number | null, pause: Promise<unknown>) => void,
): Promise<T> {
  const toBusy = (error: unknown) =>
    error instanceof NoResult && error.cause instanceof BusyServer ? error.cause.passing : null;
  const onPause = (error: unknown, pause: Promise<unknown>) =>
    onBusy(error instanceof NoResult ? error.status : null, pause);
  return retry({ times: 5, pauseMs, longestMs: 120_000 }, send, toBusy, { signal, onPause });
}

/**
 * In the protocol, 404 means that the server no longer knows the session. Many servers answer 400
 * instead.
 */
function lacksSession(error: unknown, { transport }: Connection): boolean {
  if (transport instanceof StdioTransport || transport.sessionId === undefined) return false;
  const status = statusOf(error);
  return status === 404 || (status === 400 && /session/i.test(messageOf(error)));
}

/**
 * Keys are redacted before the text is cut. The text is escaped, because at the start of a run
 * Vitest prints it without escaping.
 */
function explain(error: unknown, { transport, ended }: Connection, { secrets }: McpServer): string {
  // Only the cause of fetch's error says why there is no connection.
  const cause = isBroken(error) && error.cause instanceof Error ? error.cause.message : '';
  const ending = transport instanceof StdioTransport ? transport.describe() : ended;
  const known = [describe(error), cause, ending].filter((part) => part !== '').join('; ');
  return escapeLine(maskKeys(redactMessage(known, secrets)), 1_000);
}

/**
 * Whether there is no connection or it broke: then fetch and the bodies of its responses throw a
 * TypeError.
 */
function isBroken(error: unknown): error is TypeError {
  return error instanceof TypeError;
}

function statusOf(error: unknown): number | null {
  return error instanceof StreamableHTTPError && error.code ? error.code : null;
}

function describe(error: unknown): string {
  const status = statusOf(error);
  if (status !== null) {
    const said = messageOf(error).replace(
      /^Streamable HTTP error: (?:Error POSTing to endpoint: )?/,
      '',
    );
    return `it answered ${status}: ${said}`.trim().replace(/:$/, '');
  }
  if (!(error instanceof Error && 'issues' in error && Array.isArray(error.issues)))
    return messageOf(error);
  const { path, message }: { path?: unknown; message?: unknown } = error.issues[0] ?? {};
  return `its reply is not valid: ${Array.isArray(path) ? `${path.join('.')}: ` : ''}${message}`;
}

/** The reply of a busy server, or of a proxy before it. */
class BusyServer extends StreamableHTTPError {
  readonly passing: Passing;

  constructor({ status }: Response, passing: Passing, said: string) {
    super(status, said);
    this.passing = passing;
  }
}

/** The most bytes of one message: a server that never ends its message must not fill the memory. */
const MAX_BYTES = 20_000_000;

const REPLY_LIMITS = { bytes: MAX_BYTES, streamBytes: Number.POSITIVE_INFINITY };

const TOO_LONG = `it sent more than ${MAX_BYTES / 1_000_000} MB in one piece`;

/**
 * The SDK's transport follows no redirect to another origin, which must not get the keys in the
 * headers.
 */
function createHttpTransport(
  { url, headers }: McpServer & { readonly kind: 'http' },
  onEndless: () => void,
) {
  const onExcess = (_: number, isStream: boolean) => {
    // A stream of events fails no call by itself.
    if (isStream) onEndless();
    return new Error(TOO_LONG);
  };
  const send = async (address: string | URL, init?: RequestInit) => {
    const response = limitBody(await fetch(address, init), REPLY_LIMITS, { onExcess });
    const passing = readPassing(response);
    if (passing === null) return response;
    throw new BusyServer(response, passing, await response.text().catch(() => ''));
  };
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers }, fetch: send });
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const STDERR_TAIL_BYTES = 1_000;

const PRELUDE = 'cd -- "$1" || exit 126; shift; unset OLDPWD; exec "$@"';

/**
 * The transport for a server that is a child process. The SDK's own transport does not end the
 * processes that the child has started (npx starts the real server), takes quadratic time for a
 * result in many chunks, and does not tell how the server ended. This one starts a process group
 * that ends with viva's process. A running server does not prevent viva from ending.
 */
class StdioTransport implements Transport {
  onclose?: () => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #server: McpServer & { readonly kind: 'stdio' };
  #child: Child | null = null;
  #stderr: OutputTail | null = null;
  #line = '';
  #otherLines = 0;
  #end = '';

  constructor(server: McpServer & { readonly kind: 'stdio' }) {
    this.#server = server;
  }

  /** How the server ended, and its output besides messages. */
  describe(): string {
    const lines = plural(this.#otherLines, 'line');
    const tail = this.#stderr?.text.trim() ?? '';
    const parts = [
      this.#end,
      this.#otherLines > 0 && `it wrote ${lines} that are not MCP messages`,
      tail && `its last output: ${tail}`,
    ];
    return parts.filter(Boolean).join('; ');
  }

  async start(): Promise<void> {
    const { command, args, env, cwd } = this.#server;
    const child = spawn('/bin/sh', ['-c', PRELUDE, 'sh', cwd, command, ...args], {
      env: { ...env },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    // If the process could not be started, this throws the error that says why.
    if (child.pid === undefined) await once(child, 'spawn');
    this.#child = child;
    this.#stderr = new OutputTail(child.stderr, STDERR_TAIL_BYTES);
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => this.#read(chunk));
    // Errors are ignored: a server that no longer reads has ended, or its calls reach their
    // deadline.
    child.stdin.on('error', () => {});
    child.once('exit', (code, signal) => {
      this.#end ||=
        signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
    });
    child.once('close', () => this.#closed());
    child.unref();
    for (const pipe of child.stdio) if (pipe instanceof Socket) pipe.unref();
    if (child.pid !== undefined) liveGroups.add(child.pid);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#child?.stdin.write(serializeMessage(message));
  }

  /** A server ends when its input ends. Processes that still run 2 s later are killed. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined || this.#end !== '') return this.#closed();
    const closed = once(child, 'close');
    child.ref();
    child.stdin.end();
    liveGroups.end(child.pid);
    await closed;
  }

  #read(chunk: string): void {
    const end = chunk.lastIndexOf('\n');
    this.#line += end === -1 ? chunk : chunk.slice(0, end);
    if (this.#line.length > MAX_BYTES) {
      this.#line = '';
      this.#end ||= TOO_LONG;
      this.#closed();
    }
    if (end === -1 || this.#child === null) return;
    const lines = this.#line.split('\n');
    this.#line = chunk.slice(end + 1);
    for (const line of lines) {
      const message = tryOrUndefined(() => JSONRPCMessageSchema.safeParse(JSON.parse(line)).data);
      if (message === undefined) this.#otherLines++;
      else this.onmessage?.(message);
    }
  }

  #closed(): void {
    const { pid } = this.#child ?? {};
    this.#child = null;
    // Processes that the server started end with it.
    if (pid !== undefined) liveGroups.kill(pid);
    this.onclose?.();
  }
}
