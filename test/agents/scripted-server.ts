import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text as readAll } from 'node:stream/consumers';
import { startServer } from '../loopback-server.ts';

/** What the server does with one request: a JSON or text body, or a fault of the line. */
export type Reply =
  | {
      readonly body: unknown;
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** How many bytes of the body are sent before the connection dies. */
      readonly cut?: number;
    }
  | { readonly fault: 'reset' | 'silent' };

export type SeenRequest = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it wants to see of a body.
  readonly body: any;
};

/** Replies in their order, the last one for ever; or a reply for each request. */
export type Script = readonly Reply[] | ((request: SeenRequest) => Reply);

/** A loopback server that follows a script and keeps what it was asked. It ends with the test. */
export async function startScriptedServer(script: Script) {
  const requests: SeenRequest[] = [];
  const url = await startServer(async (request, response) => {
    const body = await readAll(request);
    const isJson = body !== '' && !/multipart/.test(request.headers['content-type'] ?? '');
    const seen = {
      path: request.url ?? '',
      headers: request.headers,
      body: isJson ? JSON.parse(body) : body || null,
    };
    requests.push(seen);
    const next =
      typeof script === 'function'
        ? script(seen)
        : script[Math.min(requests.length, script.length) - 1];
    answer(response, next);
  });
  return { url, requests };
}

function answer(response: ServerResponse, reply: Reply | undefined): void {
  if (reply === undefined) throw new Error('The script is empty.');
  if ('body' in reply) {
    const isText = typeof reply.body === 'string';
    const type = { 'content-type': isText ? 'text/html' : 'application/json' };
    const bytes = Buffer.from(isText ? String(reply.body) : JSON.stringify(reply.body));
    const length = reply.cut === undefined ? {} : { 'content-length': bytes.length };
    response.writeHead(reply.status ?? 200, { ...type, ...length, ...reply.headers });
    if (reply.cut === undefined) response.end(bytes);
    else response.write(bytes.subarray(0, reply.cut), () => response.destroy());
  } else if (reply.fault === 'reset') response.destroy();
}
