import { createServer, type RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { cappedFetch } from './capped-fetch.ts';

/** A server on a port of its own, which is an origin of its own. */
async function startServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

const post = { method: 'POST', body: '{"id":1}', headers: { 'x-api-key': 'marker' } };

test('a redirect to another origin is an error, and nothing is sent there', async () => {
  const strayed: unknown[] = [];
  const other = await startServer(({ headers }, reply) => {
    strayed.push(headers);
    reply.end('other');
  });
  const url = await startServer((_, reply) => void reply.writeHead(307, { location: `${other}/mcp` }).end());
  await expect(cappedFetch(url, post)).rejects.toThrow(`it redirects to ${other}`);
  expect(strayed).toEqual([]);
});

test('a redirect within the origin is followed, with method and body', async () => {
  const url = await startServer((request, reply) => {
    if (request.url === '/mcp') return void reply.writeHead(308, { location: '/mcp/' }).end();
    request.pipe(reply.writeHead(200, { 'x-method': request.method }));
  });
  const reply = await cappedFetch(`${url}/mcp`, post);
  expect([reply.headers.get('x-method'), await reply.text()]).toEqual(['POST', '{"id":1}']);
});

test('redirects without end are an error', async () => {
  const url = await startServer((_, reply) => void reply.writeHead(302, { location: '/again' }).end());
  await expect(cappedFetch(url)).rejects.toThrow('it redirects more than 5 times');
});
