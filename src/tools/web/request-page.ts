import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { quote } from '../../records/show-value.ts';
import { type AddressRule, guardedLookup, type Resolve, toPageUrl } from './page-address.ts';

/** How pages may be reached. Tests replace it; no setting does. */
export type WebAccess = {
  readonly isAllowed: AddressRule;
  readonly resolve?: Resolve;
  readonly timeoutMs: number;
};

export type DownloadedPage = {
  /** Where the redirects ended. */
  readonly url: URL;
  readonly contentType: string;
  readonly bytes: Uint8Array;
};

const MAX_REDIRECTS = 10;

/** More than this of a page, packed or unpacked, is not read. */
const MAX_BYTES = 20_000_000;

const HEADERS = {
  accept: 'text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.8,*/*;q=0.5',
  'accept-encoding': 'gzip, deflate, br',
  'accept-language': 'en,*;q=0.5',
  'user-agent': 'Mozilla/5.0 (compatible; viva/0.1; evaluation of AI agents)',
};

/** Downloads a page; each redirect is checked like the first address. Throws with a sentence for the model. */
export async function downloadPage(address: string, access: WebAccess, signal: AbortSignal): Promise<DownloadedPage> {
  const deadline = AbortSignal.timeout(access.timeoutMs);
  const lookup = guardedLookup(access.isAllowed, access.resolve);
  let url = toPageUrl(address, access.isAllowed);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const answer = await requestPage(url, lookup, AbortSignal.any([signal, deadline])).catch((cause) => {
      const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
      const why = deadline.aborted ? `it was not complete within ${access.timeoutMs / 1000} s` : reason;
      throw new Error(`${quote(url.href)} could not be fetched: ${why}`, { cause });
    });
    if (!('location' in answer)) return { url, ...answer };
    url = toPageUrl(answer.location, access.isAllowed, url);
  }
  throw new Error(`${quote(address)} redirects more than ${MAX_REDIRECTS} times. Give the address of the page itself.`);
}

type Answer = Omit<DownloadedPage, 'url'> | { readonly location: string };

/** Asks once. Connections are direct and not shared: each looks up its host again. */
async function requestPage(url: URL, lookup: LookupFunction, signal: AbortSignal): Promise<Answer> {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = send(url, { agent: false, headers: HEADERS, lookup, signal });
  // The listener for errors stays: a late error that nobody hears would end the process.
  request.once('response', resolve).on('error', reject).end();
  try {
    const response = await promise;
    const { location, 'content-type': contentType = '' } = response.headers;
    const { statusCode: status = 0 } = response;
    if (status >= 300 && status < 400 && location !== undefined) return { location };
    if (status < 200 || status >= 300) throw new Error(`the server answered with status ${status}.`);
    return { contentType, bytes: await readBody(response) };
  } finally {
    request.destroy();
  }
}

const UNPACKERS: ReadonlyMap<string, () => Duplex> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

async function readBody(response: IncomingMessage): Promise<Uint8Array> {
  if (Number(response.headers['content-length'] ?? 0) > MAX_BYTES) throw tooLarge();
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return collect(response);
  const unpack = UNPACKERS.get(encoding);
  if (unpack === undefined) throw new Error(`the page is encoded as ${quote(encoding)}, which cannot be read.`);
  const unpacked = unpack();
  // A pipe does not pass errors on: after a broken connection the reader would wait.
  response.on('error', (error) => unpacked.destroy(error)).pipe(unpacked);
  return collect(unpacked);
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Uint8Array> {
  const collected: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > MAX_BYTES) throw tooLarge();
    collected.push(chunk);
  }
  return Buffer.concat(collected);
}

function tooLarge(): Error {
  return new Error(`the page has more than ${MAX_BYTES / 1_000_000} MB and is not read.`);
}
