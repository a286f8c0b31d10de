import { Answered, refuseAnswered } from './answered.ts';
import { mendEvents } from './mend-events.ts';
import { refuseNotNow } from './not-now.ts';

const MAX_BYTES = 20_000_000;
const MAX_REDIRECTS = 5;

/**
 * A fetch whose replies fail after 20 MB, since the protocol's library reads a reply whole, however long it is; and that
 * leaves the server's origin by no redirect, since the headers of the settings hold keys. Rejects with NotNow when the
 * server puts the request off, and with Answered when it refuses or redirects it.
 */
export async function cappedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetchWithinOrigin(new URL(url), init);
  if (response.body === null) {
    await refuse(response, init?.method);
    return response;
  }
  let size = 0;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      size += chunk.byteLength;
      if (size <= MAX_BYTES) controller.enqueue(chunk);
      else controller.error(new Error(`it sent more than ${MAX_BYTES / 1_000_000} MB in one reply`));
    },
  });
  const body = response.body.pipeThrough(count);
  const capped = new Response(isEvents(response) ? body.pipeThrough(mendEvents()) : body, response);
  await refuse(capped, init?.method);
  return capped;
}

async function refuse(response: Response, method: string | undefined): Promise<void> {
  await refuseNotNow(response);
  await refuseAnswered(response, method);
}

function isEvents({ headers }: Response): boolean {
  return /^text\/event-stream\s*(;|$)/i.test(headers.get('content-type') ?? '');
}

async function fetchWithinOrigin(start: URL, init: RequestInit = {}): Promise<Response> {
  let url = start;
  let status = 0;
  for (let turn = 0; turn <= MAX_REDIRECTS; turn++) {
    const response = await fetch(url, { ...init, redirect: 'manual' });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) return response;
    await response.body?.cancel();
    status = response.status;
    url = new URL(location, url);
    if (url.origin !== start.origin) {
      const said = `it redirects to ${url.origin}, which would be sent its keys. Name that address, if you trust it`;
      throw new Answered(status, said);
    }
  }
  throw new Answered(status, `it redirects more than ${MAX_REDIRECTS} times`);
}
