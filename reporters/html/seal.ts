import { hash } from 'node:crypto';

/** Ends a page with its SHA-256, so that `viva verify` finds an edit. */
export function seal(parts: readonly string[]): readonly string[] {
  return [...parts, toSeal(parts.join(''))];
}

const SEAL = '<!-- SHA-256 of all above: ';

function toSeal(page: string | Uint8Array): string {
  return `${SEAL}${hash('sha256', page)} -->\n`;
}

/** Whether a page is as it was written. */
export function isSealed(page: Buffer): boolean {
  const end = page.lastIndexOf(SEAL);
  return end >= 0 && page.toString('utf8', end) === toSeal(page.subarray(0, end));
}
