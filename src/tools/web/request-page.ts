import { lookup as systemLookup } from 'node:dns';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { createUnzip } from 'node:zlib';
import { limitTime } from '../../processes/stopwatch.ts';
import { quote } from '../../words/show.ts';
import { isLeakAddress, LEAK_REFUSED } from './leak-guard.ts';

/** How pages may be fetched. Only tests replace it; there is no setting. */
export type WebAccess = Readonly<{
  /** Whether connections to an IP address, in its standard form, are allowed. */
  isAllowed: (address: string) => boolean;
  /** Finds the addresses of a name. */
  resolve?: Resolve;
  timeoutMs: number;
}>;

type Resolve = (
  hostname: string,
  options: { readonly all: true },
  // Not Node's own types: index.d.ts leads here, and users may not load them.
  callback: (
    error: Error | null,
    addresses: readonly Readonly<{ address: string; family: number }>[],
  ) => void,
) => void;

export type DownloadedPage = Readonly<{
  /** The address after all redirects. */
  url: URL;
  contentType: string;
  bytes: Uint8Array;
}>;

const MAX_REDIRECTS = 10;

/** The most bytes of a page, packed or unpacked, that are read. */
const MAX_BYTES = 20_000_000;

const HEADERS = {
  accept: 'text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.8,*/*;q=0.5',
  'accept-encoding': 'gzip, deflate',
  'accept-language': 'en,*;q=0.5',
  'user-agent': 'Mozilla/5.0 (compatible; viva; evaluation of AI agents)',
};

/**
 * Downloads a page. Each redirect is checked like the first address. Throws with a sentence for the
 * model.
 */
export async function downloadPage(
  address: string,
  access: WebAccess,
  signal: AbortSignal,
): Promise<DownloadedPage> {
  const deadline = limitTime(access.timeoutMs);
  const lookup = guardedLookup(access);
  let url = toPageUrl(address, access);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const reply = await requestPage(url, lookup, AbortSignal.any([signal, deadline])).catch(
      (cause) => {
        const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
        const why = deadline.aborted
          ? `it was not complete within ${access.timeoutMs / 1000} s`
          : reason;
        throw new Error(`${quote(url.href)} could not be fetched: ${why}`, { cause });
      },
    );
    if (!('location' in reply)) return { url, ...reply };
    url = toPageUrl(reply.location, access, url);
  }
  throw new Error(
    `${quote(address)} redirects more than ${MAX_REDIRECTS} times. Give the address of the page itself.`,
  );
}

type PageReply = Omit<DownloadedPage, 'url'> | { readonly location: string };

/** Sends one request. Connections are direct and not shared: each looks up its host again. */
async function requestPage(
  url: URL,
  lookup: LookupFunction,
  signal: AbortSignal,
): Promise<PageReply> {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = send(url, { agent: false, headers: HEADERS, lookup, signal });
  // The listener for errors remains: a late error without a listener would end the process.
  request.once('response', resolve).on('error', reject).end();
  try {
    const response = await promise;
    const { location, 'content-type': contentType = '' } = response.headers;
    const { statusCode: status = 0 } = response;
    if (status >= 300 && status < 400 && location !== undefined) return { location };
    if (status < 200 || status >= 300)
      throw new Error(`the server answered with status ${status}.`);
    return { contentType, bytes: await readBody(response) };
  } finally {
    request.destroy();
  }
}

async function readBody(response: IncomingMessage): Promise<Uint8Array> {
  if (Number(response.headers['content-length'] ?? 0) > MAX_BYTES) throw tooLarge();
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return collect(response);
  const unpacked = createUnzip();
  // A pipe does not pass errors on, so after a broken connection the reader would wait.
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

/**
 * Servers accept no longer addresses, and the leak guard's time grows with the square of the
 * length.
 */
const MOST_CHARACTERS = 8_000;

/**
 * The address of a page that a model or a redirect names. Throws for an address that is not http or
 * https, for a refused IP address in any form (URL parsing turns 0x7f.1 and 2130706433 into
 * 127.0.0.1), and for a copy of the benchmark. The name of a host is checked by the lookup when the
 * connection is made.
 */
function toPageUrl(text: string, { isAllowed }: WebAccess, base?: URL): URL {
  if (text.length > MOST_CHARACTERS) {
    throw new Error(
      `an address of ${text.length} characters is not fetched; at most ${MOST_CHARACTERS} are.`,
    );
  }
  const url = URL.parse(text.trim(), base?.href);
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url === null || !isWeb)
    throw new Error(`${quote(text)} is not an http or https address. Give the complete address.`);
  if (url.username !== '' || url.password !== '')
    throw new Error('an address with a user or password is not fetched.');
  const address = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0 && !isAllowed(address)) throw new Error(describeRefused(url.host));
  if (isLeakAddress(url)) throw new Error(`${quote(url.href)} was not fetched: ${LEAK_REFUSED}`);
  url.hash = '';
  return url;
}

function describeRefused(host: string): string {
  return `${quote(host)} is not on the public internet (private, loopback or reserved address) and is not fetched.`;
}

/**
 * A lookup for one connection that returns only allowed addresses. The connection uses these same
 * addresses, so it does not matter if the name resolves to something else a moment later.
 */
function guardedLookup({ isAllowed, resolve = systemLookup }: WebAccess): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname, { all: true }, (error, found) => {
      if (error !== null) return callback(error, []);
      const allowed = found.filter(({ address }) => isAllowed(address));
      const [first] = allowed;
      if (first === undefined) return callback(new Error(describeRefused(hostname)), []);
      return all === true ? callback(null, allowed) : callback(null, first.address, first.family);
    });
  };
}

/**
 * Whether an IP address is on the public internet, and not this machine, its network, or a
 * link-local or reserved address (IANA's special-purpose registries). For IPv6 only the global
 * unicast range counts as public, which excludes every form that contains an IPv4 address. (ipaddr.js
 * lets 168.63.129.16 through, where Azure's machines get their secrets.)
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !RESERVED.check(address, 'ipv4');
  return family === 6 && GLOBAL_IPV6.check(address, 'ipv6') && !RESERVED.check(address, 'ipv6');
}

const RESERVED = toBlockList(
  // This machine, private and shared networks.
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16',
  // Protocols, documentation and tests.
  '192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24',
  // Many receivers, and no receiver yet.
  '224.0.0.0/4 240.0.0.0/4',
  // A cloud provider's service for its own machines, at a public address.
  '168.63.129.16/32',
  // Protocol assignments (such as Teredo), documentation, and 6to4, which contains IPv4 addresses.
  '2001::/23 2001:db8::/32 2002::/16 3fff::/20',
);

const GLOBAL_IPV6 = toBlockList('2000::/3');

function toBlockList(...groups: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of groups.flatMap((group) => group.split(' '))) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), network.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}
