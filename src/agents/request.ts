import { AgentError } from '../types.ts';
import type { Talk } from './model-agent.ts';
import { createModelError, hideKeys, toModelError } from './model-error.ts';
import type { Received } from './watched-fetch.ts';

/**
 * Runs one request of an SDK and the reading of its reply; what is thrown becomes an AgentError without secrets, except
 * an abort, which stays the signal's reason. A stream that is aborted may simply end, so the signal has the last word.
 */
export async function request<T>(
  { context: { signal }, received }: Talk,
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
    const failure = error instanceof AgentError ? error : toModelError(error, hidden);
    throw explain(failure, received(), hidden);
  }
}

/** The failure with what the server sent: an SDK says of a wrong reply only where it stumbled over it. */
function explain(failure: AgentError, received: Received | null, secrets: readonly string[]): AgentError {
  const unexpected = describeUnexpected(received);
  const status = failure.status ?? received?.status ?? null;
  const requestId = failure.requestId ?? received?.requestId ?? null;
  if (unexpected !== null) return createModelError('bad_response', unexpected, { status, requestId, secrets });
  const isNew = failure.requestId === null && requestId !== null;
  const message = `${hideKeys(failure.message, secrets)}${isNew ? ` (request ${requestId})` : ''}`;
  return new AgentError(failure.kind, message, { status, requestId });
}

function describeUnexpected(received: Received | null): string | null {
  if (received === null || received.unexpected === null) return null;
  const { status, mediaType, streamAsked, unexpected } = received;
  const wanted = streamAsked ? 'a stream of events' : 'JSON';
  const came = `The server answered ${status} with ${mediaType || 'a body of no stated type'} instead of ${wanted}`;
  const shown = unexpected.trim() === '' ? 'nothing' : JSON.stringify(unexpected.trim().slice(0, 200));
  if (!streamAsked || !/json/.test(mediaType)) return `${came}: ${shown}`;
  return `${came}: ${shown}. It seems not to stream: leave out stream=on, and keep max_tokens below 21,000 for anthropic`;
}
