import { hideSecrets, hideSecretsIn } from '../secrets/hide-secrets.ts';
import { AgentError } from '../types.ts';
import type { Asked } from './ask.ts';
import { hideInError } from './hide-in-error.ts';

/** What came of asking without the user's keys, whichever agent said them: answer, trace, message, causes. */
export function hideInAsked(asked: Asked, secrets: readonly string[]): Asked {
  if (secrets.length === 0) return asked;
  if (asked.outcome === 'answered') return { ...asked, answer: hideSecretsIn(asked.answer, secrets) };
  const { kind, message, status, requestId, latencyMs, progress, cause } = asked.error;
  const error = new AgentError(kind, hideSecrets(message, secrets), {
    status,
    // What a server names a request by is its own text, as a message is.
    requestId: requestId === null ? null : hideSecrets(requestId, secrets),
    progress: hideSecretsIn(progress, secrets),
    cause: cause instanceof Error ? hideInError(cause, secrets) : undefined,
    ...(latencyMs === undefined ? {} : { latencyMs }),
  });
  return { ...asked, error };
}
