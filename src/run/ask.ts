import { REMEDIES } from '../agents/failures.ts';
import { OwnDelay, takeTurn } from '../processes/own-delay.ts';
import { NOT_FOUND } from '../processes/run-shell.ts';
import { Stopwatch } from '../processes/stopwatch.ts';
import type { CacheKey } from '../store/cache.ts';
import {
  type Agent,
  AgentError,
  type Answer,
  Interrupted,
  type Outcome,
  type Progress,
  UserFailed,
} from '../words/answer.ts';
import type { Json, Question } from '../words/sample.ts';
import { redactIn, redactMessage } from '../words/secrets.ts';
import { escapeLine } from '../words/show.ts';
import { describeThrown } from '../words/thrown.ts';
import { findCached } from './cached-answer.ts';
import { withDeadline } from './deadline.ts';
import { hideInError } from './failure.ts';
import type { Failing } from './health.ts';
import type { AgentLane } from './lanes.ts';
import type { AskOnce, UserSide } from './play-conversation.ts';
import type { StopReason } from './queue.ts';
import type { Workdir } from './workdir.ts';

/**
 * No call was made, or one whose end says nothing of the agent. "machine": a pause of the machine
 * made it late.
 */
export type NotAsked = Readonly<{
  outcome: 'not_asked';
  reason: StopReason | Failing['reason'] | 'not_cached' | 'not_recorded' | 'machine';
  /** A sentence for the report; absent where the queue has it. */
  why?: string;
  /** What the agent was asked all the same, and what that cost. Its answer is left out. */
  ended?: Outcome | null;
}>;

export type AskOptions = Readonly<{
  trial: number;
  deadlineMs: number;
  maxSteps: number | null;
  workdir: Workdir;
  cancelled: AbortSignal;
  /** The user's side, where the question is a conversation. */
  user?: UserSide | null;
  /** Why its suite asks no more, at the time when it would be asked. */
  findStop?: () => NotAsked | null;
  /** Called when the agent is asked and for each of its steps. */
  listener?: {
    onAsked(prompt: string): void;
    onProgress(progress: Progress): void;
  } | null;
}>;

/** The outcome without a call: from the cache or from a recording. Null if a call is needed. */
export function findKnown(
  lane: AgentLane,
  id: string,
  trial: number,
  key: CacheKey | null,
): Outcome | null {
  const cached = key === null ? null : findCached(lane, key);
  if (cached !== null) return cached;
  const recorded = lane.agent.replayAnswer?.(id, trial) ?? null;
  if (recorded === null) return null;
  const now = new Date().toISOString();
  const times = {
    ...(lane.agent.recorded?.timesOf(id, trial) ?? { started_at: now, answered_at: now }),
    latency_ms: recorded.latencyMs ?? null,
    ...FIRST,
  };
  return hideInOutcome({ ...times, ...toOutcome(recorded) }, lane.secrets);
}

/**
 * Asks the agent when its queue has a free slot, unless another run was answered meanwhile. The
 * outcome is cached before this returns.
 */
export async function askWhenFree(
  lane: AgentLane,
  question: Question<Json>,
  key: CacheKey | null,
  options: AskOptions,
): Promise<Outcome | NotAsked> {
  if (lane.cache?.mode === 'only') return notAsked('not_cached');
  // A run that stopped early has no answer to replay.
  if (lane.agent.replayAnswer !== undefined) return notAsked('not_recorded');
  const call = async () => {
    await takeTurn();
    return askAndKeep(lane, question, key, options);
  };
  const { cancelled, findStop } = options;
  const find = () => findStop?.() ?? findLate(lane, key);
  const ended = await lane.queue.run(lane.agent.name, call, { cancelled, find });
  return typeof ended === 'string' ? notAsked(ended) : ended;
}

/** What another run over the same cache has been answered meanwhile. */
function findLate({ cache, queue }: AgentLane, key: CacheKey | null): Outcome | null {
  if (key === null || cache === null) return null;
  const found = cache.findLate(key);
  queue.giveWay(cache.runsAhead);
  return found;
}

function notAsked(reason: NotAsked['reason']): NotAsked {
  return { outcome: 'not_asked', reason };
}

async function askAndKeep(
  lane: AgentLane,
  question: Question<Json>,
  key: CacheKey | null,
  options: AskOptions,
): Promise<Outcome | NotAsked> {
  const { agent, queue, budget, cache } = lane;
  let answered: Outcome;
  try {
    const asked = () => ask(agent, question, options);
    const of = { id: question.id, prompt: lane.prompt.label, trial: options.trial };
    const onLoss = (why: string) => queue.stop('disk', why);
    answered = await (lane.tools === undefined ? asked() : lane.tools.ask(of, asked, onLoss));
  } catch (error) {
    if (error instanceof UserFailed) return endWithoutUser(error, lane);
    budget?.end({ agent: agent.name, cost: null });
    if (error instanceof Interrupted) return notAsked(error.reason);
    throw error;
  }
  // Agent output enters here and in findKnown: redact first.
  const outcome = blameProvider(hideInOutcome(answered, lane.secrets), options.deadlineMs);
  const cost = readCost(outcome);
  // Only a live answer must state its cost.
  const isPriced = outcome.outcome === 'answered' && agent.fingerprint !== undefined;
  budget?.end({ agent: agent.name, cost, isPriced });
  if (isNotFound(outcome)) {
    const why = lane.isHidden
      ? 'command not found. Set EVAL_SHOW_GATED=1 to see which.'
      : outcome.error.message;
    queue.stop('no_command', `${agent.name}: ${why}`);
    return notAsked('no_command');
  }
  tellQueue(outcome, lane);
  const changed = key === null ? null : findChange(lane);
  if (changed !== null) {
    const why = `${changed} changed while this run was asking`;
    queue.stop('changed', why, agent.name);
    return { ...notAsked('changed'), why, ended: outcome };
  }
  const ended = { ...outcome, slots: queue.concurrency };
  // Cached before the next call starts: a full disk must stop that one.
  return key === null || cache === null || isOfRecording(outcome, lane)
    ? ended
    : cache.put(key, ended, (why) => queue.stop('disk', why));
}

/** Whether recording alone made it an error: the key is that of answers with live tools. */
function isOfRecording(outcome: Outcome, { tools }: AgentLane): boolean {
  const isError = outcome.outcome === 'failed' && outcome.error.kind === 'tool_not_recorded';
  return isError && tools?.records === true;
}

/**
 * The file that an answer's key no longer stands for. Looked for behind each answer, so that none is
 * kept under the wrong key. Without a cache nothing is kept.
 */
function findChange({ agent, user, cache }: AgentLane): string | null {
  if (cache?.isOn !== true || cache.mode === 'off') return null;
  return agent.findChange?.() ?? user?.findChange?.() ?? null;
}

/**
 * Refuses agents whose files the data of their suite has written anew: cached answers are those of the files
 * before.
 * @throws {Error} with the name of such a file.
 */
export function refuseChanged(lanes: readonly AgentLane[], suite: string): void {
  for (const lane of lanes) {
    const changed = findChange(lane);
    if (changed === null) continue;
    const name = escapeLine(lane.agent.name, 1_000);
    throw new Error(
      `${escapeLine(changed, 1_000)} changed while the data of ${suite} was loaded: cached answers of ${name} are those of before.\n` +
        'Run again. If each run writes that file, name it in EVAL_AGENT_WRITES.',
    );
  }
}

/** A user that is refused would fail in each conversation. */
function endWithoutUser({ message, cause, outcome }: UserFailed, lane: AgentLane): NotAsked {
  const { agent, queue, budget, isHidden, secrets } = lane;
  const { costUsd: cost = null } = cause.progress;
  const why = isHidden
    ? `The simulated user failed (${cause.kind}).`
    : redactMessage(message, secrets);
  budget?.end({ agent: agent.name, cost });
  if (cause.kind === 'quota' || cause.kind === 'auth') queue.stop(cause.kind, why);
  const ended = outcome && hideInOutcome(outcome, secrets);
  return { outcome: 'not_asked', reason: 'user', why, ended };
}

function readCost(outcome: Outcome): number | null {
  const { costUsd: cost = null } =
    outcome.outcome === 'answered' ? outcome.answer : outcome.error.progress;
  return cost;
}

/** Whether a command does not exist. It was never asked, so its outcome does not count. */
function isNotFound(outcome: Outcome): outcome is Outcome & { outcome: 'failed' } {
  if (outcome.outcome === 'answered') return false;
  return outcome.error.kind === 'machine' && outcome.error.status === NOT_FOUND;
}

function tellQueue(outcome: Outcome, lane: AgentLane): void {
  if (outcome.outcome === 'answered') lane.queue.speedUp();
  else if (outcome.error.kind === 'rate_limit') lane.queue.slowDown();
  else stopIfRefused(outcome.error, lane);
}

/**
 * Asks an agent one question under the deadline and times it. A failure is an outcome; only
 * Interrupted is thrown.
 */
export async function ask(
  agent: Agent,
  question: Question<Json>,
  options: AskOptions,
): Promise<Outcome> {
  const { workdir, deadlineMs, listener, user } = options;
  const started_at = new Date().toISOString();
  const watch = new Stopwatch();
  const delay = new OwnDelay();
  listener?.onAsked(question.prompt);
  const times = (waitedMs = 0) => ({
    started_at,
    answered_at: new Date().toISOString(),
    // After a pause nobody knows when the answer came.
    latency_ms: watch.wasPaused ? null : watch.ms - (waitedMs < watch.ms ? waitedMs : 0),
    ...toOwnTimes(delay),
    ...FIRST,
  });
  let spent: Progress = {};
  const onProgress = (progress: Progress) => {
    spent = progress;
    listener?.onProgress(progress);
  };
  try {
    const once: AskOnce = (whom, what, report) =>
      delay.watch(() => askOnce(whom, what, options, { watch, delay }, report));
    const answer = user
      ? await (await import('./play-conversation.ts')).playConversation(
          agent,
          user,
          watch,
          once,
          onProgress,
        )
      : await once(agent, question, onProgress);
    // An agent may go on without its files.
    if (workdir.fault !== null) throw workdir.fault;
    return { outcome: 'answered', answer, ...times(answer.waitedMs) };
  } catch (thrown) {
    if (thrown instanceof Interrupted) throw thrown;
    if (thrown instanceof UserFailed) throw new UserFailed(thrown.cause, toLost(thrown, times()));
    const error = toAgentError(workdir.fault ?? thrown, spent);
    // What fails after a pause may have failed of it: a connection that was cut, a time limit of
    // the agent's own.
    if (watch.wasPaused) throw new Interrupted('machine', { cause: error });
    const late = error.kind === 'timed_out' ? { latency_ms: deadlineMs } : {};
    return { outcome: 'failed', error, ...times(error.progress.waitedMs), ...late };
  }
}

/** A conversation without its end. */
function toLost({ cause }: UserFailed, times: Omit<Outcome, 'outcome'>): Outcome {
  const attempts = cause.progress.conversation?.turns === 0 ? 0 : 1;
  return { ...times, outcome: 'failed', error: cause, attempts };
}

/** With no more digits than they are worth. */
function toOwnTimes({ ms, load }: OwnDelay): Pick<Outcome, 'own_delay_ms' | 'machine_load'> {
  const machine_load = Number(load.toFixed(2));
  return { own_delay_ms: Number(ms.toFixed(3)), machine_load: machine_load || undefined };
}

function askOnce(
  agent: Pick<Agent, 'answer'>,
  question: Question<Json>,
  { trial, maxSteps, workdir, deadlineMs, cancelled }: AskOptions,
  { watch, delay }: Readonly<{ watch: Stopwatch; delay: OwnDelay }>,
  onProgress: (progress: Progress) => void,
): Promise<Answer> {
  const left = Math.max(0, Math.ceil(deadlineMs - watch.ms));
  const work = (signal: AbortSignal) => {
    delay.countWith(signal);
    return agent.answer(question, {
      signal,
      onProgress,
      deadlineMs: left,
      trial,
      maxSteps,
      get workdir() {
        return workdir.path;
      },
    });
  };
  return withDeadline(watch, deadlineMs, cancelled, work);
}

/**
 * An error of another class is a crash of the agent. A call that was cut off used up what it last
 * reported.
 */
function toAgentError(thrown: unknown, spent: Progress): AgentError {
  if (thrown instanceof AgentError) {
    return Object.keys(thrown.progress).length > 0 ? thrown : thrown.with({ progress: spent });
  }
  return new AgentError('agent_crash', describeThrown(thrown), { progress: spent, cause: thrown });
}

const FIRST = { attempts: 1, cached: false } as const;

function toOutcome(recorded: Answer | AgentError) {
  return recorded instanceof AgentError
    ? ({ outcome: 'failed', error: recorded } as const)
    : ({ outcome: 'answered', answer: recorded } as const);
}

/** The outcome with keys redacted. Parts of keys stay in answer texts, because these are graded. */
function hideInOutcome(outcome: Outcome, secrets: readonly string[]): Outcome {
  if (secrets.length === 0) return outcome;
  if (outcome.outcome === 'answered') {
    const { trace, sent, ...graded } = outcome.answer;
    const read = redactIn({ trace, sent }, secrets, redactMessage);
    return { ...outcome, answer: { ...redactIn(graded, secrets), ...read } };
  }
  const { message, requestId, progress, cause } = outcome.error;
  const error = outcome.error.with({
    message: redactMessage(message, secrets),
    requestId: requestId === null ? null : redactMessage(requestId, secrets),
    progress: redactIn(progress, secrets, redactMessage),
    cause: cause instanceof Error ? hideInError(cause, secrets) : undefined,
  });
  return { ...outcome, error };
}

/**
 * A deadline that passed while the call waited for a retry is the provider's error: the next run
 * asks again.
 */
function blameProvider(outcome: Outcome, deadlineMs: number): Outcome {
  if (outcome.outcome !== 'failed' || outcome.error.kind !== 'timed_out') return outcome;
  const { backOff } = outcome.error.progress;
  if (backOff === undefined) return outcome;
  const { kind, status, requestId, server } = backOff;
  const named = [server && `server ${server}`, requestId && `request ${requestId}`]
    .filter(Boolean)
    .join(', ');
  const what = status === null ? 'the connection had failed' : `the server had answered ${status}`;
  const origin = named === '' ? '' : ` (${named})`;
  const message = `No answer within ${deadlineMs / 1000} s: ${what}${origin}, and the call waited for its retry. ${REMEDIES[kind]}`;
  return {
    ...outcome,
    latency_ms: null,
    error: outcome.error.with({ kind, message, status, requestId }),
  };
}

/**
 * An empty account or a refused key would fail every further call. Status 403 forbids one model and
 * no others.
 */
function stopIfRefused(
  { kind, status, message }: AgentError,
  { queue, agent: { name }, isHidden }: AgentLane,
): void {
  if (kind !== 'quota' && kind !== 'auth') return;
  const what = status === null ? kind : `${status}, ${kind}`;
  const why = isHidden
    ? ` (${what}). ${REMEDIES[kind]} Set EVAL_SHOW_GATED=1 to see the message; samples.jsonl has it.`
    : `: ${message}`;
  queue.stop(kind, `${name} was refused${why}`, kind === 'auth' && status === 403 ? name : null);
}
