import { toModelError } from './model-error.ts';

/**
 * Runs one request of an SDK; what it throws becomes an AgentError, except an abort, which stays the signal's reason.
 * A stream that is aborted may simply end, so the signal has the last word.
 */
export async function request<T>(
  signal: AbortSignal,
  secrets: readonly (string | null)[],
  send: () => Promise<T>,
): Promise<T> {
  try {
    const reply = await send();
    signal.throwIfAborted();
    return reply;
  } catch (error) {
    signal.throwIfAborted();
    throw toModelError(
      error,
      secrets.filter((secret) => secret !== null),
    );
  }
}
