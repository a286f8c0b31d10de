import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HubSettings } from '../../src/data/hub/hub-source.ts';
import { listen } from '../loopback-server.ts';
import { makeFolder } from '../make-folder.ts';

/** How a download of one file goes wrong; positions are in bytes. */
type Fault =
  | { readonly kind: 'cut' | 'stall'; readonly after: number }
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Record<string, string> }
  | { readonly kind: 'other bytes' | 'too long' };

export type FakeHubOptions = {
  readonly name?: string;
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** The token that has access; null: anybody has. */
  readonly token?: string | null;
  /** A token that is known and has no access yet. */
  readonly waitingToken?: string;
  /** What goes wrong with the nth download (from 0) of a path. */
  readonly fault?: (path: string, count: number) => Fault | null;
  /** Bytes at once and the pause after them, to be slow. */
  readonly drip?: { readonly bytes: number; readonly pauseMs: number };
  /** Changes what the file list says. */
  readonly entry?: (entry: Record<string, unknown>) => Record<string, unknown>;
};

export type FakeHub = Awaited<ReturnType<typeof startFakeHub>>;

const COMMIT = 'c0ffee'.padEnd(40, '0');
const PAGE = 40;

/**
 * The part of the Hub's HTTP API that a download needs, on 127.0.0.1: revision, tree (in pages),
 * resolve, and storage of another origin for files of 100 bytes or more, to which resolve
 * redirects.
 */
export async function startFakeHub(options: FakeHubOptions) {
  const { name = 'own/questions', token = null } = options;
  const files = new Map(
    Object.entries(options.files).map(([path, content]) => [path, Buffer.from(content)]),
  );
  /** "METHOD /path" of all requests; those of the storage begin with "CDN". */
  const requests: Readonly<{ line: string; authorization?: string }>[] = [];
  const counts = new Map<string, number>();
  let sent = 0;

  const storage = toServer(async (request, response) => {
    note(request, 'CDN ');
    await sendFile(decodeURIComponent(toUrl(request).pathname.slice(1)), response);
  });
  const hub = toServer(async (request, response) => {
    note(request, '');
    const { pathname, searchParams } = toUrl(request);
    const after = (prefix: string) =>
      pathname.startsWith(prefix) ? decodeURIComponent(pathname.slice(prefix.length)) : undefined;
    const revision = after(`/api/datasets/${name}/revision/`);
    if (revision !== undefined) return sendRevision(revision, request, response);
    const tree = after(`/api/datasets/${name}/tree/`);
    if (tree !== undefined) return sendTree(tree, Number(searchParams.get('cursor')), response);
    const path = after(`/datasets/${name}/resolve/${COMMIT}/`);
    if (path !== undefined) return resolve(path, request, response);
    return fail(
      response,
      token === null || request.headers.authorization !== undefined ? 404 : 401,
      'RepoNotFound',
    );
  });

  const [url, storageUrl] = await Promise.all([listen(hub), listen(storage)]);
  return {
    url,
    commit: COMMIT,
    requests,
    /** Bytes of files that were sent so far. */
    sent: () => sent,
    settings: (overrides: Partial<HubSettings> = {}): HubSettings => ({
      url,
      cacheDir: makeFolder(),
      token,
      offline: false,
      stallMs: 2000,
      retries: { times: 2, pauseMs: 1, longestMs: 60_000 },
      ...overrides,
    }),
    close: async () => {
      hub.closeAllConnections();
      await new Promise((closed) => hub.close(closed));
    },
  };

  function note({ method, url, headers }: IncomingMessage, prefix: string): void {
    const { authorization } = headers;
    const line = `${prefix}${method} ${url}`;
    requests.push({ line, ...(authorization && { authorization }) });
  }

  function sendRevision(revision: string, request: IncomingMessage, response: ServerResponse) {
    const { authorization = `Bearer ${token}` } = request.headers;
    if (![token, options.waitingToken].some((known) => authorization === `Bearer ${known}`))
      return fail(response, 401, '', 'Invalid credentials in Authorization header');
    if (!['main', 'v1', COMMIT].includes(revision)) return fail(response, 404, 'RevisionNotFound');
    // The library names fields, and then the Hub gives no others.
    const isAsked = toUrl(request).searchParams.getAll('expand').includes('sha');
    sendJson(response, { _id: '621ffdd2', id: name, ...(isAsked && { sha: COMMIT }) });
  }

  function sendTree(revision: string, cursor: number, response: ServerResponse) {
    if (revision !== COMMIT) return fail(response, 404, 'RevisionNotFound');
    const folders = new Set([...files.keys()].flatMap((path) => path.split('/').slice(0, -1)));
    const entries = [
      ...[...folders].map((path) => ({ type: 'directory', path, size: 0, oid: sha1('') })),
      ...[...files].map(([path, content]) => toEntry(path, content)),
    ];
    const next = `${url}/api/datasets/${name}/tree/${COMMIT}?recursive=true&cursor=${cursor + PAGE}`;
    if (cursor + PAGE < entries.length) response.setHeader('link', `<${next}>; rel="next"`);
    sendJson(
      response,
      entries.slice(cursor, cursor + PAGE).map(options.entry ?? ((entry) => entry)),
    );
  }

  async function resolve(path: string, request: IncomingMessage, response: ServerResponse) {
    const { authorization } = request.headers;
    if (token !== null && authorization !== `Bearer ${token}`)
      return fail(
        response,
        authorization === undefined ? 401 : 403,
        'GatedRepo',
        'Ask for access.',
      );
    const content = files.get(path);
    if (content === undefined) return fail(response, 404, 'EntryNotFound');
    if (!isLarge(content)) return sendFile(path, response);
    response
      .writeHead(302, { location: `${storageUrl}/${encodeURIComponent(path)}?signature=1` })
      .end();
  }

  async function sendFile(path: string, response: ServerResponse) {
    const content = files.get(path) ?? Buffer.alloc(0);
    const count = counts.get(path) ?? 0;
    counts.set(path, count + 1);
    const fault = options.fault?.(path, count) ?? null;
    if (fault?.kind === 'status')
      return void response.writeHead(fault.status, fault.headers).end('sorry');
    const body = Buffer.from(content);
    if (fault?.kind === 'other bytes') body.fill(0x21);
    const whole = fault?.kind === 'too long' ? Buffer.concat([body, Buffer.from('more')]) : body;
    response.writeHead(200, { 'content-length': whole.length, etag: `"${sha256(content)}"` });
    const after = fault?.kind === 'cut' || fault?.kind === 'stall' ? fault.after : whole.length;
    await send(response, whole.subarray(0, after));
    if (fault?.kind === 'cut') response.destroy();
    else if (fault?.kind !== 'stall') response.end();
  }

  async function send(response: ServerResponse, body: Buffer): Promise<void> {
    const { bytes, pauseMs } = options.drip ?? { bytes: 64 * 1024, pauseMs: 0 };
    for (let at = 0; at < body.length && !response.destroyed; at += bytes) {
      const chunk = body.subarray(at, at + bytes);
      const { promise, resolve: written } = Promise.withResolvers<void>();
      response.write(chunk, () => written());
      await promise;
      sent += chunk.length;
      if (pauseMs > 0) await sleep(pauseMs);
    }
  }
}

function toEntry(path: string, content: Buffer): Record<string, unknown> {
  const entry = { type: 'file', path, size: content.length };
  if (!isLarge(content)) return { ...entry, oid: sha1(content) };
  return {
    ...entry,
    oid: sha1('pointer'),
    lfs: { oid: sha256(content), size: content.length, pointerSize: 130 },
  };
}

function isLarge(content: Buffer): boolean {
  return content.length >= 100;
}

/** The id of a file in git. */
function sha1(content: Buffer | string): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function fail(response: ServerResponse, status: number, code: string, message = 'Not found'): void {
  response.writeHead(status, {
    ...(code === '' ? {} : { 'x-error-code': code }),
    'content-type': 'application/json',
  });
  response.end(JSON.stringify({ error: message }));
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(value));
}

function toUrl({ url }: IncomingMessage): URL {
  return new URL(url ?? '/', 'http://127.0.0.1');
}

function toServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
): Server {
  return createServer((request, response) => {
    Promise.resolve(answer(request, response)).catch(() => response.destroy());
  });
}
