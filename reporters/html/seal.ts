import { createHash, hash } from 'node:crypto';

/** Ends a page with its SHA-256, so that `viva verify` finds an edit. */
export function* seal(parts: readonly string[]): Generator<string, void> {
  const sum = createHash('sha256');
  for (const part of parts) {
    sum.update(part);
    yield part;
  }
  yield toSeal(sum.digest('hex'));
}

const SEAL = '<!-- SHA-256 of all above: ';

function toSeal(sha256: string): string {
  return `${SEAL}${sha256} -->\n`;
}

/** Whether a page is as it was written. */
export function isSealed(page: Uint8Array<ArrayBuffer>): boolean {
  const bytes = Buffer.from(page.buffer, page.byteOffset, page.length);
  const end = bytes.lastIndexOf(SEAL);
  return end >= 0 && bytes.toString('utf8', end) === toSeal(hash('sha256', bytes.subarray(0, end)));
}
