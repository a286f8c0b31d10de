import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Socket } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  isJSONRPCRequest,
  type JSONRPCMessage,
  McpError,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { readVersion } from '../../package.ts';
import { liveGroups } from '../../processes/groups.ts';
import { isEventStream, limitBody, type Passing, readPassing } from '../../processes/retry.ts';
import { OutputTail } from '../../processes/run-shell.ts';
import { maskKeys, redactMessage } from '../../words/secrets.ts';
import { escapeLine, plural, quote } from '../../words/show.ts';
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
  readonly transport: ProgramTransport | HttpTransport;
  /** False once the server has ended, or the connection to it is broken. */
  open: boolean;
};

/** Rejects when the server does not start or does not speak MCP. */
export async function connect(server: McpServer, limits: McpLimits): Promise<Connection> {
  const client = new Client({ name: 'viva', version: readVersion() });
  let transport: Connection['transport'] | null = null;
  try {
    transport = server.kind === 'stdio' ? await startProgram(server) : new HttpTransport(server);
    const connection = { client, transport, open: true };
    client.onclose = () => {
      connection.open = false;
    };
    await client.connect(transport, { timeout: limits.startMs });
    return connection;
  } catch (error) {
    const problem = explain(error, transport, server);
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

  /** Whether the reply ended without the result. */
  get isLost(): boolean {
    return isLost(this.cause);
  }

  /** Why the same request may succeed later: the server is busy. */
  get passing(): Passing | null {
    return this.cause instanceof BusyServer ? this.cause.passing : null;
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
    throw new NoResult(explain(error, connection.transport, server), { cause: error });
  }
}

/**
 * In the protocol, 404 means that the server no longer knows the session. Many servers answer 400
 * instead.
 */
function lacksSession(error: unknown, { transport }: Connection): boolean {
  if (transport instanceof ProgramTransport || transport.sessionId === undefined) return false;
  const status = statusOf(error);
  return status === 404 || (status === 400 && /session/i.test(messageOf(error)));
}

/**
 * Keys are redacted before the text is cut. The text is escaped, because at the start of a run
 * Vitest prints it without escaping.
 */
function explain(
  error: unknown,
  transport: Connection['transport'] | null,
  { secrets }: McpServer,
): string {
  // Only the cause of fetch's error says why there is no connection.
  const cause = isBroken(error) && error.cause instanceof Error ? error.cause.message : '';
  const parts = [describeError(error), cause, transport?.explainEnd() ?? ''];
  const text = parts.filter((part) => part !== '').join('; ');
  return escapeLine(maskKeys(redactMessage(text, secrets)), 1_000);
}

/**
 * Whether there is no connection or it broke: then fetch and the bodies of its responses throw a
 * TypeError.
 */
function isBroken(error: unknown): error is TypeError {
  return error instanceof TypeError;
}

function statusOf(error: unknown): number | null {
  // The SDK gives its own errors codes below 0.
  return error instanceof StreamableHTTPError && (error.code ?? 0) > 0
    ? (error.code ?? null)
    : null;
}

function describeError(error: unknown): string {
  if (isLost(error)) return LOST;
  const status = statusOf(error);
  const message = messageOf(error).replace(
    /^Streamable HTTP error: (?:Error POSTing to endpoint: )?/,
    '',
  );
  if (status !== null) return `it answered ${status}: ${message}`.trim().replace(/:$/, '');
  if (!isInvalid(error)) return message;
  const { path, message: issue }: { path?: unknown; message?: unknown } = error.issues[0] ?? {};
  return `its reply is not valid: ${Array.isArray(path) ? `${path.join('.')}: ` : ''}${issue}`;
}

/** Whether it is an error of the SDK's schemas: JSON that is no message, or not the wanted reply. */
function isInvalid(error: unknown): error is Error & { readonly issues: readonly object[] } {
  return error instanceof Error && 'issues' in error && Array.isArray(error.issues);
}

/** The most bytes of one message: a server that never ends its message must not fill the memory. */
const MAX_BYTES = 20_000_000;

const TOO_LONG = `it sent more than ${MAX_BYTES / 1_000_000} MB in one piece`;

/** The reply of a busy server, or of a proxy before it. */
class BusyServer extends StreamableHTTPError {
  readonly passing: Passing;

  constructor({ status }: Response, passing: Passing, body: string) {
    super(status, body);
    this.passing = passing;
  }
}

const LOST = 'its reply ended without an answer';

function isLost(error: unknown): boolean {
  return error instanceof McpError && error.data === LOST;
}

/** What the SDK is told of a request without an answer. After an answer it has no effect. */
function toLost(id: RequestId): JSONRPCMessage {
  const error = { code: ErrorCode.ConnectionClosed, message: LOST, data: LOST };
  return { jsonrpc: '2.0', id, error };
}

/**
 * No redirect to another origin is followed, which must not get the keys in the headers: the SDK 1.32
 * sees to that, and for an older one none is followed. The SDK 1.32 leaves a call pending whose reply has no answer or whose stream of events fails
 * (typescript-sdk#2739), so this class says that the answer is lost.
 */
class HttpTransport extends StreamableHTTPClientTransport {
  #end = '';
  /** The requests that are answered by a stream of events. */
  readonly #streamed = new Set<RequestId>();
  /** Whether the SDK goes on with the stream of a call in another request. */
  #isResuming = false;

  constructor({ url, headers }: McpServer & { readonly kind: 'http' }) {
    const limits = { bytes: MAX_BYTES, streamBytes: Number.POSITIVE_INFINITY };
    const onExcess = (_: number, isStream: boolean) => {
      if (isStream) {
        this.#end = TOO_LONG;
        void this.close();
      }
      return new Error(TOO_LONG);
    };
    const send = async (address: string | URL, init?: RequestInit) => {
      const replied = await fetch(address, { redirect: 'manual', ...init });
      const response = limitBody(replied, limits, { onExcess, keepsAll: true });
      const passing = readPassing(response);
      if (passing === null) return response;
      throw new BusyServer(response, passing, await response.text().catch(() => ''));
    };
    const follow = async (address: string | URL, init?: RequestInit) => {
      if (new Headers(init?.headers).has('last-event-id')) return this.#resume(send(address, init));
      const response = await send(address, init);
      const id = init?.method === 'POST' ? JSON.parse(String(init.body)).id : undefined;
      if (id === undefined || !response.ok || !isEventStream(response)) return response;
      this.#streamed.add(id);
      return new Response(this.#endWithLost(response, id), response);
    };
    super(new URL(url), { requestInit: { headers }, fetch: follow });
  }

  override async send(
    message: JSONRPCMessage | JSONRPCMessage[],
    options?: TransportSendOptions,
  ): Promise<void> {
    await super.send(message, options);
    // All of another reply has been read.
    if (isJSONRPCRequest(message) && !this.#streamed.delete(message.id))
      this.onmessage?.(toLost(message.id));
  }

  /** A stream of events that may be gone on with is left to the SDK: one of its events has an id. */
  async *#endWithLost({ body }: Response, id: RequestId) {
    let isResumable = false;
    let before = '\n';
    try {
      for await (const chunk of body ?? []) {
        before = `${before}${Buffer.from(chunk).toString('latin1')}`;
        isResumable ||= /[\r\n]id: ?[^ \r\n]/.test(before);
        before = before.slice(-6);
        yield chunk;
      }
    } catch (error) {
      this.#isResuming ||= isResumable;
      if (isResumable) throw error;
    }
    this.#isResuming ||= isResumable;
    if (!isResumable) yield Buffer.from(`\n\ndata: ${JSON.stringify(toLost(id))}\n\n`);
  }

  /** The SDK would leave the call pending when it cannot go on with its stream. */
  async #resume(sent: Promise<Response>): Promise<Response> {
    const response = await sent.catch((error: unknown) => error);
    const isOk = response instanceof Response && response.ok;
    if (this.#isResuming && !isOk) {
      this.#end = LOST;
      void this.close();
    }
    if (response instanceof Response) return response;
    throw response;
  }

  /** Why viva closed the connection, or "". */
  explainEnd(): string {
    return this.#end;
  }
}

const STDERR_TAIL_BYTES = 1_000;

/** Rejects with the system's error if there is no such program, or no process or file left. */
async function startProgram({ command, args, env, cwd }: McpServer & { readonly kind: 'stdio' }) {
  // The system's error would name the program.
  if (!existsSync(cwd)) throw new Error(`its folder ${quote(cwd)} does not exist`);
  // It leads a process group.
  const child = spawn(command, args, { env: { ...env }, cwd, detached: true });
  const { pid } = child;
  // Its pipes may be missing too.
  if (pid === undefined) throw (await once(child, 'error'))[0];
  return new ProgramTransport(child, pid);
}

/**
 * The transport for a server that is a child process: viva starts and ends the process, and the
 * SDK's class for two streams reads and writes. StdioClientTransport of the SDK 1.32 starts no
 * process group, so what npx has started stays (typescript-sdk#2023). It hides the process
 * (typescript-sdk#684), so nothing tells how a server ended, and it keeps viva from ending (no issue
 * found).
 */
class ProgramTransport extends StdioServerTransport {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #group: number;
  readonly #stderr: OutputTail;
  #otherLines = 0;
  #problem = '';
  #closing: Promise<void> | null = null;

  constructor(child: ChildProcessWithoutNullStreams, group: number) {
    super(child.stdout, child.stdin, { maxBufferSize: MAX_BYTES });
    this.#child = child;
    this.#group = group;
    this.#stderr = new OutputTail(child.stderr, STDERR_TAIL_BYTES);
    this.onerror = (error) => {
      if (error instanceof SyntaxError || isInvalid(error)) this.#otherLines++;
      // The SDK 1.32 has no class for this error.
      else this.#problem ||= error.message.includes('maximum size') ? TOO_LONG : error.message;
    };
    // A server that no longer reads has ended, or its calls reach their deadline.
    child.stdin.on('error', () => {});
    child.once('close', () => void this.close());
    // A running server does not prevent viva from ending.
    child.unref();
    for (const pipe of child.stdio) if (pipe instanceof Socket) pipe.unref();
    liveGroups.add(group);
  }

  /**
   * Ends the process and those that it has started, the latter also where it has ended by itself.
   * What still runs 2 s after SIGTERM is killed. The SDK calls this after a message without end.
   */
  override close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { exitCode, signalCode, stdin, stdio } = this.#child;
    if (exitCode === null && signalCode === null) {
      const exited = once(this.#child, 'exit');
      this.#child.ref();
      stdin.end();
      if (this.#problem === '') liveGroups.end(this.#group);
      else liveGroups.kill(this.#group);
      await exited;
    }
    liveGroups.kill(this.#group);
    // A process outside the group may hold them too.
    for (const pipe of stdio) pipe?.destroy();
    await super.close();
  }

  /** How the server ended, and its output besides messages. */
  explainEnd(): string {
    const { exitCode, signalCode } = this.#child;
    const [one, more] = ['line that is not an MCP message', 'lines that are not MCP messages'];
    const lines = plural(this.#otherLines, one, more);
    const stderr = this.#stderr.text.trim();
    const parts = [
      this.#problem,
      exitCode !== null && `it ended with exit code ${exitCode}`,
      signalCode !== null && this.#problem === '' && `it was ended by ${signalCode}`,
      this.#otherLines > 0 && `it wrote ${lines}`,
      stderr && `its last output: ${stderr}`,
    ];
    return parts.filter(Boolean).join('; ');
  }
}
