import { createServer, type RequestListener, type Server } from 'node:http';
import { onTestFinished } from 'vitest';

/** A server of the loopback that ends with its test: its address, "http://127.0.0.1:<port>". */
export function startServer(listener: RequestListener): Promise<string> {
  return listen(createServer(listener));
}

/** The same for a server that is made already. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return `http://127.0.0.1:${address.port}`;
}
