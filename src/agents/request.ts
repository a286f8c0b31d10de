import { AgentError } from '../types.ts';
import { hideSecrets, toModelError } from './model-error.ts';

/**
 * Runs one request of an SDK and the reading of its reply; what is thrown becomes an AgentError without secrets, except
 * an abort, which stays the signal's reason. A stream that is aborted may simply end, so the signal has the last word.
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
    const hidden = secrets.filter((secret) => secret !== null);
    if (!(error instanceof AgentError)) throw toModelError(error, hidden);
    const { kind, message, status, requestId } = error;
    throw new AgentError(kind, hideSecrets(message, hidden), { status, requestId });
  }
}
