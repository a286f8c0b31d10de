import { gzipSync } from 'node:zlib';
import type { Exchange } from './fault-server.ts';
import type { Said } from './wire.ts';

/** What a run makes of a sample. */
export type Outcome = {
  readonly state: 'correct' | 'no_answer' | 'timed_out' | 'errored';
  readonly reason: string | null;
  /** Requests in the run: so many, or at least and at most. */
  readonly calls: number | readonly [number, number];
  /** True where the server's count of tokens is not believed. */
  readonly uncounted?: boolean;
};

/** One way in which a server can fail, and what must come of it. */
export type Fault = {
  readonly id: string;
  /** As the table names it. */
  readonly what: string;
  /** The HTTP status that a failure's message names. */
  readonly status?: number;
  reply(exchange: Exchange): void;
  readonly expected: Outcome;
  /** What differs by the API, where a stream was asked for, or both. */
  readonly but?: Readonly<Partial<Record<Case, Partial<Outcome>>>>;
};

type Case =
  | 'openai'
  | 'openai-chat'
  | 'anthropic'
  | 'streamed'
  | 'anthropic streamed'
  | 'openai-chat streamed'
  | 'ai:openai'
  | 'ai:openai streamed';

export const ANSWER = 'FINAL ANSWER: 42';

/** Most requests of one conversation in these tests. */
export const MAX_STEPS = 3;

export function expectedOf(
  { expected, but = {} }: Fault,
  kind: string,
  streamed: boolean,
): Outcome {
  const cases = streamed ? [kind, 'streamed', `${kind} streamed`] : [kind];
  const changes = Object.entries(but).filter(([name]) => cases.includes(name));
  return Object.assign({}, expected, ...changes.map(([, change]) => change));
}

const right = (calls: number): Outcome => ({ state: 'correct', reason: null, calls });
const fails = (reason: string, calls: Outcome['calls'] = 1): Outcome => {
  return { state: 'errored', reason, calls };
};
/** Of a reply that its server broke: it is asked twice more, since a wrong address gives the same. */
const broken = fails('server', 3);
const late: Outcome = { state: 'timed_out', reason: 'timed_out', calls: 1 };
const silent: Outcome = { state: 'no_answer', reason: 'empty', calls: 1 };

/** Without it each pause takes half a second and more. */
const SOON = { 'retry-after-ms': '1' };
const MORE_THAN_ALL = 100_000_000;

const sound = (exchange: Exchange) => exchange.send(exchange.encode({ text: ANSWER }));
const say = (said: Said) => (exchange: Exchange) =>
  exchange.send(exchange.encode({ text: ANSWER, ...said }));
const count = (usage: NonNullable<Said['usage']>) => say({ usage });

/** An error that repeats the key that it was asked with, as some servers and proxies do. */
const refuse =
  (status: number, headers: () => Readonly<Record<string, string>> = () => SOON) =>
  ({ send, key }: Exchange) =>
    send(
      JSON.stringify({ error: { message: `no, ${key}` } }),
      { 'content-type': 'application/json', ...headers() },
      status,
    );

/** A fault that passes after so many requests. */
const atFirst =
  (reply: Fault['reply'], times = 1) =>
  (exchange: Exchange) =>
    exchange.attempt > times ? sound(exchange) : reply(exchange);

/** The first half of a good reply. */
const half = ({ encode }: Exchange) => {
  const whole = encode({ text: `${ANSWER}${' '.repeat(200)}` });
  return whole.slice(0, whole.indexOf(ANSWER) + ANSWER.length);
};

/** The start of a good reply, which then goes on or breaks off in another way. */
const begin = (exchange: Exchange) => {
  exchange.response.writeHead(200, {
    'content-type': exchange.streamed ? 'text/event-stream' : 'application/json',
  });
  exchange.response.write(half(exchange));
};

/** Calls a tool, and answers once its result has come. */
const callOnce = (name: string, args: string) => atFirst(say({ call: { name, args } }));

/** What is not a fault. */
const SOUND: Fault = { id: 'none', what: 'none', reply: sound, expected: right(1) };

export const FAULTS: readonly Fault[] = [
  SOUND,
  {
    id: '429-seconds',
    what: '429 once, `Retry-After` in seconds',
    reply: atFirst(refuse(429, () => ({ 'retry-after': '1' }))),
    expected: right(2),
  },
  {
    id: '429-date',
    what: '429 once, `Retry-After` as a date',
    reply: atFirst(
      refuse(429, () => ({ 'retry-after': new Date(Date.now() + 1000).toUTCString() })),
    ),
    expected: right(2),
  },
  {
    id: '429-without',
    what: '429 twice, without `Retry-After`',
    reply: atFirst(
      refuse(429, () => ({})),
      2,
    ),
    expected: right(3),
  },
  {
    id: '429-hours',
    what: '429 always, `Retry-After` of two hours',
    status: 429,
    reply: refuse(429, () => ({ 'retry-after': '7200' })),
    // It waits as long as it is told to, and the deadline ends that.
    expected: fails('rate_limit'),
  },
  {
    id: '429-always',
    what: '429 always',
    status: 429,
    reply: refuse(429),
    expected: fails('rate_limit', 5),
  },
  {
    id: '429-stalled',
    what: '429 once, with a body that never ends',
    reply: atFirst(({ response }) => {
      response.writeHead(429, { 'content-type': 'application/json', ...SOON });
      response.write('{"error": ');
    }),
    expected: right(2),
  },
  { id: '500-once', what: '500 once', reply: atFirst(refuse(500)), expected: right(2) },
  {
    id: '500-always',
    what: '500 always',
    status: 500,
    reply: refuse(500),
    expected: fails('server', 5),
  },
  {
    id: '500-long',
    what: '500 once, with a body of 100 MB',
    reply: atFirst(({ response }) => {
      response.writeHead(500, { 'content-type': 'text/plain', ...SOON });
      pour(response, 'x');
    }),
    expected: right(2),
  },
  {
    id: '400',
    what: '400 whose message repeats the key',
    status: 400,
    reply: refuse(400),
    expected: fails('bad_request'),
  },
  {
    id: 'reset-once',
    what: 'connection reset before the head, once',
    reply: atFirst(reset),
    expected: right(2),
  },
  {
    id: 'reset-always',
    what: 'connection reset before the head, always',
    reply: reset,
    expected: fails('network', [2, 5]),
  },
  {
    id: 'reset-body',
    what: 'connection reset in the body',
    status: 200,
    reply: (exchange) => {
      begin(exchange);
      setTimeout(() => reset(exchange), 20);
    },
    expected: fails('network', 5),
  },
  { id: 'slow-head', what: 'headers after the deadline', reply: () => {}, expected: late },
  { id: 'stalled-body', what: 'body that stalls half way', reply: begin, expected: late },
  {
    id: 'truncated',
    what: 'body that ends half way',
    status: 200,
    reply: (exchange) => exchange.send(half(exchange)),
    expected: broken,
    but: {
      'anthropic streamed': fails('network', 5),
      'ai:openai streamed': fails('network', 5),
    },
  },
  {
    id: 'cut-stream',
    what: 'stream that ends before its last event; half a JSON value',
    status: 200,
    reply: (exchange) => {
      const events = exchange.wire.events({ text: ANSWER });
      exchange.send(exchange.streamed ? firstOf(events) : half(exchange));
    },
    expected: broken,
    but: { streamed: fails('network', 5) },
  },
  {
    id: 'html',
    what: '200 with HTML',
    status: 200,
    reply: ({ send, key }) => send(`<html>Welcome, ${key}</html>`, { 'content-type': 'text/html' }),
    expected: broken,
    but: { streamed: fails('network', 5) },
  },
  {
    id: 'nothing',
    what: '200 with an empty body',
    status: 200,
    reply: ({ send }) => send(''),
    expected: broken,
    but: { streamed: fails('network', 5) },
  },
  {
    id: 'empty-list',
    what: 'empty list of `output`, `choices` or `content`',
    status: 200,
    reply: say({ empty: true }),
    expected: broken,
    but: { anthropic: silent, 'ai:openai': silent },
  },
  {
    id: 'unfinished',
    what: 'whole reply of `openai` or `anthropic` that says it is not finished',
    status: 200,
    reply: say({ unfinished: true }),
    expected: broken,
    // A stream ends by its last event.
    but: { 'openai-chat': right(1), streamed: right(1) },
  },
  { id: 'empty-text', what: 'empty text', reply: say({ text: '' }), expected: silent },
  {
    id: 'wrong-type',
    what: 'right reply with the content type `text/plain`',
    status: 200,
    reply: ({ send, encode }) => send(encode({ text: ANSWER }), { 'content-type': 'text/plain' }),
    expected: right(1),
  },
  {
    id: 'long',
    what: 'body of 100 MB',
    status: 200,
    reply: (exchange) => {
      begin(exchange);
      pour(exchange.response, ' ');
    },
    expected: fails('bad_response'),
  },
  {
    id: 'zipped',
    what: 'body of 30 MB in 30 kB of gzip',
    status: 200,
    reply: ({ send }) => send(zipped(), { 'content-encoding': 'gzip' }),
    expected: fails('bad_response'),
  },
  {
    id: 'invalid-utf8',
    what: 'bytes in the text that are not UTF-8',
    reply: ({ send, encode }) => send(breakText(encode({ text: `?? ${ANSWER}` }))),
    expected: right(1),
  },
  {
    id: 'redirect',
    what: '307 to another host',
    status: 307,
    reply: ({ send, elsewhere, key }) => send('', { location: `${elsewhere}/v1?key=${key}` }, 307),
    expected: fails('bad_response'),
  },
  {
    id: 'bad-arguments',
    what: 'arguments of a tool that are not JSON, once',
    reply: callOnce('calculate', '{"code": 6*'),
    expected: right(2),
  },
  {
    id: 'unknown-tool',
    what: 'call of an unknown tool, once',
    reply: callOnce('no_such_tool', '{}'),
    expected: right(2),
  },
  {
    id: 'unknown-always',
    what: 'call of an unknown tool, always',
    reply: say({ call: { name: 'no_such_tool', args: '{}' } }),
    expected: fails('step_limit', MAX_STEPS),
  },
  {
    id: 'tool-loop',
    what: 'calls of a tool without end',
    // Without its code it fails, and starts no process.
    reply: say({ call: { name: 'calculate', args: '{}' } }),
    expected: fails('step_limit', MAX_STEPS),
  },
  {
    id: 'usage-huge',
    what: 'usage of 1e300',
    reply: count({ input: 1e300, output: 1 }),
    expected: uncounted(),
  },
  {
    id: 'usage-cached',
    what: 'usage with more cached tokens than input tokens',
    reply: count({ input: 10, output: 1, cached: 50 }),
    expected: uncounted(),
    // Anthropic's input leaves out what was cached.
    but: { anthropic: { uncounted: false } },
  },
];

function uncounted(): Outcome {
  return { ...right(1), uncounted: true };
}

function reset({ response }: Pick<Exchange, 'response'>): void {
  response.socket?.resetAndDestroy();
}

function firstOf(events: readonly string[]): string {
  const end = events.findIndex((event) => event.includes(ANSWER)) + 1;
  return events.length === 1 ? ': nothing yet\n\n' : events.slice(0, end).join('');
}

/** As much as is taken, up to 100 MB. */
function pour(response: Exchange['response'], letter: string): void {
  const chunk = letter.repeat(1_000_000);
  let sent = 0;
  const more = () => {
    while (sent < MORE_THAN_ALL && !response.destroyed) {
      sent += chunk.length;
      if (!response.write(chunk)) return void response.once('drain', more);
    }
    response.end();
  };
  more();
}

let bomb: Buffer | null = null;

function zipped(): Buffer {
  bomb ??= gzipSync(Buffer.alloc(30_000_000, ' '));
  return bomb;
}

/** Puts two bytes that no UTF-8 text has in place of "??". */
function breakText(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  return bytes.fill(0xff, bytes.indexOf('?? '), bytes.indexOf('?? ') + 2);
}
