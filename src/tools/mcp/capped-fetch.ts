const MAX_BYTES = 20_000_000;

/** A fetch whose replies fail after 20 MB: the protocol's library reads a reply whole, however long it is. */
export async function cappedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.body === null) return response;
  let size = 0;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      size += chunk.byteLength;
      if (size <= MAX_BYTES) controller.enqueue(chunk);
      else controller.error(new Error(`it sent more than ${MAX_BYTES / 1_000_000} MB in one reply`));
    },
  });
  return new Response(response.body.pipeThrough(count), response);
}
