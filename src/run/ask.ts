import { inspect } from 'node:util';
import { NOT_FOUND } from '../agents/command.ts';
import type { CacheParts } from '../store/cache.ts';
import { type Agent, AgentError, type Answer, type Progress, type Question } from '../types.ts';
import { hideInAsked } from './confine.ts';
import type { CachedAnswers } from './lane.ts';
import type { Budget, Payee, ProviderGate, StopReason } from './limits.ts';
import type { Workdir } from './workdir.ts';

/** An agent with what stands between it and the questions. */
export type Station = {
  readonly agent: Agent;
  readonly gate: ProviderGate;
  readonly budget: Budget | null;
  /** Null for an agent whose answers are never kept. */
  readonly answers: CachedAnswers | null;
  /** What is cut out of everything that the agent says. */
  readonly secrets?: readonly string[];
  /** Whether what the agent words itself stays out of what is printed: it may quote a question. */
  readonly gated?: boolean;
};

/** An answer or a failure, or why the agent was not asked. */
export type Obtained = Asked | { readonly outcome: 'not_asked'; readonly reason: StopReason | 'not_cached' };

/**
 * Asks the agent once the gate lets the call through. What was asked is in the cache before this returns.
 */
export async function obtain(
  station: Station,
  question: Question,
  parts: CacheParts | null,
  options: AskOptions,
): Promise<Obtained> {
  if (station.answers?.only === true) return { outcome: 'not_asked', reason: 'not_cached' };
  const asked = await station.gate.run(station.agent.name, async () => {
    const once = await askOnce(station, question, options);
    // Kept before the slot is free: a disk that is full stops the call that waits for it.
    return typeof once === 'string' || parts === null ? once : (station.answers?.keep(parts, once) ?? once);
  });
  return typeof asked === 'string' ? { outcome: 'not_asked', reason: asked } : asked;
}

async function askOnce(station: Station, question: Question, options: AskOptions): Promise<Asked | StopReason> {
  try {
    const answered = hideInAsked(await ask(station.agent, question, options), station.secrets ?? []);
    const asked = blameServer(answered, options.deadlineMs);
    station.budget?.settle(costOf(asked), payeeOf(station, asked));
    if (isNotFound(asked)) {
      station.gate.stop('no_command', describeNotFound(asked.error, station));
      return 'no_command';
    }
    adjust(station, asked);
    return { ...asked, slots: station.gate.concurrency };
  } catch (error) {
    station.budget?.settle(null);
    if (error instanceof Interrupted) return 'interrupted';
    throw error;
  }
}

/**
 * A deadline that ran out on a call that its server, or the way to it, had put off says nothing of the agent: part of
 * the time went into waiting. It is an error of the way, which the next run asks again, and not a time-out, which is
 * kept. Only the call's own word counts: one refused call says nothing of those beside it.
 */
function blameServer(asked: Asked, deadlineMs: number): Asked {
  if (asked.outcome !== 'failed' || asked.error.kind !== 'timed_out') return asked;
  const { progress } = asked.error;
  if (progress.backOff === undefined) return asked;
  const { kind, status, requestId, server } = progress.backOff;
  const named = [
    server === undefined ? [] : `server ${server}`,
    requestId === null ? [] : `request ${requestId}`,
  ].flat();
  const origin = named.length === 0 ? '' : ` (${named.join(', ')})`;
  const what = `${status === null ? 'the connection had failed' : `the server had answered ${status}`}${origin}`;
  const said = `No answer within ${deadlineMs / 1000} s, in which ${what} and the call was to be repeated. ${REMEDIES[kind]}`;
  return { ...asked, latencyMs: null, error: new AgentError(kind, said, { status, requestId, progress }) };
}

const REMEDIES = {
  rate_limit: 'Lower EVAL_CONCURRENCY, or run it again later.',
  server: 'Run it again later.',
  network: 'Run it again later.',
  quota: 'Top up the account or raise its limit.',
  auth: 'Check the API key and what it may use.',
} as const;

/** A command that is not there was not asked, whichever question it was started for. */
function isNotFound(asked: Asked): asked is Asked & { readonly outcome: 'failed' } {
  return asked.outcome === 'failed' && asked.error.kind === 'machine' && asked.error.status === NOT_FOUND;
}

function describeNotFound({ message }: AgentError, { agent: { name }, gated = false }: Station): string {
  return gated ? `${name}: command not found. Set EVAL_SHOW_GATED=1 to see which.` : `${name}: ${message}`;
}

/** Whose answer must carry its cost for a budget to hold; a failure or a recording need not. */
function payeeOf({ agent }: Station, asked: Asked): Payee | null {
  const mustSay = asked.outcome === 'answered' && agent.fingerprint !== undefined;
  return mustSay ? { name: agent.name, isModel: agent.provider !== undefined } : null;
}

function costOf(asked: Asked): number | null {
  return (asked.outcome === 'answered' ? asked.answer.cost : asked.error.progress.cost) ?? null;
}

/**
 * An empty account or a refused key fails every further call: the rest is not run, and not counted as wrong. What status
 * 403 forbids is forbidden to one model, and says nothing of others at the same server.
 */
function adjust(station: Station, asked: Asked): void {
  if (asked.outcome === 'answered') station.gate.speedUp();
  else if (asked.error.kind === 'rate_limit') station.gate.slowDown();
  else stopAfter(asked.error, station);
}

function stopAfter({ kind, status, message }: AgentError, { gate, agent: { name }, gated = false }: Station): void {
  if (kind !== 'quota' && kind !== 'auth') return;
  const isForbidden = kind === 'auth' && status === 403;
  const what = status === null ? kind : `${status}, ${kind}`;
  const why = gated
    ? ` (${what}). ${REMEDIES[kind]} Set EVAL_SHOW_GATED=1 to see the message; samples.jsonl has it.`
    : `: ${message}`;
  gate.stop(kind, `${name} was refused${why}`, isForbidden ? name : null);
}

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
  const startedAt = new Date().toISOString();
  const start = performance.now();
  options.onAsked?.();
  const times = (recordedMs: number | null | undefined, waitedMs = 0) => ({
    startedAt,
    answeredAt: new Date().toISOString(),
    latencyMs: recordedMs === undefined ? Math.max(0, performance.now() - start - waitedMs) : recordedMs,
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

/** Why a call was ended from outside: the run was cancelled. It is no failure of the agent. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/**
 * Runs `work` under a deadline. At the deadline, or when `cancelled` aborts, the signal that `work` was given aborts
 * and the promise rejects at once (AgentError "timed_out" or Interrupted), also when `work` ignores the signal; what
 * it settles to later is dropped.
 */
export async function withDeadline<T>(
  deadlineMs: number,
  cancelled: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const ended = Promise.withResolvers<never>();
  const end = (error: Error) => {
    ended.reject(error);
    controller.abort(error);
  };
  const interrupt = () => end(new Interrupted('The run was cancelled.', { cause: cancelled.reason }));
  const timer = setTimeout(() => end(new AgentError('timed_out', timedOut(deadlineMs))), deadlineMs);
  cancelled.addEventListener('abort', interrupt, { once: true });
  if (cancelled.aborted) interrupt();
  try {
    return await Promise.race([work(controller.signal), ended.promise]);
  } finally {
    clearTimeout(timer);
    cancelled.removeEventListener('abort', interrupt);
  }
}

function timedOut(deadlineMs: number): string {
  return `No answer within ${deadlineMs / 1000} s. Raise EVAL_TIMEOUT if the agent may take longer.`;
}
