import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { quote } from '../../records/show-value.ts';
import { isLeakAddress, LEAK_REFUSED } from './leak-guard.ts';

/** Says whether connections to an IP address are allowed. The address is in its usual spelling. */
export type AddressRule = (address: string) => boolean;

/** Servers take no longer addresses, and the leak guard's work grows with the square of the length. */
const MOST_CHARACTERS = 8_000;

/**
 * The address of a page that a model or a redirect names. Throws for what is not an http address, for a refused IP
 * address in any spelling (URL parsing makes 0x7f.1 and 2130706433 into 127.0.0.1), and for a copy of the benchmark.
 * A host's name is checked by the lookup when the connection is made.
 */
export function toPageUrl(text: string, isAllowed: AddressRule, base?: URL): URL {
  if (text.length > MOST_CHARACTERS) {
    throw new Error(`an address of ${text.length} characters is not fetched; at most ${MOST_CHARACTERS} are.`);
  }
  const url = URL.parse(text.trim(), base?.href);
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url === null || !isWeb) throw new Error(`${quote(text)} is not an http or https address. Give a whole one.`);
  if (url.username !== '' || url.password !== '') throw new Error('an address with a user or password is not fetched.');
  const address = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0 && !isAllowed(address)) throw new Error(describeRefused(url.host));
  if (isLeakAddress(url)) throw new Error(`${quote(url.href)} was not fetched: ${LEAK_REFUSED}`);
  url.hash = '';
  return url;
}

function describeRefused(host: string): string {
  return `${quote(host)} is not on the public internet (private, loopback or reserved address) and is not fetched.`;
}

/** How names become addresses: as the system does it, unless a test does it. */
export type Resolve = (
  hostname: string,
  options: { readonly all: true; readonly family?: number },
  callback: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

/**
 * A lookup for one connection that returns allowed addresses only. The connection is made to these very addresses, so a
 * name that resolves to something else a moment later gains nothing.
 */
export function guardedLookup(isAllowed: AddressRule, resolve: Resolve = resolveBySystem): LookupFunction {
  return (hostname, { family, all }, callback) => {
    const wanted = typeof family === 'number' ? { all: true as const, family } : { all: true as const };
    resolve(hostname, wanted, (error, found) => {
      if (error !== null) return callback(error, []);
      const allowed = found.filter(({ address }) => isAllowed(address));
      const [first] = allowed;
      if (first === undefined) return callback(new Error(describeRefused(hostname)), []);
      return all === true ? callback(null, allowed) : callback(null, first.address, first.family);
    });
  };
}

const resolveBySystem: Resolve = (hostname, options, callback) => {
  systemLookup(hostname, options, callback);
};

/**
 * Whether an IP address is on the public internet: not this machine, its network, or a link-local or reserved address
 * (IANA's special-purpose registries). Of IPv6 only the global unicast range is public, which excludes every form that
 * wraps an IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !RESERVED.check(address, 'ipv4');
  return family === 6 && GLOBAL_IPV6.check(address, 'ipv6') && !RESERVED.check(address, 'ipv6');
}

const RESERVED = toList([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
  // The service of a cloud for its own machines, at a public address.
  '168.63.129.16/32',
  // Protocol assignments (Teredo among them), documentation, and 6to4, which wraps IPv4.
  ...['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
]);

const GLOBAL_IPV6 = toList(['2000::/3']);

function toList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), network.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}
