import { hideSecrets, hideSecretsIn } from '../secrets/hide-secrets.ts';
import { AgentError } from '../types.ts';
import type { Asked } from './ask.ts';

/** What came of asking without the user's keys, whichever agent said them: answer, trace, message, causes. */
export function hideInAsked(asked: Asked, secrets: readonly string[]): Asked {
  if (secrets.length === 0) return asked;
  if (asked.outcome === 'answered') return { ...asked, answer: hideSecretsIn(asked.answer, secrets) };
  const { kind, message, status, requestId, latencyMs, progress, cause } = asked.error;
  const error = new AgentError(kind, hideSecrets(message, secrets), {
    status,
    requestId,
    progress: hideSecretsIn(progress, secrets),
    cause: hideInCause(cause, secrets, 0),
    ...(latencyMs === undefined ? {} : { latencyMs }),
  });
  return { ...asked, error };
}

/** Causes below this are left out: a chain may be endless. */
const MAX_CAUSES = 5;

function hideInCause(cause: unknown, secrets: readonly string[], depth: number): unknown {
  if (!(cause instanceof Error) || depth >= MAX_CAUSES) return undefined;
  const inner = hideInCause(cause.cause, secrets, depth + 1);
  const error = new Error(hideSecrets(cause.message, secrets), inner === undefined ? undefined : { cause: inner });
  error.name = hideSecrets(String(cause.name), secrets);
  error.stack = hideSecrets(cause.stack ?? '', secrets);
  return error;
}
