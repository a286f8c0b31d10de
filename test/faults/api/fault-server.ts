import { EventEmitter } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text as readAll } from 'node:stream/consumers';
import { listen, startServer } from '../../loopback-server.ts';
import { findProblems } from '../../wire/checks.ts';
import { readRequest } from '../../wire/request.ts';
import type { Said, Wire } from './wire.ts';

/** One request about a sample, and the means to answer it well or badly. */
export type Exchange = {
  readonly wire: Wire;
  /** 1 for the first request about this sample by this agent. */
  readonly attempt: number;
  readonly streamed: boolean;
  /** The key that came with the request: a hostile server repeats it. */
  readonly key: string;
  /** Where a redirect may point: a server under another name. */
  readonly elsewhere: string;
  readonly response: ServerResponse;
  /** What was said, in the form that was asked for. */
  encode(said: Said): string;
  /** A good reply, or the same body with other headers or another status. */
  send(
    body: string | Uint8Array,
    headers?: Readonly<Record<string, string>>,
    status?: number,
  ): void;
};

/** A fault by its id, as the text of the question names it. */
export type Faults = ReadonlyMap<string, (exchange: Exchange) => void>;

/**
 * A loopback server of one API that picks its fault by the words "fault:ID" in the question. It
 * tells and counts each request about a sample, whole ("ID") and streamed ("ID streamed"), and keeps
 * how much of each reply left, and what a strict server would refuse ("ID: problem"); it ends with
 * the test.
 */
export async function startFaultServer(wire: Wire, faults: Faults) {
  const strayed: IncomingHttpHeaders[] = [];
  const elsewhere = await startServer(({ headers }) => void strayed.push(headers));
  const requests = new EventEmitter();
  const calls = new Map<string, number>();
  const sent = new Map<string, number>();
  const open = new Set<ServerResponse>();
  const problems: string[] = [];
  const server = createServer(async (request, response) => {
    open.add(response);
    response.on('close', () => open.delete(response));
    const body = await readAll(request);
    const id = /fault:([\w-]+)/.exec(body)?.[1] ?? '';
    const streamed = body.includes('"stream":true');
    const name = streamed ? `${id} streamed` : id;
    const attempt = (calls.get(name) ?? 0) + 1;
    calls.set(name, attempt);
    const seen = readRequest(wire.api, JSON.parse(body));
    problems.push(...findProblems(seen, NOTHING_SIGNED).map((problem) => `${name}: ${problem}`));
    requests.emit(name);
    const { socket } = response;
    response.on('close', () =>
      sent.set(name, Math.max(sent.get(name) ?? 0, socket?.bytesWritten ?? 0)),
    );
    const facts = {
      wire,
      attempt,
      streamed,
      key: keyOf(request.headers),
      elsewhere: `http://localhost:${new URL(elsewhere).port}`,
      response,
    };
    const exchange = { ...facts, ...replies(wire, streamed, response) };
    (faults.get(id) ?? refuse)(exchange);
  });
  // A server that closes idle connections while viva pauses is another fault than the one under
  // test.
  server.keepAliveTimeout = 60_000;
  return { url: await listen(server), calls, requests, sent, open, problems, strayed };
}

/** The replies of faults have signatures, but only strict servers look for them. */
const NOTHING_SIGNED: ReadonlyMap<number, unknown> = new Map();

function keyOf({ authorization, 'x-api-key': key }: IncomingHttpHeaders): string {
  return String(key ?? authorization?.replace(/^Bearer /, ''));
}

function replies(
  wire: Wire,
  streamed: boolean,
  response: ServerResponse,
): Pick<Exchange, 'encode' | 'send'> {
  const type = streamed ? 'text/event-stream' : 'application/json';
  return {
    encode: (said) => (streamed ? wire.events(said).join('') : JSON.stringify(wire.whole(said))),
    send: (body, headers = {}, status = 200) => {
      response.writeHead(status, { 'content-type': type, ...headers });
      response.end(body);
    },
  };
}

/** A question that names no fault is a mistake of the test. */
function refuse({ response }: Exchange): void {
  response.writeHead(418).end();
}
