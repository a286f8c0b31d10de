import { isIP } from 'node:net';
import { quote } from '../../records/show-value.ts';
import { isLeakAddress } from './leak-guard.ts';

/** Says whether a connection to an address, a number in its usual spelling, may be made. */
export type AddressRule = (address: string) => boolean;

/** What the model is told of a page that the leak guard refuses. */
export const LEAK_REFUSED =
  'it belongs to a copy of the benchmark that this question may come from (leak guard), so it is not shown. ' +
  'Answer from other sources.';

/** Servers take no longer ones, and the leak guard's work grows with the square of the length. */
const MOST_CHARACTERS = 8_000;

/**
 * The address of a page that a model or a redirect names. Throws for what is no http address, for a host that is a
 * refused address in whatever spelling (URL parsing makes 0x7f.1 and 2130706433 into 127.0.0.1), and for a leak.
 * Where the host is a name, the connection itself is checked.
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

export function describeRefused(host: string): string {
  return `${quote(host)} is not on the public internet (private, loopback or reserved address) and is not fetched.`;
}
