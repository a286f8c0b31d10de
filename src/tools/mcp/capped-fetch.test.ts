import { expect, test } from 'vitest';
import { startServer } from '../../../test/loopback-server.ts';
import { cappedFetch } from './capped-fetch.ts';

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
