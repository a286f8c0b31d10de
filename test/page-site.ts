import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

/** What the site does with a request for one path. */
type Page = (response: ServerResponse, request: IncomingMessage) => void;

/** A loopback web site with these pages; it ends with the test. `seen` lists the paths it was asked for. */
export async function startSite(pages: Readonly<Record<string, Page>>) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    seen.push(path);
    const page = pages[path];
    if (page === undefined) response.writeHead(404).end('not here');
    else page(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The site has no port.');
  return { url: `http://127.0.0.1:${address.port}`, port: address.port, seen };
}

export function html(body: string, headers: Readonly<Record<string, string>> = {}): Page {
  return (response) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);
}

export function redirect(location: string): Page {
  return (response) => response.writeHead(302, { location }).end();
}
