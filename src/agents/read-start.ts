/**
 * The first bytes of a body, at most `maxBytes` of them and what came within `maxMs`; the rest is let go. A body that
 * breaks off is one that ends.
 */
export async function readStart(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  maxMs: number | null = null,
): Promise<Uint8Array> {
  const reader = body.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  const timer = maxMs === null ? undefined : setTimeout(cancel, maxMs);
  const chunks: Uint8Array[] = [];
  try {
    for (let size = 0; size < maxBytes; size += chunks.at(-1)?.byteLength ?? 0) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
    }
  } catch {
    // What came before the break is what there is.
  } finally {
    clearTimeout(timer);
    cancel();
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}
