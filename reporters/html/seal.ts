import { hash } from 'node:crypto';

/** Ends a page with its SHA-256, so that `viva verify` finds an edit. */
export function seal(parts: readonly string[]): readonly string[] {
  return [...parts, `${SEAL}${hash('sha256', parts.join(''))} -->\n`];
}

const SEAL = '<!-- SHA-256 of all above: ';

/** Whether a page is as it was written. */
export function isSealed(page: string): boolean {
  const end = page.lastIndexOf(SEAL);
  return end >= 0 && page === seal([page.slice(0, end)]).join('');
}
