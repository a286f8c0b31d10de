import { setTimeout as sleep } from 'node:timers/promises';

/** How often a request is sent again, and after what pauses. */
export type Retries = Readonly<{
  times: number;
  /** The pause before the first retry, in milliseconds. It doubles each time. */
  pauseMs: number;
  /** A server that asks for a longer pause is not asked again. Default: the signal alone ends it. */
  longestMs?: number;
}>;

/** Why a request may succeed later: the pause that the server asks for; null if it names none. */
export type Passing = { readonly retryAfterMs: number | null };

type RetryOptions = {
  readonly signal?: AbortSignal | null | undefined;
  onPause?(error: unknown, pausing: Promise<unknown>): void;
};

/**
 * Sends a request again while `toPassing` does not say null to its error.
 *
 * Not by p-retry 7: its pauses follow no Retry-After, so they would be own code in its hook.
 */
export async function retry<T>(
  { times, pauseMs, longestMs = LONGEST_TIMER_MS }: Retries,
  send: () => Promise<T>,
  toPassing: (error: unknown) => Passing | null,
  { signal, onPause }: RetryOptions = {},
): Promise<T> {
  for (let retried = 0; ; retried++) {
    try {
      return await send();
    } catch (error) {
      signal?.throwIfAborted();
      const passing = toPassing(error);
      // A random part spreads requests that were refused at the same time.
      const usualMs = pauseMs * 2 ** retried * (1 + Math.random() / 4);
      const ms = passing?.retryAfterMs ?? usualMs;
      if (passing === null || retried === times || ms > longestMs) throw error;
      const pausing = sleep(ms, undefined, signal ? { signal } : {});
      onPause?.(error, pausing);
      await pausing;
    }
  }
}

/**
 * Sends an HTTP request again after a broken connection or a status that passes. Resolves with the
 * last response, whatever its status.
 */
export function retryResponse(
  retries: Retries,
  send: () => Promise<Response>,
  signal?: AbortSignal | null,
  toPassing = readPassing,
): Promise<Response> {
  const sendOnce = async () => {
    const response = await send();
    const passing = toPassing(response);
    if (passing === null) return response;
    throw new Refusal(response, passing);
  };
  const passingOf = (error: unknown) => (error instanceof Refusal ? error.passing : BROKEN);
  return retry(retries, sendOnce, passingOf, { signal }).catch((error) => {
    if (error instanceof Refusal) return error.response;
    throw error;
  });
}

/** What the SDKs of model APIs repeat too: a server may overrule it in `x-should-retry`. */
export function readPassing({ status, headers }: Response): Passing | null {
  const stated = headers.get('x-should-retry');
  const isPassing = status === 408 || status === 409 || status === 429 || status >= 500;
  const isRepeated = stated === 'true' || (isPassing && stated !== 'false');
  return isRepeated ? { retryAfterMs: readRetryAfter(headers) } : null;
}

/**
 * The milliseconds to wait that a server gives in `retry-after-ms`, or in Retry-After as seconds or
 * a date (RFC 9110, 10.2.3). 0 for a date in the past; null for a missing or unreadable header.
 */
export function readRetryAfter(headers: Headers): number | null {
  const ms = headers.get('retry-after-ms') ?? '';
  if (NUMBER.test(ms)) return Number(ms);
  const stated = headers.get('retry-after') ?? '';
  if (NUMBER.test(stated)) return Number(stated) * 1000;
  // A date has letters. Date.parse would read a bare number, even "-5", as a year.
  const until = /[a-z]/i.test(stated) ? Date.parse(stated) - Date.now() : Number.NaN;
  return Number.isNaN(until) ? null : Math.max(0, until);
}

/** A timer of more would end at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

const BROKEN: Passing = { retryAfterMs: null };

const NUMBER = /^\d+(\.\d+)?$/;

class Refusal extends Error {
  readonly response: Response;
  readonly passing: Passing;

  constructor(response: Response, passing: Passing) {
    super();
    this.response = response;
    this.passing = passing;
  }
}

/** The most bytes of one reply, after decompression. */
export type ReplyLimits = Readonly<{
  /** Of a body, or of one event of a stream. */
  bytes: number;
  /** Of a stream, which repeats a frame around each few letters. */
  streamBytes: number;
}>;

/** Passes on a stream of events whole by whole, without those that have no JSON unless it keeps all. */
class WholeEvents {
  #pieces: string[] = [];
  readonly #keepsAll: boolean;
  /** The bytes of the event that has not ended. */
  open = 0;
  isDone = false;

  constructor(keepsAll: boolean) {
    this.#keepsAll = keepsAll;
  }

  /** The events that end in a chunk; at the end of the stream, which has none, what is left. */
  take(chunk: Uint8Array | undefined): Uint8Array | undefined {
    const text = Buffer.from(chunk ?? []).toString('latin1');
    // The mark of an end may be in two chunks.
    const before = (this.#pieces.at(-1) ?? '').slice(-3);
    const end = chunk === undefined ? text.length : endOfEvents(before + text) - before.length;
    if (chunk !== undefined && end <= 0) {
      this.#pieces.push(text);
      this.open += text.length;
      return undefined;
    }
    const events = this.#pieces.join('') + text.slice(0, end);
    this.#pieces = [text.slice(end)];
    this.isDone ||= events.includes('[DONE]') && /^data:[ \t]*\[DONE\]/m.test(events);
    this.open = text.length - end;
    return Buffer.from(this.#keepsAll ? events : toPassed(events), 'latin1');
  }
}

/** The position after the last whole event of a stream; 0 without one. */
function endOfEvents(text: string): number {
  const ends = ['\n\n', '\r\n\r\n', '\r\r'].map((end) => {
    const at = text.lastIndexOf(end);
    return at === -1 ? 0 : at + end.length;
  });
  return Math.max(...ends);
}

/** A line of data that is no JSON, an event without data, or one that says nothing. */
const WITHOUT_JSON =
  /^(?:data:[ \t]*(?:(?![[{ \t])|\{\s*(?:"type":\s*"ping"\s*)?\})|event:[^\r\n]*(?:\r\n|\n|\r){2})/m;

/** What is passed on of an event. */
const WITH_JSON = /^(?!\{\s*(?:"type":\s*"ping"\s*)?\}$)[[{]/;

/** Events as the SDKs take them: openai 7.55 fails at the first, and Anthropic's 1.11 skips the second. */
function toPassed(events: string): string {
  return /^\s*\{/.test(events) ? toEvent(events.trim()) : withNames(dropKeepAlives(events));
}

/** A whole reply as an event: in Anthropic's API, the start of a message that is complete. */
function toEvent(reply: string): string {
  const isMessage = /"type":\s*"message"/.test(reply) && reply.includes('"stop_reason"');
  const event = isMessage ? `{"type":"message_start","message":${reply}}` : reply;
  return withNames(`data: ${event.replace(/\r?\n/g, '\ndata: ')}\n\n`);
}

/** Names the events of Anthropic's API where a gateway left that to their data. */
function withNames(events: string): string {
  if (events.includes('event:') || !events.includes('"type"')) return events;
  return events.replace(
    /^data:[ \t]*\{"type":[ \t]*"((?:message|content_block)_\w+)"/gm,
    'event: $1\n$&',
  );
}

/** Leaves out events without JSON, such as "data: : keepalive", and empty ones. */
function dropKeepAlives(events: string): string {
  if (!WITHOUT_JSON.test(events)) return events;
  const isKept = (event: string) => {
    const data = event.match(/^data:.*$/gm) ?? [];
    return WITH_JSON.test(
      data
        .map((line) => line.slice('data:'.length))
        .join('')
        .trim(),
    );
  };
  return events
    .split(/(?<=\r\n\r\n|\n\n|\r\r)/)
    .filter(isKept)
    .join('');
}

type BodyWatch = {
  /** The error with which a body fails that is longer than these bytes. */
  onExcess(bytes: number, isStream: boolean): Error;
  /** Whether events without JSON are passed on too: in MCP, their ids say where a stream goes on. */
  readonly keepsAll?: boolean;
  /** Called at the mark of OpenAI's streams that nothing follows: "data: [DONE]". */
  onDone?(): void;
};

/**
 * A response whose body fails when it gets too long: a server that never ends must not fill the
 * memory, and the SDKs need quadratic time to collect a long event.
 */
export function limitBody(
  response: Response,
  limits: ReplyLimits,
  { onExcess, keepsAll = false, onDone }: BodyWatch,
): Response {
  if (response.body === null) return response;
  const { headers } = response;
  const isStream = isEventStream(response);
  // Most replies say how long they are, and fetch takes no more. A packed one may become longer.
  const stated = headers.has('content-encoding')
    ? Number.NaN
    : Number(headers.get('content-length'));
  if (!isStream && stated > 0 && stated <= limits.bytes) return response;
  // A TransformStream would cost twice as much.
  const reader = response.body.getReader();
  const events = isStream ? new WholeEvents(keepsAll) : null;
  let size = 0;
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    for (;;) {
      const { value: chunk, done } = await reader.read();
      size += chunk?.byteLength ?? 0;
      const passed = events === null ? chunk : events.take(chunk);
      if (events?.isDone === true) onDone?.();
      const open = events?.open ?? size;
      if (open > limits.bytes || size > limits.streamBytes) {
        const excess = onExcess(open > limits.bytes ? limits.bytes : limits.streamBytes, isStream);
        void reader.cancel(excess).catch(() => {});
        throw excess;
      }
      const isPassed = passed !== undefined && passed.length > 0;
      if (isPassed) controller.enqueue(passed);
      if (done) return controller.close();
      if (isPassed) return;
    }
  };
  const cancel = (reason: unknown) => reader.cancel(reason);
  return new Response(new ReadableStream({ pull, cancel }, { highWaterMark: 0 }), response);
}

export function isEventStream({ headers }: Response): boolean {
  return /^\s*text\/event-stream/i.test(headers.get('content-type') ?? '');
}
