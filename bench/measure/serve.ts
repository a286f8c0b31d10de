import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';

/** A server of the loopback that ends where it is disposed, and its port. */
export async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' ? address?.port : address,
    [Symbol.dispose]: () => void server.close().closeAllConnections(),
  };
}
