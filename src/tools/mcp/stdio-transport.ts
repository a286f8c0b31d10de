import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { liveGroups } from '../../processes/live-groups.ts';
import { OutputTail } from '../../processes/output.ts';
import { createMark, MARK_NAME } from '../../processes/process-mark.ts';
import { plural } from '../../text/plural.ts';
import type { McpServer } from './mcp-settings.ts';
import { MessageLines } from './message-lines.ts';

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const STDERR_TAIL_BYTES = 1_000;

/** How long a server that reads no more has to end, so that it can be said how it did. */
const LAST_WORDS_MS = 1_000;

/** After so many lines that are no messages a server is not taken for one any more. */
const MAX_NONSENSE = 100;

/**
 * A server that is a child process. Unlike the SDK's own transport it puts the child into a process group that ends with
 * this process, however that ends, with what the child has started (npx starts the server proper), and it can say
 * afterwards how the server ended. A running server keeps no process from ending.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #server: McpServer & { readonly kind: 'stdio' };
  readonly #lines = new MessageLines();
  #child: Child | null = null;
  #stderr: OutputTail | null = null;
  #nonsense = 0;
  #end: string | null = null;
  readonly #gone = Promise.withResolvers<void>();

  constructor(server: McpServer & { readonly kind: 'stdio' }) {
    this.#server = server;
  }

  /** What is known of a server that does not answer: how it ended, what else it wrote. */
  describe(): string {
    const nonsense =
      this.#nonsense === 0
        ? []
        : [`it wrote ${plural(this.#nonsense, 'line that is no MCP message', 'lines that are no MCP messages')}`];
    const tail = this.#stderr?.text.trim() ?? '';
    const said = tail === '' ? [] : [`its last words: ${tail}`];
    return [...(this.#end === null ? [] : [this.#end]), ...nonsense, ...said].join('; ');
  }

  async start(): Promise<void> {
    const { command, args, env, cwd } = this.#server;
    const words = ['-c', PRELUDE, 'sh', cwd, command, ...args];
    const mark = createMark();
    const marked = { ...env, [MARK_NAME]: mark };
    const child = spawn('/bin/sh', words, { env: marked, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    // Without a process there may be no pipes either.
    if (child.pid === undefined) await once(child, 'spawn');
    this.#child = child;
    this.#stderr = new OutputTail(child.stderr, STDERR_TAIL_BYTES);
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    child.stdin.on('error', () => {});
    child.once('exit', (code, signal) => {
      this.#end ??= signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
    });
    child.once('close', () => this.#closed());
    for (const stream of [child, child.stdin, child.stdout, child.stderr]) unref(stream);
    if (child.pid !== undefined) await liveGroups.add(child.pid, mark);
    child.stdin.write('go\n');
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const child = this.#child;
    if (child === null || !child.stdin.writable) throw new Error('the server has ended');
    const error = await new Promise((resolve) => child.stdin.write(serializeMessage(message), resolve));
    if (!(error instanceof Error)) return;
    await Promise.race([this.#gone.promise, sleep(LAST_WORDS_MS, undefined, { ref: false })]);
    throw error;
  }

  /** A server ends when its input does; what has not ended 2 s later is killed. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined || this.#end !== null) return this.#closed();
    const closed = once(child, 'close');
    child.ref();
    child.stdin.end();
    liveGroups.end(child.pid);
    await closed;
  }

  #read(chunk: Buffer): void {
    const lines = this.#lines.append(chunk);
    if (lines === 'too long') this.#giveUp('it wrote a line of more than 10 MB');
    else this.#hear(lines);
  }

  #hear(lines: readonly (JSONRPCMessage | 'nonsense')[]): void {
    for (const line of lines) {
      if (line !== 'nonsense') this.onmessage?.(line);
      else if (++this.#nonsense === MAX_NONSENSE) this.#giveUp('it does not speak MCP');
    }
  }

  #giveUp(why: string): void {
    this.#end ??= why;
    if (this.#child?.pid !== undefined) liveGroups.kill(this.#child.pid);
  }

  #closed(): void {
    const { pid } = this.#child ?? {};
    this.#child = null;
    // What the server started and left behind ends with it.
    if (pid !== undefined) liveGroups.kill(pid);
    this.#gone.resolve();
    this.onclose?.();
  }
}

/** The first line is the leave to begin: it comes when the guard of live-groups.ts knows the group. */
const PRELUDE = 'read -r viva_go || exit 125; cd -- "$1" || exit 126; shift; exec "$@"';

/** Types do not say that pipes can be left out of what keeps a process alive. */
function unref(stream: object): void {
  if ('unref' in stream && typeof stream.unref === 'function') stream.unref();
}
