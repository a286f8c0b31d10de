import { BlockList, isIP } from 'node:net';

/**
 * Whether an address, as a number in its usual spelling, is one of the public internet: not this machine, its network,
 * a link-local or reserved one (IANA's special-purpose registries). Of IPv6 only the global unicast range is public,
 * which leaves out every form that wraps an IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !RESERVED.check(address, 'ipv4');
  return family === 6 && GLOBAL_IPV6.check(address, 'ipv6') && !RESERVED.check(address, 'ipv6');
}

const RESERVED = toList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // A cloud's own service for its machines, at a public address.
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Protocol assignments (Teredo among them), documentation, and 6to4, which wraps IPv4.
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
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
