import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { quote } from '../../records/show-value.ts';

/** One answer of a web server, whatever its status. */
export type PageResponse = {
  readonly status: number;
  /** Where a redirect leads, as the server wrote it. */
  readonly location: string | null;
  readonly contentType: string;
  readonly bytes: Uint8Array;
};

/** More than this of a page, packed or unpacked, is not read. */
const MAX_BYTES = 20_000_000;

const HEADERS = {
  accept: 'text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.8,*/*;q=0.5',
  'accept-encoding': 'gzip, deflate, br',
  'accept-language': 'en,*;q=0.5',
  'user-agent': 'Mozilla/5.0 (compatible; viva/0.1; evaluation of AI agents)',
};

/** Asks once for a page. Connections are direct and not shared: each looks its host up by itself. */
export async function requestPage(url: URL, lookup: LookupFunction, signal: AbortSignal): Promise<PageResponse> {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = send(url, { agent: false, headers: HEADERS, lookup, signal });
  // Later errors are the response's, or of no interest; unheard they would end the process.
  request.once('response', resolve).on('error', reject).end();
  try {
    const response = await promise;
    const { location, 'content-type': contentType = '' } = response.headers;
    const status = response.statusCode ?? 0;
    const redirect = status >= 300 && status < 400 && location !== undefined;
    const bytes = redirect ? new Uint8Array() : await readBody(response);
    return { status, location: redirect ? location : null, contentType, bytes };
  } finally {
    request.destroy();
  }
}

async function readBody(response: IncomingMessage): Promise<Uint8Array> {
  if (Number(response.headers['content-length'] ?? 0) > MAX_BYTES) throw tooLarge();
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const unpack = UNPACKERS.get(encoding);
  if (encoding === 'identity' || encoding === '') return collect(response);
  if (unpack === undefined) throw new Error(`the page is encoded as ${quote(encoding)}, which cannot be read.`);
  const unpacked = unpack();
  // A pipe passes no error on: a broken line would leave the reader waiting.
  response.on('error', (error) => unpacked.destroy(error)).pipe(unpacked);
  return collect(unpacked);
}

const UNPACKERS: ReadonlyMap<string, () => Readable & NodeJS.WritableStream> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

async function collect(stream: Readable): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > MAX_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(): Error {
  return new Error(`the page has more than ${MAX_BYTES / 1_000_000} MB and is not read.`);
}
