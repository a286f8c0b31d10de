import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { text as readAll } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Exchange } from '../../test/faults/api/fault-server.ts';
import { ANSWER } from '../../test/faults/api/faults.ts';
import { type Said, WIRES, type Wire } from '../../test/faults/api/wire.ts';
import type { BenchRecord } from '../overhead/records.ts';
import { API_KINDS } from './api-kinds.ts';
import { kindOf } from './kinds.ts';

/** An exchange of the fault matrix, whose right answer is the record's. */
export type ApiExchange = Exchange & {
  /** The place of the question in the dataset. */
  readonly index: number;
  /** The request as it came, with all earlier turns. */
  readonly body: string;
};

export type ApiServer = {
  readonly url: string;
  /** Requests by "kind index", such as "openai 17". */
  readonly calls: ReadonlyMap<string, number>;
  /** Replies that have not ended. */
  readonly open: ReadonlySet<ServerResponse>;
  close(): void;
};

const PATHS: Readonly<Record<string, string>> = {
  '/v1/responses': 'openai',
  '/v1/chat/completions': 'openai-chat',
  '/v1/messages': 'anthropic',
};

/** A loopback server of all three APIs that meets each question, known by its shelf, as its kind says. */
export async function startApiServer(records: readonly BenchRecord[], meanMs: number): Promise<ApiServer> {
  const calls = new Map<string, number>();
  const open = new Set<ServerResponse>();
  const server = createServer(async (request, response) => {
    open.add(response);
    response.on('close', () => open.delete(response));
    const body = await readAll(request);
    const wire = WIRES.find(({ kind }) => kind === PATHS[request.url ?? '']);
    const index = Number(/Shelf (\d+) holds/.exec(body)?.[1]);
    const truth = records[index]?.truth;
    if (wire === undefined || truth === undefined) return void response.writeHead(418).end();
    const key = `${wire.kind} ${index}`;
    const attempt = (calls.get(key) ?? 0) + 1;
    calls.set(key, attempt);
    await sleep(-Math.log(1 - Math.random()) * meanMs);
    kindOf(API_KINDS, index).reply({ ...toExchange({ wire, response, body, truth }), attempt, index, body });
  });
  // A server that closes idle connections while an SDK pauses is another fault than those of the kinds.
  server.keepAliveTimeout = 60_000;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: await listen(server), calls, open, close };
}

type Request = {
  readonly wire: Wire;
  readonly response: ServerResponse;
  readonly body: string;
  readonly truth: string;
};

function toExchange({ wire, response, body, truth }: Request): Omit<Exchange, 'attempt'> {
  const streamed = body.includes('"stream":true');
  const type = streamed ? 'text/event-stream' : 'application/json';
  const own = (said: Said): Said =>
    said.text === undefined ? said : { ...said, text: said.text.replace(ANSWER, `FINAL ANSWER: ${truth}`) };
  return {
    wire,
    streamed,
    key: 'none',
    elsewhere: 'http://localhost:1',
    response,
    encode: (said) => (streamed ? wire.events(own(said)).join('') : JSON.stringify(wire.whole(own(said)))),
    send: (reply, headers = {}, status = 200) => {
      response.writeHead(status, { 'content-type': type, ...headers });
      response.end(reply);
    },
  };
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return `http://127.0.0.1:${address.port}`;
}
