import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { type AddressRule, describeRefused } from './page-url.ts';

/** How names become addresses; the system's own way unless a test brings another. */
export type Resolve = (
  hostname: string,
  options: { readonly all: true; readonly family?: number },
  callback: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

/**
 * A lookup for one connection, which gives it none but allowed addresses. The connection is made to these very addresses,
 * so a name that stands for something else a moment later gains nothing.
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
