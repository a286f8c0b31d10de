import { quote } from '../../records/show-value.ts';
import { guardedLookup, type Resolve } from './guarded-lookup.ts';
import { type AddressRule, toPageUrl } from './page-url.ts';
import { type PageResponse, requestPage } from './request-page.ts';

/** How pages may be reached; what a test replaces, never a setting. */
export type WebAccess = {
  readonly isAllowed: AddressRule;
  readonly resolve?: Resolve;
  readonly timeoutMs: number;
};

export type DownloadedPage = Pick<PageResponse, 'contentType' | 'bytes'> & {
  /** Where the redirects ended. */
  readonly url: URL;
};

const MAX_REDIRECTS = 10;

/** Downloads a page; each address on the way is checked like the first. Throws with a sentence for the model. */
export async function downloadPage(address: string, access: WebAccess, signal: AbortSignal): Promise<DownloadedPage> {
  const deadline = AbortSignal.timeout(access.timeoutMs);
  const lookup = guardedLookup(access.isAllowed, access.resolve);
  let url = toPageUrl(address, access.isAllowed);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await attempt(url, access, deadline, () =>
      requestPage(url, lookup, AbortSignal.any([signal, deadline])),
    );
    if (response.location === null) return toDownloaded(url, response);
    url = toPageUrl(response.location, access.isAllowed, url);
  }
  throw new Error(`${quote(address)} redirects more than ${MAX_REDIRECTS} times. Give the address of the page itself.`);
}

async function attempt<T>(url: URL, { timeoutMs }: WebAccess, deadline: AbortSignal, work: () => Promise<T>) {
  try {
    return await work();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
    const why = deadline.aborted ? `it was not complete within ${timeoutMs / 1000} s` : reason;
    throw new Error(`${quote(url.href)} could not be fetched: ${why}`, { cause });
  }
}

function toDownloaded(url: URL, { status, contentType, bytes }: PageResponse): DownloadedPage {
  if (status >= 200 && status < 300) return { url, contentType, bytes };
  throw new Error(`${quote(url.href)} could not be fetched: the server answered with status ${status}.`);
}
