import { inspect } from 'node:util';
import { type Agent, AgentError, type Answer, type Question } from '../types.ts';
import { Interrupted, withDeadline } from './deadline.ts';

/** What came of asking an agent once. Times in ms; `latencyMs` is null when a replayed record does not say. */
export type Asked = {
  readonly startedAt: Date;
  readonly answeredAt: Date;
  readonly latencyMs: number | null;
} & (
  | { readonly outcome: 'answered'; readonly answer: Answer }
  | { readonly outcome: 'failed'; readonly error: AgentError }
  | { readonly outcome: 'interrupted' }
);

/** Asks an agent one question under the deadline and times it. Never throws: a failure is an outcome. */
export async function ask(
  agent: Agent,
  question: Question,
  options: { readonly trial: number; readonly deadlineMs: number; readonly cancelled: AbortSignal },
): Promise<Asked> {
  const startedAt = new Date();
  const start = performance.now();
  const times = (recordedMs: number | null | undefined, waitedMs = 0) => ({
    startedAt,
    answeredAt: new Date(),
    latencyMs: recordedMs === undefined ? performance.now() - start - waitedMs : recordedMs,
  });
  try {
    const answer = await withDeadline(options.deadlineMs, options.cancelled, async (signal) =>
      agent.answer(question, { signal, trial: options.trial }),
    );
    return { outcome: 'answered', answer, ...times(answer.latencyMs, answer.waitedMs) };
  } catch (error) {
    if (error instanceof Interrupted) return { outcome: 'interrupted', ...times(null) };
    const failure = toAgentError(error);
    const recorded = failure.kind === 'timed_out' ? (failure.latencyMs ?? options.deadlineMs) : failure.latencyMs;
    return { outcome: 'failed', error: failure, ...times(recorded) };
  }
}

/** Whatever an agent throws that is no AgentError is a crash of the agent. */
function toAgentError(error: unknown): AgentError {
  if (error instanceof AgentError) return error;
  const message = error instanceof Error ? `${error.name}: ${error.message}` : inspect(error, { depth: 1 });
  return new AgentError('agent_crash', message, { cause: error });
}
