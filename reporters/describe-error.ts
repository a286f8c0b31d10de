import { redact } from '../src/words/secrets.ts';
import { escapeLine } from '../src/words/show.ts';

/** The message of anything thrown, without keys and escaped for a terminal. */
export function describeError(error: unknown, secrets: readonly string[]): string {
  return escapeLine(redact(readMessage(error), secrets));
}

function readMessage(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  return 'message' in error ? String(error.message) : 'an error without a message';
}
