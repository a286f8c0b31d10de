import { addKnown, addSpent } from '../data/files/usage.ts';
import type { Stopwatch } from '../processes/stopwatch.ts';
import {
  type Agent,
  AgentError,
  type Answer,
  type ConversationFacts,
  type Progress,
  type TokenCounts,
  type TraceStep,
  UserFailed,
} from '../words/answer.ts';
import { saidIn } from '../words/conversation.ts';
import { omitNullish } from '../words/fields.ts';
import type { Json, Message, Question } from '../words/sample.ts';
import { toText } from '../words/show.ts';

/** What the user says next, and what it cost; `said` is null when the user is done. */
export type UserReply = Pick<Answer, 'costEstimated' | 'requests'> &
  Readonly<{
    said: string | null;
    costUsd: number | undefined;
    /** Whether it also played the agent. That part is left out. */
    answersItself: boolean;
  }>;

/** The user of one conversation. */
export type SimulatedSpeaker = Readonly<{
  name: string;
  maxTurns: number;
  /** Rejects with an AgentError if there is no message. */
  speak(messages: readonly Message[]): Promise<UserReply>;
}>;

/** The user's side of a conversation. */
export type UserSide = Readonly<{
  /** What the user says first. */
  script: readonly string[];
  /** The user who goes on then; null where the conversation ends with the script. */
  simulated: SimulatedSpeaker | null;
  /** What the agent is asked after these messages. */
  toQuestion(messages: readonly Message[]): Question<Json>;
}>;

/** Asks an agent one question. It reports meanwhile what it used. */
export type AskOnce = (
  agent: Pick<Agent, 'answer'>,
  question: Question<Json>,
  report: (spent: Progress) => void,
) => Promise<Answer>;

/**
 * Plays a conversation: each message of the user gets a reply, and the last reply is the output. What
 * is reported and thrown counts all turns; `watch` counts the agent's time alone. Rejects with
 * UserFailed if the user has nothing to say.
 */
export async function playConversation(
  agent: Agent,
  { script, simulated, toQuestion }: UserSide,
  watch: Stopwatch,
  ask: AskOnce,
  onProgress: (progress: Progress) => void,
): Promise<Answer> {
  const conversation = new Conversation(simulated?.name ?? null, watch);
  const partner = agent.openConversation?.() ?? agent;
  const report = (spent: Progress) => onProgress(conversation.add(spent));
  try {
    for (let turn = 0; ; turn += 1) {
      const said = script[turn] ?? (await conversation.nextUserMessage(simulated));
      if (said === null) break;
      conversation.addUserMessage(said);
      report({});
      const answer = await ask(partner, toQuestion([...conversation.messages]), report);
      if (!conversation.addAnswer(answer)) break;
    }
  } catch (error) {
    // Without figures of its own it has those that were reported last.
    const hasOwn = error instanceof AgentError && Object.keys(error.progress).length > 0;
    throw hasOwn ? error.with({ progress: conversation.add(error.progress) }) : error;
  } finally {
    if ('close' in partner) await watch.leaveOut(() => partner.close());
  }
  return conversation.toAnswer();
}

const NO_STEP = { reasoning: null, tool_calls: [], stop: null, usage: null } as const;

type UserCost = Pick<Progress, 'costEstimated' | 'requests'> & {
  readonly costUsd?: number | undefined;
};

type Fault = NonNullable<ConversationFacts['user']>['faults'][number];

/** What was said, and what it cost. */
class Conversation {
  readonly messages: Message[] = [];
  readonly #userName: string | null;
  readonly #watch: Stopwatch;
  readonly #steps: TraceStep[] = [];
  readonly #faults = new Set<Fault>();
  /** What the replies used; null before the first. */
  #spent: Progress | null = null;
  #userCost: number | undefined = 0;
  /** What the user's cost is estimated by; undefined where it is stated. */
  #userRequests: readonly TokenCounts[] | undefined = [];
  /** Whether the user's cost is an estimate. */
  #isEstimated = false;
  #last: Answer = { output: null };
  #turns = 0;
  /** When the current turn began, in ms of the agent's time. */
  #turnMs = 0;
  #hasTrace = false;
  #hasSpoken = false;
  #ended: ConversationFacts['ended'] = 'agent';

  constructor(userName: string | null, watch: Stopwatch) {
    this.#userName = userName;
    this.#watch = watch;
  }

  /** The simulated user's next message; null if there is none. */
  async nextUserMessage(user: SimulatedSpeaker | null): Promise<string | null> {
    if (user === null || this.#turns >= user.maxTurns) {
      this.#ended = user === null ? 'turns' : 'max_turns';
      return null;
    }
    const { said, answersItself, ...spent } = await this.#speak(user);
    if (said === null) this.#ended = 'user';
    // The agent's first reply may have been enough, or the user has no task.
    if (said === null && !this.#hasSpoken) this.#faults.add('says nothing');
    this.#hasSpoken = true;
    this.#addUserCost(spent);
    if (said !== null && this.messages.some((message) => isRepeated(message, said)))
      this.#faults.add('repeats itself');
    if (answersItself) this.#faults.add('answers itself');
    return said;
  }

  addUserMessage(said: string): void {
    this.messages.push({ role: 'user', content: said });
    // For the first turn the trace has what the agent was sent.
    if (this.#turns > 0) this.#steps.push({ role: 'user', text: said, ...NO_STEP });
    this.#turnMs = this.#watch.ms;
  }

  /** Returns whether the agent said something. */
  addAnswer(answer: Answer): boolean {
    const { output, trace } = answer;
    const text = output === null ? null : toText(output, 2);
    const steps = this.#shift(trace ?? [{ text, ...NO_STEP }]);
    this.#spent = this.#addReply(answer);
    this.#hasTrace ||= trace !== undefined;
    this.#steps.push(...steps);
    const reply = output === null ? null : saidIn(output);
    if (reply !== null) this.messages.push({ role: 'assistant', content: reply });
    this.#last = answer;
    this.#turns += 1;
    // After thoughts alone there is nothing to reply to.
    return reply !== null && (reply !== '' || output === '');
  }

  toAnswer(): Answer {
    const { output, reason, cutShort, verbatim } = this.#last;
    const spent = this.#withUser(this.#spent ?? {}, this.#hasTrace ? this.#steps : undefined);
    return { ...spent, output, reason, cutShort, verbatim };
  }

  /** What both sides used, with what the current reply used so far. */
  add(spent: Progress): Progress {
    const { backOff, trace } = spent;
    const hasTrace = this.#hasTrace || trace !== undefined;
    const steps = hasTrace ? [...this.#steps, ...this.#shift(trace ?? [])] : undefined;
    return { ...this.#withUser(this.#addReply(spent), steps), backOff };
  }

  async #speak(user: SimulatedSpeaker): Promise<UserReply> {
    try {
      const spoken = await this.#watch.leaveOut(() => user.speak(this.messages));
      if (spoken.said !== null || this.#turns > 0) return spoken;
      const { costUsd, costEstimated, requests } = spoken;
      throw new AgentError('bad_response', 'It ended without a message.', {
        progress: { costUsd, costEstimated, requests },
      });
    } catch (error) {
      if (!(error instanceof AgentError)) throw error;
      this.#addUserCost(error.progress);
      const progress = this.#withUser(this.#spent ?? { costUsd: 0 }, undefined);
      throw new UserFailed(error.with({ progress }));
    }
  }

  #addUserCost({ costUsd, costEstimated, requests }: UserCost): void {
    this.#userRequests = this.#userRequests && requests && [...this.#userRequests, ...requests];
    this.#userCost = addKnown(this.#userCost, costUsd);
    this.#isEstimated ||= costEstimated === true;
  }

  #addReply(spent: Progress): Progress {
    const before = this.#spent;
    if (before === null) return spent;
    const { sent, firstTokenMs } = before;
    return { ...addSpent(before, spent), ...omitNullish({ sent, firstTokenMs }) };
  }

  /** With the user's cost, and what is known of the conversation. */
  #withUser(
    { costUsd, costEstimated, trace: _trace, backOff: _backOff, ...spent }: Progress,
    trace: readonly TraceStep[] | undefined,
  ): Progress {
    const name = this.#userName;
    const cost_usd = this.#userCost ?? null;
    const user = name === null ? undefined : { name, cost_usd, faults: [...this.#faults] };
    return {
      ...spent,
      costUsd: addKnown(costUsd, this.#userCost),
      userRequests: name === null ? undefined : this.#userRequests,
      trace: trace && [...trace],
      costEstimated: this.#isEstimated || costEstimated === true || undefined,
      messages: [...this.messages],
      conversation: { turns: this.#turns, ended: this.#ended, user },
    };
  }

  /** Steps of the current turn, by the time of the whole conversation. */
  #shift(steps: readonly TraceStep[]): readonly TraceStep[] {
    const before = Math.round(this.#turnMs);
    const shift = (at_ms: number | undefined) =>
      at_ms === undefined ? {} : { at_ms: at_ms + before };
    return steps.map((step) => ({
      ...step,
      ...shift(step.at_ms),
      tool_calls: step.tool_calls.map((call) => ({ ...call, ...shift(call.at_ms) })),
    }));
  }
}

function isRepeated({ role, content }: Message, said: string): boolean {
  const squash = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  return role === 'user' && squash(content) === squash(said) && squash(said) !== '';
}
