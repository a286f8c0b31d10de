import { hideInMessage, hideInMessages } from '../secrets/hide-in-message.ts';
import { hideSecretsIn } from '../secrets/hide-secrets.ts';
import { AgentError, type Answer } from '../types.ts';
import type { Asked } from './ask.ts';
import { hideInError } from './hide-in-error.ts';

/** What came of asking without the user's keys, whichever agent said them: answer, trace, message, causes. */
export function hideInAsked(asked: Asked, secrets: readonly string[]): Asked {
  if (secrets.length === 0) return asked;
  if (asked.outcome === 'answered') return { ...asked, answer: hideInAnswer(asked.answer, secrets) };
  const { kind, message, status, requestId, latencyMs, progress, cause } = asked.error;
  const error = new AgentError(kind, hideInMessage(message, secrets), {
    status,
    // What a server names a request by is its own text, as a message is.
    requestId: requestId === null ? null : hideInMessage(requestId, secrets),
    progress: hideInMessages(progress, secrets),
    cause: cause instanceof Error ? hideInError(cause, secrets) : undefined,
    ...(latencyMs === undefined ? {} : { latencyMs }),
  });
  return { ...asked, error };
}

/** The answer's own text is scored: a word of it that is half of a key stays. Tools' messages in the trace are cut. */
function hideInAnswer(answer: Answer, secrets: readonly string[]): Answer {
  const hidden = hideSecretsIn(answer, secrets);
  return hidden.trace === undefined ? hidden : { ...hidden, trace: hideInMessages(hidden.trace, secrets) };
}
