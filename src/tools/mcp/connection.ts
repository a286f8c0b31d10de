import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { createMark, liveGroups, MARK_NAME } from '../../processes/groups.ts';
import { OutputTail } from '../../processes/output.ts';
import { maskKeys, redactMessage } from '../../text/secrets.ts';
import { readRetryAfter } from '../../text/setting-values.ts';
import { escapeLine } from '../../text/show.ts';
import { attempt, messageOf } from '../../text/thrown.ts';
import { plural } from '../../text/wording.ts';
import type { McpServer } from './mcp-file.ts';

/** Milliseconds that things may take; tests take shorter ones. */
export type McpLimits = {
  readonly startMs: number;
  readonly callMs: number;
  /** Before the first retry of a request to a busy server. */
  readonly pauseMs: number;
};

/** npx may have to download a server first. */
export const MCP_LIMITS: McpLimits = { startMs: 60_000, callMs: 120_000, pauseMs: 1_000 };

/** One connection to a server, from its handshake to its end. */
export type Connection = {
  readonly client: Client;
  readonly transport: StdioTransport | StreamableHTTPClientTransport;
  /** False once the server has ended, or the connection to it is broken. */
  open: boolean;
};

/** Rejects when the server does not start or does not speak MCP. */
export async function connect(server: McpServer, limits: McpLimits): Promise<Connection> {
  const transport = server.kind === 'stdio' ? new StdioTransport(server) : createHttpTransport(server);
  const client = new Client({ name: 'viva', version: '0.1.0' });
  const connection: Connection = { client, transport, open: true };
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

/** Why a request had no result, without keys; `cause` is what was thrown. */
export class NoResult extends Error {
  /** Of a reply over HTTP. */
  get status(): number | null {
    return statusOf(this.cause);
  }
}

/** Makes a request of a server. Rejects with NoResult; a tool's own error is a result. */
export async function ask<T>(connection: Connection, server: McpServer, send: (client: Client) => Promise<T>) {
  try {
    return await send(connection.client);
  } catch (error) {
    if (isBroken(error) || lacksSession(error, connection)) connection.open = false;
    throw new NoResult(explain(error, connection, server), { cause: error });
  }
}

/** Repeats a request while its server is busy, after a pause that doubles each time or that the server asks for. */
export async function retryBusy<T>(
  send: () => Promise<T>,
  pauseMs: number,
  signal: AbortSignal,
  onBusy: OnBusy,
): Promise<T> {
  for (let retries = 0; ; retries++) {
    try {
      return await send();
    } catch (error) {
      const busy = error instanceof NoResult ? error.cause : null;
      if (!(busy instanceof BusyServer)) throw error;
      // Requests that were refused together do not come back together.
      const pause = Math.max(busy.retryAfterMs, pauseMs * 2 ** retries * (1 + Math.random() / 4));
      if (retries === MAX_RETRIES || pause > MAX_PAUSE_MS) throw error;
      const pausing = sleep(pause, undefined, { signal });
      onBusy(statusOf(busy), pausing);
      await pausing;
    }
  }
}

type OnBusy = (status: number | null, pause: Promise<unknown>) => void;

const MAX_RETRIES = 5;
const MAX_PAUSE_MS = 120_000;

/** By the protocol 404 says that the server no longer knows the session; many servers say it with 400. */
function lacksSession(error: unknown, { transport }: Connection): boolean {
  if (transport instanceof StdioTransport || transport.sessionId === undefined) return false;
  const status = statusOf(error);
  return status === 404 || (status === 400 && /session/i.test(messageOf(error)));
}

/** Keys are redacted before the text is cut. At the start of a run Vitest prints it, which escapes nothing. */
function explain(error: unknown, { transport }: Connection, { secrets }: McpServer): string {
  // fetch says only in the cause why there is no connection.
  const cause = isBroken(error) && error.cause instanceof Error ? error.cause.message : '';
  const ending = transport instanceof StdioTransport ? transport.describe() : '';
  const known = [describe(error), cause, ending].filter((part) => part !== '').join('; ');
  return escapeLine(maskKeys(redactMessage(known, secrets)), 1_000);
}

/** Nobody listens at the address, or the connection breaks: fetch and the bodies of its replies throw a TypeError. */
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

/** The reply of a busy server, or of a proxy before it; `retryAfterMs` is 0 if it names none. */
class BusyServer extends StreamableHTTPError {
  readonly retryAfterMs: number;

  constructor(response: Response, said: string) {
    super(response.status, said);
    this.retryAfterMs = readRetryAfter(response.headers.get('retry-after')) ?? 0;
  }
}

/** Replies after which a call is made again. */
const ASKED_AGAIN: readonly number[] = [429, 500, 502, 503, 504];

/** The SDK's transport follows no redirect to another origin: the headers hold keys. */
function createHttpTransport({ url, headers }: McpServer & { readonly kind: 'http' }) {
  const send = async (address: string | URL, init?: RequestInit) => {
    const response = await fetch(address, init);
    if (ASKED_AGAIN.includes(response.status)) throw new BusyServer(response, await response.text().catch(() => ''));
    return response;
  };
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers }, fetch: send });
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const STDERR_TAIL_BYTES = 1_000;

/** The first line allows the start: it comes when the guard of the groups knows this one. */
const PRELUDE = 'read -r viva_go || exit 125; cd -- "$1" || exit 126; shift; unset OLDPWD; exec "$@"';

/**
 * A server that is a child process. The SDK's own transport leaves running what the child has started (npx starts the
 * server proper), takes quadratic time for a result in many chunks, and does not say how the server ended. This one
 * starts a process group that ends with this process, however that ends. A running server keeps no process alive.
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

  /** How the server ended and what it wrote beside messages. */
  describe(): string {
    const lines = plural(this.#otherLines, 'line that is no MCP message', 'lines that are no MCP messages');
    const tail = this.#stderr?.text.trim() ?? '';
    const parts = [this.#end, this.#otherLines > 0 && `it wrote ${lines}`, tail && `its last words: ${tail}`];
    return parts.filter(Boolean).join('; ');
  }

  async start(): Promise<void> {
    const { command, args, env, cwd } = this.#server;
    const mark = createMark();
    const child = spawn('/bin/sh', ['-c', PRELUDE, 'sh', cwd, command, ...args], {
      env: { ...env, [MARK_NAME]: mark },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    // Without a process there may be no pipes either: this throws the error that says why.
    if (child.pid === undefined) await once(child, 'spawn');
    this.#child = child;
    this.#stderr = new OutputTail(child.stderr, STDERR_TAIL_BYTES);
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => this.#read(chunk));
    // A server that reads no more has ended, or its calls run into their deadline.
    child.stdin.on('error', () => {});
    child.once('exit', (code, signal) => {
      this.#end = signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
    });
    child.once('close', () => this.#closed());
    child.unref();
    for (const pipe of child.stdio) if (pipe instanceof Socket) pipe.unref();
    if (child.pid !== undefined) await liveGroups.add(child.pid, mark);
    child.stdin.write('go\n');
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#child?.stdin.write(serializeMessage(message));
  }

  /** A server ends when its input does; what has not ended 2 s later is killed. */
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
    if (end === -1) return;
    const lines = this.#line.split('\n');
    this.#line = chunk.slice(end + 1);
    for (const line of lines) {
      const message = attempt(() => JSONRPCMessageSchema.safeParse(JSON.parse(line)).data);
      if (message === undefined) this.#otherLines++;
      else this.onmessage?.(message);
    }
  }

  #closed(): void {
    const { pid } = this.#child ?? {};
    this.#child = null;
    // What the server started and left behind ends with it.
    if (pid !== undefined) liveGroups.kill(pid);
    this.onclose?.();
  }
}
