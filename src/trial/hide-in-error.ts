import { hideInMessage } from '../secrets/hide-in-message.ts';
import { mapError } from '../text/map-error.ts';
import { toPlainError } from '../text/plain-error.ts';

/**
 * An error without the user's keys in its name, message, stack and causes. Vitest prints what it is given, and more
 * fields than these: the error is made anew.
 */
export function hideInError(thrown: unknown, secrets: readonly string[]): Error {
  return mapError(toPlainError(thrown), (text) => hideInMessage(text, secrets));
}

/** Does what may fail before anything is asked: loading records, agents and modules, which all may say a key. */
export async function withoutKeys<T>(secrets: readonly string[], act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw secrets.length === 0 ? error : hideInError(error, secrets);
  }
}
