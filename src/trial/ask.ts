import { inspect } from 'node:util';
import { readClock, readTime } from '../own-clock.ts';
import { type Agent, AgentError, type Answer, type Progress, type Question } from '../types.ts';
import { Interrupted, withDeadline } from './deadline.ts';
import type { Workdir } from './workdir.ts';

/** What came of asking an agent. Times in ms; `latencyMs` is null when a replayed record does not say. */
export type Asked = {
  readonly startedAt: string;
  readonly answeredAt: string;
  readonly latencyMs: number | null;
  readonly attempts: number;
  /** How many calls the provider's gate admitted at once when this one ended. */
  readonly slots?: number;
  /** Whether it comes from the answer cache. */
  readonly cached: boolean;
} & (
  | { readonly outcome: 'answered'; readonly answer: Answer }
  | { readonly outcome: 'failed'; readonly error: AgentError }
);

export type AskOptions = {
  readonly trial: number;
  readonly deadlineMs: number;
  readonly maxSteps: number | null;
  readonly workdir: Workdir;
  readonly cancelled: AbortSignal;
  /** Hears that the agent is asked now. */
  readonly onAsked?: () => void;
  /** Hears of each step as it happens. */
  readonly onProgress?: (progress: Progress) => void;
};

/** Asks an agent one question under the deadline and times it. A failure is an outcome; only Interrupted is thrown. */
export async function ask(agent: Agent, question: Question, options: AskOptions): Promise<Asked> {
  const { trial, maxSteps, workdir, deadlineMs, cancelled } = options;
  const startedAt = readTime();
  const start = readClock();
  options.onAsked?.();
  const times = (recordedMs: number | null | undefined, waitedMs = 0) => ({
    startedAt,
    answeredAt: readTime(),
    latencyMs: recordedMs === undefined ? Math.max(0, readClock() - start - waitedMs) : recordedMs,
    attempts: 1,
    cached: false,
  });
  let spent: Progress = {};
  try {
    const answer = await withDeadline(deadlineMs, cancelled, async (signal) =>
      agent.answer(question, {
        signal,
        onProgress: (progress) => {
          spent = progress;
          options.onProgress?.(progress);
        },
        deadlineMs,
        trial,
        maxSteps,
        get workdir() {
          return workdir.path;
        },
      }),
    );
    return { outcome: 'answered', answer, ...times(answer.latencyMs, answer.waitedMs) };
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    const failure = toAgentError(workdir.fault ?? error, spent);
    const recorded = failure.kind === 'timed_out' ? (failure.latencyMs ?? deadlineMs) : failure.latencyMs;
    return { outcome: 'failed', error: failure, ...times(recorded, failure.progress.waitedMs) };
  }
}

/**
 * Whatever an agent throws that is no AgentError is a crash of the agent. A call that was cut off cannot say itself what
 * it had used up: what it last reported is.
 */
function toAgentError(error: unknown, spent: Progress): AgentError {
  if (!(error instanceof AgentError)) {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : inspect(error, { depth: 1 });
    return new AgentError('agent_crash', message, { progress: spent, cause: error });
  }
  const { kind, message, status, latencyMs, requestId, progress, cause } = error;
  if (Object.keys(progress).length > 0 || Object.keys(spent).length === 0) return error;
  return new AgentError(kind, message, {
    status,
    requestId,
    progress: spent,
    cause,
    ...(latencyMs === undefined ? {} : { latencyMs }),
  });
}
