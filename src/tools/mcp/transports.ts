import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  RequestIdSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { createMark, liveGroups, MARK_NAME } from '../../processes/groups.ts';
import { OutputTail } from '../../processes/output.ts';
import { readRetryAfter } from '../../text/retry-after.ts';
import { plural } from '../../text/wording.ts';
import type { McpServer } from './mcp-file.ts';

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const MAX_LINE = 10 * 1024 * 1024;
const STDERR_TAIL_BYTES = 1_000;

/**
 * A server that is a child process. The SDK's own transport leaves behind what the child has started (npx starts the
 * server proper), copies all of a long line at each chunk, and does not know how the server ended. This one puts the
 * child into a process group that ends with this process, however that ends. A running server keeps no process alive.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #server: McpServer & { readonly kind: 'stdio' };
  #child: Child | null = null;
  #stderr: OutputTail | null = null;
  #line = '';
  #nonsense = 0;
  #end: string | null = null;

  constructor(server: McpServer & { readonly kind: 'stdio' }) {
    this.#server = server;
  }

  /** What is known of a server that does not answer: how it ended, what else it wrote. */
  describe(): string {
    const lines = plural(this.#nonsense, 'line that is no MCP message', 'lines that are no MCP messages');
    const nonsense = this.#nonsense === 0 ? '' : `it wrote ${lines}`;
    const tail = this.#stderr?.text.trim() ?? '';
    return [this.#end ?? '', nonsense, tail && `its last words: ${tail}`].filter((part) => part !== '').join('; ');
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
    // A server that reads no more is of no use; most often it has just ended.
    child.stdin.on('error', () => this.#endGroup());
    child.once('exit', (code, signal) => {
      this.#end ??= signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
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
    if (child === null || this.#end !== null) return this.#closed();
    const closed = once(child, 'close');
    child.ref();
    child.stdin.end();
    this.#endGroup();
    await closed;
  }

  #endGroup(): void {
    if (this.#child?.pid !== undefined) liveGroups.end(this.#child.pid);
  }

  #read(chunk: string): void {
    const end = chunk.lastIndexOf('\n');
    this.#line += end === -1 ? chunk : chunk.slice(0, end);
    if (this.#line.length > MAX_LINE && this.#child?.pid !== undefined) {
      this.#end ??= 'it wrote a line of more than 10 MB';
      liveGroups.kill(this.#child.pid);
    }
    if (end === -1) return;
    const lines = this.#line.split('\n');
    this.#line = chunk.slice(end + 1);
    for (const line of lines) this.#hear(line);
  }

  #hear(line: string): void {
    const value = parseJson(line);
    const message = mendReply(value) ?? JSONRPCMessageSchema.safeParse(value).data;
    if (message === undefined) this.#nonsense++;
    else this.onmessage?.(message);
  }

  #closed(): void {
    const { pid } = this.#child ?? {};
    this.#child = null;
    // What the server started and left behind ends with it.
    if (pid !== undefined) liveGroups.kill(pid);
    this.onclose?.();
  }
}

/** The first line allows the start: it comes when the guard of live-groups.ts knows the group. */
const PRELUDE = 'read -r viva_go || exit 125; cd -- "$1" || exit 126; shift; unset OLDPWD; exec "$@"';

/** A server over HTTP. The SDK's transport leaves the server's origin by no redirect: the headers hold keys. */
export function createHttpTransport({ url, headers }: McpServer & { readonly kind: 'http' }) {
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers }, fetch: fetchReply });
}

/** A server over HTTP, or what stands before it, is there and asks to come back later. */
export class NotNow extends StreamableHTTPError {
  /** Milliseconds that the server asks for; 0 when it says nothing. */
  readonly pauseMs: number;

  constructor(response: Response, said: string) {
    super(response.status, said);
    this.pauseMs = readRetryAfter(response.headers.get('retry-after')) ?? 0;
  }
}

const NOT_NOW: readonly number[] = [429, 500, 502, 503, 504];
const MAX_REPLY_BYTES = 20_000_000;

/** Fails after 20 MB, since the SDK reads a reply whole, however long it is. */
async function fetchReply(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  let bytes = 0;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.length;
      if (bytes <= MAX_REPLY_BYTES) controller.enqueue(chunk);
      else controller.error(new Error(`it sent more than ${MAX_REPLY_BYTES / 1_000_000} MB in one reply`));
    },
  });
  const body = response.body?.pipeThrough(count) ?? null;
  const capped = new Response(isEvents(response) ? mendEvents(body) : body, response);
  if (NOT_NOW.includes(response.status)) throw new NotNow(response, await capped.text().catch(() => ''));
  return capped;
}

function isEvents({ headers }: Response): boolean {
  return /^text\/event-stream\s*(;|$)/i.test(headers.get('content-type') ?? '');
}

/**
 * Mends the replies in a stream of events that hold no usable result. The SDK passes over them, and their calls would
 * wait until their time is over.
 */
function mendEvents(body: ReadableStream<Uint8Array> | null): ReadableStream<Uint8Array> | null {
  let held = '';
  const mend = new TransformStream<string, string>({
    transform: (chunk, controller) => {
      const end = chunk.lastIndexOf('\n') + 1;
      held += chunk.slice(0, end);
      if (end > 0) controller.enqueue(held.replace(/^data:(.*)$/gm, mendEvent));
      held = end > 0 ? chunk.slice(end) : held + chunk;
    },
    flush: (controller) => controller.enqueue(held),
  });
  return body?.pipeThrough(new TextDecoderStream()).pipeThrough(mend).pipeThrough(new TextEncoderStream()) ?? null;
}

function mendEvent(line: string, data: string): string {
  const mended = mendReply(parseJson(data));
  return mended === null ? line : `data: ${JSON.stringify(mended)}`;
}

/**
 * The error that stands for a reply without a usable result or error; null for everything else. A reply has the number
 * of its request, and asks for nothing itself. A log may be in JSON too.
 */
function mendReply(value: unknown): JSONRPCMessage | null {
  if (typeof value !== 'object' || value === null || 'method' in value || !('jsonrpc' in value && 'id' in value))
    return null;
  const id = RequestIdSchema.safeParse(value.id).data;
  if (id === undefined || JSONRPCMessageSchema.safeParse(value).success) return null;
  const message = 'its reply holds no result and no error as the protocol says';
  return { jsonrpc: '2.0', id, error: { code: ErrorCode.InternalError, message } };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
