import { cutEnd } from '../text/cut-end.ts';
import { AgentError } from '../types.ts';
import type { Talk } from './model-agent.ts';
import { createModelError, describeOrigin, findAgentError, hideKeys, toModelError } from './model-error.ts';
import type { Received } from './watched-fetch.ts';

/**
 * Runs one request of an SDK and the reading of its reply; what is thrown becomes an AgentError without secrets, except
 * an abort, which stays the signal's reason. A stream that is aborted may simply end, so the signal has the last word.
 */
export async function request<T>(
  { context: { signal }, received, server }: Talk,
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
    throw explain(error, received(), server, hidden);
  }
}

/**
 * What was thrown, as an AgentError that says what the server sent: an SDK says of a wrong reply only where it stumbled
 * over it.
 */
function explain(error: unknown, received: Received | null, server: string, secrets: readonly string[]): AgentError {
  const seen = { status: received?.status ?? null, requestId: received?.requestId ?? null, server };
  const own = findAgentError(error);
  const unexpected = describeMove(received) ?? describeUnexpected(received);
  if (unexpected !== null) return createModelError('bad_response', unexpected, { ...seen, secrets });
  if (own === null) return toModelError(error, secrets, seen);
  const status = own.status ?? seen.status;
  const requestId = own.requestId ?? seen.requestId;
  const origin = describeOrigin({ status, server, requestId: own.requestId === null ? requestId : null });
  return new AgentError(own.kind, `${hideKeys(own.message, secrets)}${origin}`, { status, requestId });
}

/** To follow it would hand the question to a host that nobody chose, and grade the answer of that. */
function describeMove(received: Received | null): string | null {
  if (received === null || received.movedTo === null) return null;
  const where = received.movedTo === '' ? 'nowhere' : `to ${JSON.stringify(cutEnd(received.movedTo, 300))}`;
  return `The server answered ${received.status} and points ${where}, which is not followed`;
}

function describeUnexpected(received: Received | null): string | null {
  if (received === null || received.unexpected === null) return null;
  const { status, mediaType, streamAsked, unexpected } = received;
  const wanted = streamAsked ? 'a stream of events' : 'JSON';
  const came = `The server answered ${status} with ${mediaType || 'a body of no stated type'} instead of ${wanted}`;
  const start = unexpected.start.trim();
  const shown = start === '' ? 'nothing' : JSON.stringify(cutEnd(start, 200));
  if (!streamAsked || !/json/.test(mediaType)) return `${came}: ${shown}`;
  return `${came}: ${shown}. It seems not to stream: leave out stream=on, and keep max_tokens below 21,000 for anthropic`;
}
