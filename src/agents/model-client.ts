import { LONGEST_TIMER_MS } from '../processes/retry.ts';
import { omitNullish } from '../words/fields.ts';

export type ModelClient<Client> = Readonly<{
  client: Client;
  baseURL: string;
  /** Why it cannot be asked, such as a missing key; null if it can. */
  problem: string | null;
}>;

/** What every SDK is made with. */
export type ClientOptions = Readonly<{
  baseURL?: string;
  apiKey?: string;
  fetch: typeof globalThis.fetch;
  timeout: number;
  maxRetries: 0;
  logLevel: 'off';
}>;

export function toClientOptions(
  baseURL: string | undefined,
  fetch: ClientOptions['fetch'],
): ClientOptions {
  // Only the sample's deadline ends a request. The SDKs would log the responses of servers.
  return {
    ...omitNullish({ baseURL }),
    fetch,
    timeout: LONGEST_TIMER_MS,
    maxRetries: 0,
    logLevel: 'off',
  };
}
