import type { Json, Message, Note, Question } from './sample.ts';
import { plural } from './show.ts';

/**
 * Agents and what they answer. Fields that are written to disk have snake_case names.
 */

/**
 * Token counts. `input_tokens` includes those that came from the provider's cache and those that were
 * written to it, `output_tokens` the reasoning ones.
 */
export type Usage = {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_tokens: number;
  readonly reasoning_tokens: number;
  /** Absent for none. */
  readonly cache_write_tokens?: number;
};

/** What one request is paid by. */
export type TokenCounts = Usage & { readonly cache_write_tokens: number };

/** One call of a tool by a model. Long texts are cut. */
export type TraceCall = {
  readonly name: string;
  /** The arguments as the model wrote them: JSON, if it followed the schema. */
  readonly arguments: string;
  /** The text that the model got back; null when the call never ended. */
  readonly result: string | null;
  readonly failed: boolean;
  /** When the result came, in ms since the start of the question; absent when unknown. */
  readonly at_ms?: number;
  /** The files that the model was shown with the result. */
  readonly files?: readonly TraceFile[];
};

/** A file in a trace: its size without its content. */
export type TraceFile = { readonly name: string; readonly bytes: number };

/** What an agent was sent before its first step. Long texts are cut. */
export type Sent = {
  /** In their order: system text, if there is any, and the prompt. */
  readonly messages: readonly {
    readonly role: 'system' | 'user';
    readonly text: string;
    readonly files?: readonly TraceFile[];
  }[];
  /** The names of the tools that a model was offered. */
  readonly tools: readonly string[];
};

/**
 * One reply of a model with its tool calls, for the trace of a sample. Plain JSON; long texts are
 * cut.
 */
export type TraceStep = {
  /** Who speaks, if it is not the model: "system", "user". Only users' agents set it. */
  readonly role?: string;
  readonly text: string | null;
  /** The model's reasoning, as far as the provider shows it. */
  readonly reasoning: string | null;
  readonly tool_calls: readonly TraceCall[];
  /** Why the reply ended, as the provider calls it. */
  readonly stop: string | null;
  readonly usage: Usage | null;
  /**
   * When the reply came, in ms since the start of the question; absent when unknown.
   */
  readonly at_ms?: number;
  /** The cost of the reply in US dollars; absent when unknown. */
  readonly cost_usd?: number;
};

/**
 * The trace that a score gets if the agent reports none. Matchers refuse it: an empty list would
 * say "no tool was called".
 */
export const NO_TRACE: readonly TraceStep[] = Object.freeze([]);

/** The limit at which a reply was cut short; `incomplete` when the provider does not name it. */
export type CutShort = 'max_tokens' | 'context_window' | 'incomplete';

export type Answer<Output = Json> = {
  /** The whole output, a string or any other JSON value; null when the agent gave none. */
  readonly output: Output | null;
  /** Why there is no output. Only with `output: null`. */
  readonly reason?: string;
  /** Why the output was cut short. It is still graded, and its row has this reason. */
  readonly cutShort?: CutShort;
  /**
   * True when `output` is the bare answer, as in leaderboard files. Nothing is extracted from it
   * then.
   */
  readonly verbatim?: boolean;
  readonly model?: string;
  readonly usage?: Usage;
  /** The cost in US dollars; absent when unknown. */
  readonly costUsd?: number;
  /** True if viva has estimated the cost (tokens times list price). */
  readonly costEstimated?: true;
  /**
   * The tokens of each request, of an agent and of a simulated user whose cost viva estimates. By them
   * another run gives a cached answer its own prices.
   */
  readonly requests?: readonly TokenCounts[];
  readonly userRequests?: readonly TokenCounts[];
  /** Model calls or tool rounds. */
  readonly steps?: number;
  /**
   * Milliseconds that a replayed answer took when it was first given; null when the record does not
   * say. A live agent leaves it out, because viva measures its time.
   */
  readonly latencyMs?: number | null;
  /** The milliseconds of waiting for a busy provider. viva subtracts them from the latency. */
  readonly waitedMs?: number;
  /**
   * Milliseconds from the start of the question to the first piece of text or reasoning that the model
   * shows, without those of waiting for a busy provider.
   */
  readonly firstTokenMs?: number;
  /** The steps that led to the answer, if the agent shows them. */
  readonly trace?: readonly TraceStep[];
  /** What a model was sent. For other agents it is the prompt. */
  readonly sent?: Sent;
  /** Of a conversation: what the user and the agent said. Only viva sets it. */
  readonly messages?: readonly Message[];
  readonly conversation?: ConversationFacts;
  /** The calls of wrapped tools, if there were any. Only viva sets it. */
  readonly toolCalls?: ToolCounts;
};

/** How many calls of `recordTools` and `mockTools` a tool, a recording or a mock answered. */
export type ToolCounts = {
  readonly live: number;
  readonly replayed: number;
  readonly mocked: number;
};

export type ConversationFacts = {
  /** The agent's replies. */
  readonly turns: number;
  /**
   * "turns" after the last of the record, "user" by the simulated user, "max_turns" by `maxTurns`, or
   * "agent" by a turn without an answer.
   */
  readonly ended: 'turns' | 'user' | 'max_turns' | 'agent';
  /** The simulated user: its model, its cost in USD if known, and what it did that users do not do. */
  readonly user?: {
    readonly name: string;
    readonly cost_usd: number | null;
    readonly faults: readonly ('repeats itself' | 'answers itself' | 'says nothing')[];
  };
};

/**
 * What an agent has done and used so far. A failed call has it too, since it costs money and shows
 * the cause.
 */
export type Progress = Pick<
  Answer,
  | 'messages'
  | 'conversation'
  | 'toolCalls'
  | 'model'
  | 'usage'
  | 'costUsd'
  | 'costEstimated'
  | 'requests'
  | 'userRequests'
  | 'steps'
  | 'waitedMs'
  | 'firstTokenMs'
  | 'trace'
  | 'sent'
> & {
  /** The provider or connection error after which the call waits for its retry. */
  readonly backOff?: {
    readonly kind: 'rate_limit' | 'server' | 'network';
    readonly status: number | null;
    readonly requestId: string | null;
    /** The host, with its port. */
    readonly server?: string;
  };
};

/**
 * How a question ended: an answer or a failure. Times in ms, timestamps in ISO 8601. The answer cache
 * has it on disk, without `cached` and `slots`.
 */
export type Outcome = Readonly<{
  started_at: string;
  answered_at: string;
  /** Null if a replayed record does not have it. */
  latency_ms: number | null;
  /** As in rows. */
  own_delay_ms?: number | undefined;
  machine_load?: number | undefined;
  /** How often the question was asked until this outcome. Above 1 only with EVAL_CACHE=retry. */
  attempts: number;
  /** Whether it comes from the answer cache. */
  cached: boolean;
  /** How many calls of the provider could run at once when this one ended. */
  slots?: number;
}> &
  (
    | Readonly<{ outcome: 'answered'; answer: Answer }>
    | Readonly<{ outcome: 'failed'; error: AgentError }>
  );

export type AnswerContext = {
  /** Aborts at the sample's deadline and when the run is cancelled. */
  readonly signal: AbortSignal;
  /** Milliseconds from the call to its deadline; absent when there is none. */
  readonly deadlineMs?: number;
  /**
   * A private folder for this call. It is created when this property is first read. After the
   * answer, reading the property throws.
   */
  readonly workdir: string;
  /** The most model calls or tool rounds; null leaves the limit to the agent. */
  readonly maxSteps: number | null;
  /** 1 for the first trial of a sample. */
  readonly trial: number;
  /**
   * Call it after each step with all that has been used so far: then a call that times out still
   * reports its usage and cost.
   */
  readonly onProgress?: (progress: Progress) => void;
};

/** A list price in US dollars for a million tokens of each kind, and its source. */
export type AgentPrice = {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly source: string;
};

/** The tools that an agent may use, for the manifest. */
export type ToolUse = {
  /** viva's own tools. */
  readonly own: readonly string[];
  /** Tools that the provider runs itself, by their names in its API. */
  readonly hosted: readonly string[];
  /** `at` is the address or the command line of a server, without keys. */
  readonly mcp: readonly {
    readonly server: string;
    readonly version: string;
    readonly at?: string;
    readonly tools: readonly string[];
    /** The tools whose descriptions were cut; absent if none was. */
    readonly cut?: readonly string[];
  }[];
  /**
   * Whether tools refuse copies of the benchmark on the web: all tools that read the web ("on"),
   * some ("in part"), or none ("off").
   */
  readonly leak_guard: 'on' | 'in part' | 'off' | 'no web';
};

/** "calculate, the provider's web_search, MCP server files 2 (3 tools)"; "none" without tools. */
export function nameTools({ own, hosted, mcp }: Omit<ToolUse, 'leak_guard'>): string {
  const servers = mcp.map(({ server, version, tools }) => {
    return `MCP server ${server} ${version} (${plural(tools.length, 'tool')})`;
  });
  return (
    [...own, ...hosted.map((type) => `the provider's ${type}`), ...servers].join(', ') || 'none'
  );
}

/** An agent answers questions. Reports show its `name`. */
export type Agent = {
  readonly name: string;
  /**
   * Identifies what answers depend on besides the question, the prompt and the limits: model,
   * parameters, server, code. Answers of an agent without a fingerprint are never cached.
   */
  readonly fingerprint?: string;
  /** A hash of each part of its code, by the path of a file, "package zod" or "variable MODEL". */
  readonly parts?: Readonly<Record<string, string>>;
  /** The recordings that its tools are replayed from; absent where it may be any. */
  readonly recordings?: readonly string[] | undefined;
  /** The name of a file that its fingerprint stands for and that has changed since; null if none has. */
  findChange?(): string | null;
  /** True when every answer has a cost, so a budget can be enforced. */
  readonly priced?: boolean;
  /** The prices by which costs are estimated; absent when costs are not estimated. */
  readonly price?: AgentPrice;
  /** The cost of requests by these prices, in US dollars; null if unknown. */
  estimate?(requests: readonly TokenCounts[]): number | null;
  /**
   * Why every call would fail, such as a missing key, and what to do. Known before the first call.
   */
  readonly notReadyReason?: string;
  /** How many trials of a sample it can answer: a recording has a limited number. */
  readonly trials?: number;
  /** Whether a recording has other trials of a sample, but not this one. */
  lacksTrial?(id: string, trial: number): boolean;
  /** Notes for the user on how it was made, in one sentence each. */
  readonly notes?: readonly Note[];
  /** Which edits of its code the cache notices, or does not, if it does not notice all. */
  readonly cacheCoverage?: string;
  /**
   * Remarks for the user on its answers, after the run, in one sentence each. If `hidden` is true,
   * they must not repeat texts of answers.
   */
  remarks?(hidden?: boolean): readonly Note[];
  /** The tools that it may use, if viva knows them. */
  readonly tools?: ToolUse;
  /** The most bytes of a file of each kind that its model sees or hears itself. */
  readonly media?: Readonly<Record<'image' | 'pdf' | 'audio', number>>;
  /** The address of its model server, without keys, if that is not the provider's own. */
  readonly server?: string;
  /**
   * Agents with the same provider share one limit for concurrent calls. The default is the agent's
   * name.
   */
  readonly provider?: string;
  answer(question: Question<Json>, context: AnswerContext): Promise<Answer>;
  /** For an agent that stays the same process for all turns of a conversation. */
  openConversation?(): {
    answer(question: Question<Json>, context: AnswerContext): Promise<Answer>;
    close(): Promise<void>;
  };
  /**
   * Only a replay has it: returns a recorded answer at once, null if the replayed run has none.
   * `answer` is never called.
   */
  replayAnswer?(id: string, trial: number): Answer | AgentError | null;
  /**
   * How a replay's answers were asked for; null for predictions, which do not say. Other agents
   * have none.
   */
  readonly recorded?: RecordedConditions | null;
};

/** How the answers of an earlier run were asked for. */
type RecordedConditions = {
  readonly agent: string;
  readonly prompt: { readonly text: string; readonly hash: string; readonly name: string | null };
  /** EVAL_TIMEOUT and EVAL_MAX_STEPS; null for the defaults. */
  readonly timeout_seconds: number | null;
  readonly max_steps: number | null;
  /** Seconds that a question of each group could take. */
  readonly deadlines: readonly (readonly [group: string, seconds: number])[];
  /** When a trial was answered; undefined if the run has no answer. */
  timesOf(id: string, trial: number): RecordedTimes | undefined;
};

/** The times of an outcome that a row keeps beside its latency. */
export type RecordedTimes = Pick<
  Outcome,
  'started_at' | 'answered_at' | 'own_delay_ms' | 'machine_load'
>;

export const ERROR_KINDS = [
  'rate_limit',
  'quota',
  'auth',
  'bad_request',
  'server',
  'network',
  'machine',
  'timed_out',
  'bad_response',
  'step_limit',
  'agent_crash',
  'tool_not_recorded',
] as const;

/**
 * Why an agent failed to answer.
 *
 * @example
 * const kindOf = (status: number): ErrorKind => (status === 429 ? 'rate_limit' : 'server');
 * throw new AgentError(kindOf(429), 'the search server is busy', { status: 429 });
 */
export type ErrorKind = (typeof ERROR_KINDS)[number];

/**
 * A failure of an agent. It is not an answer: the sample gets the state `errored` or `timed_out`. The
 * next run asks again after rate_limit, quota, auth, server, network and machine.
 *
 * @example
 * throw new AgentError('server', 'the index is being built', { status: 503 });
 */
export class AgentError extends Error {
  override readonly name = 'AgentError';
  readonly kind: ErrorKind;
  /** HTTP status or exit code, when there was one. */
  readonly status: number | null;
  /** Milliseconds, as in `Answer`. Only a replayed failure has it. */
  readonly latencyMs: number | null | undefined;
  /** The provider's id of the failed request, for its support. */
  readonly requestId: string | null;
  readonly progress: Progress;

  constructor(kind: ErrorKind, message: string, facts: AgentErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.kind = kind;
    this.status = facts.status ?? null;
    this.latencyMs = facts.latencyMs;
    this.requestId = facts.requestId ?? null;
    this.progress = facts.progress ?? {};
  }

  /** The same failure with other facts. */
  with({ kind = this.kind, message = this.message, ...facts }: AgentErrorChanges): AgentError {
    const { status, latencyMs, requestId, progress, cause } = this;
    return new AgentError(kind, message, {
      status,
      latencyMs,
      requestId,
      progress,
      cause,
      ...facts,
    });
  }
}

type AgentErrorFacts = {
  readonly status?: number | null;
  readonly latencyMs?: number | null | undefined;
  readonly requestId?: string | null;
  readonly progress?: Progress;
  readonly cause?: unknown;
};

type AgentErrorChanges = AgentErrorFacts & { readonly kind?: ErrorKind; readonly message?: string };

/**
 * The run was cancelled during a call, or a pause of the machine made it late. It is not a failure of
 * the agent.
 */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly reason: 'interrupted' | 'machine';

  constructor(reason: Interrupted['reason'], options: { readonly cause: unknown }) {
    super(`The call was ended: ${reason}.`, options);
    this.reason = reason;
  }
}

/** A simulated user failed. It is not a fault of the agent, whose replies have been paid. */
export class UserFailed extends Error {
  override readonly name = 'UserFailed';
  override readonly cause: AgentError;
  /** When, and what both sides had used; null before its call has ended. */
  readonly outcome: Outcome | null;

  constructor(cause: AgentError, outcome: Outcome | null = null) {
    super(`The simulated user failed: ${cause.message}`);
    this.cause = cause;
    this.outcome = outcome;
  }
}
