/**
 * The words of the suite. This file imports nothing, and everything may import it.
 *
 * What is written to disk (`SampleResult`, `Summary`, `Usage`) is spelled in snake_case here too, so that a row of
 * samples.jsonl is the same value in memory, in a file and in the public functions.
 */

/** A file that belongs to a sample. `path` is absolute and lies inside the dataset's folder. */
export type Attachment = {
  readonly name: string;
  readonly path: string;
};

/** One record of a dataset, whatever its layout was. */
export type Sample = {
  readonly id: string;
  readonly suite: string;
  /** The question as the dataset words it, without any prompt around it. */
  readonly input: string;
  /**
   * The expected answer; null when the dataset hides it (such a sample is `ungraded`). For multiple choice: the labels of the
   * right options joined by "," ("B", "A,D"), or "NONE" when no option is right.
   */
  readonly target: string | null;
  /** "level 1" to "level 3" for GAIA, the subject (or "all") for multiple choice. */
  readonly group: string;
  /** Option texts by label, in the order in which they are presented. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Whether several options may be right; absent when the dataset does not say. */
  readonly multiple?: boolean;
  readonly attachments: readonly Attachment[];
  /** What else the record said. Never shown to an agent: GAIA's annotator metadata contains the solution. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Present when the options stand in another order than in the dataset; then `target` and `choices` follow it. */
  readonly presentation?: Presentation;
};

/** How the options of a question were put into another order. Never shown to an agent. */
type Presentation = {
  readonly seed: number;
  /** The dataset's own label of each option by the label under which it is presented. */
  readonly ownLabels: Readonly<Record<string, string>>;
};

/** What a loader returns: the samples and what the user should know about how they were read. */
export type Dataset = {
  /** "sample" for the committed samples, else a short name for gates and reports. */
  readonly name: string;
  readonly samples: readonly Sample[];
  /** Recognised layout, skipped rows and the like: one plain sentence each. */
  readonly notes: readonly string[];
  /** Those of the notes that name a layout, one for each file. */
  readonly layouts?: readonly string[];
  readonly source?: DatasetSource;
  /** Ids of rows that are no questions, but that a complete submission to the leaderboard lists. */
  readonly placeholders?: readonly string[];
  /** Brings what the samples that are to run need onto this disk (attachments); to be awaited before any is asked. */
  fetch?(samples: readonly Sample[]): Promise<void>;
};

/** One of the parts that a selection is split into; `index` is 1 for the first, as in `--shard=1/4`. */
export type Shard = { readonly index: number; readonly count: number };

/** Where records came from, so that a figure can be traced to them. */
export type DatasetSource = {
  /** As it was set: a path, or "hf:owner/name@revision". */
  readonly uri: string;
  /** The commit that the revision was; null for files. */
  readonly revision: string | null;
  /** SHA-256 of the files with the records. */
  readonly hash: string;
};

/** What an agent sees: a sample without target, metadata and presentation, and the prompt rendered for it. */
export type Question = Omit<Sample, 'target' | 'metadata' | 'presentation'> & { readonly prompt: string };

/** Token counts. `input_tokens` includes the cached ones, `output_tokens` the reasoning ones. */
export type Usage = {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_tokens: number;
  readonly reasoning_tokens: number;
};

/** One call of a tool as the model asked for it. Long texts are cut. */
type TraceCall = {
  readonly name: string;
  /** The arguments as the model wrote them: JSON, if it followed the schema. */
  readonly arguments: string;
  /** What the model was told; null when the call never ended. */
  readonly result: string | null;
  readonly failed: boolean;
};

/** One reply of a model and what followed from it, for the trace of a sample. JSON-safe; long texts are cut. */
export type TraceStep = {
  readonly text: string | null;
  /** What the provider showed of the model's reasoning. */
  readonly reasoning: string | null;
  readonly tool_calls: readonly TraceCall[];
  /** Why the reply ended, in the provider's word. */
  readonly stop: string | null;
  readonly usage: Usage | null;
};

/** Limits at which a reply is cut short; `incomplete` where the provider does not say at which. */
export type CutShort = 'max_tokens' | 'context_window' | 'incomplete';

/** What an agent returns. */
export type Answer = {
  /** The whole output; null when the agent gave none. */
  readonly text: string | null;
  /** Why there is no text; only with `text: null`. */
  readonly reason?: string;
  /** Why the text was cut short. It is graded as it is, and its row says why. */
  readonly cutShort?: CutShort;
  /** True when `text` is the bare answer and nothing is to be extracted from it (leaderboard form). */
  readonly verbatim?: boolean;
  readonly model?: string;
  readonly usage?: Usage;
  /** US dollars; absent when unknown. */
  readonly cost?: number;
  /** True if the cost is our estimate (tokens x list price). */
  readonly costEstimated?: true;
  /** Model calls or tool rounds. */
  readonly steps?: number;
  /**
   * Milliseconds that the answer took when it was first given, null when the record does not say: only a replay has
   * it. A live agent leaves it out and is timed by the suite.
   */
  readonly latencyMs?: number | null;
  /** Of the elapsed time, the milliseconds spent waiting for a provider to admit the call. */
  readonly waitedMs?: number;
  /** How the answer came about, when the agent shows it. */
  readonly trace?: readonly TraceStep[];
};

/** What an agent had done and used up when it failed: it is paid for, and shows why. */
export type Progress = Pick<Answer, 'model' | 'usage' | 'cost' | 'costEstimated' | 'steps' | 'waitedMs' | 'trace'> & {
  /** The provider or connection error after which the call waits for its retry. */
  readonly backOff?: {
    readonly kind: 'rate_limit' | 'server' | 'network';
    readonly status: number | null;
    readonly requestId: string | null;
    /** The host, with its port. */
    readonly server?: string;
  };
};

/** What surrounds one call of an agent. */
export type AnswerContext = {
  /** Aborts at the sample's deadline and when the run is cancelled. */
  readonly signal: AbortSignal;
  /** Milliseconds from the call to its deadline; absent when there is none. */
  readonly deadlineMs?: number;
  /** A private folder for this call; it exists once it has been read. After the answer reading it throws. */
  readonly workdir: string;
  /** Most model calls or tool rounds; null leaves it to the agent. */
  readonly maxSteps: number | null;
  /** 1 for the first trial of a sample. */
  readonly trial: number;
  /** Called after each step, so that a call that is cut off leaves what it had used up. */
  readonly onProgress?: (progress: Progress) => void;
};

/** A list price: US dollars for a million tokens of each kind, and its source. */
export type AgentPrice = {
  readonly input: number;
  readonly output: number;
  readonly source: string;
};

/** What an agent may use beside its model, for the manifest. */
export type ToolUse = {
  /** viva's own tools. */
  readonly own: readonly string[];
  /** What its provider runs itself, in the words of the API. */
  readonly hosted: readonly string[];
  readonly mcp: readonly { readonly server: string; readonly version: string; readonly tools: readonly string[] }[];
  /** Whether copies of the benchmark on the web are refused: by all that reads the web, by a part of it, by nothing. */
  readonly leak_guard: 'on' | 'in part' | 'off' | 'no web';
};

/** Answers questions. `name` is what reports show. */
export type Agent = {
  readonly name: string;
  /**
   * What answers depend on beside the question, the prompt and the limits: model, parameters, server, code. Answers of
   * an agent without one are never cached.
   */
  readonly fingerprint?: string;
  /** True when every answer carries its cost, so that a budget can hold. */
  readonly priced?: boolean;
  /** What costs are estimated by, where they are. */
  readonly price?: AgentPrice;
  /** Why no call of it can succeed, such as a missing key, with the remedy; known without a call. */
  readonly unready?: string;
  /** How many trials of a sample it can answer; a recording has only so many. */
  readonly trials?: number;
  /** What the user should know of how it was made: one plain sentence each. */
  readonly notes?: readonly string[];
  /** Which edits of its files the fingerprint sees, where not all: one plain sentence. */
  readonly seenEdits?: string;
  /**
   * What the user should know of its answers, once they were given: one plain sentence each. None repeats a text of an
   * answer where `gated` says that it must not be shown.
   */
  remarks?(gated?: boolean): readonly string[];
  /** What it may use, when viva knows. */
  readonly tools?: ToolUse;
  /** Calls of agents with the same provider share one limit; the agent's name unless given. */
  readonly provider?: string;
  answer(question: Question, context: AnswerContext): Promise<Answer>;
  /** What an agent that only repeats a recording says, at once; it is then never asked. */
  recall?(id: string, trial: number): Answer | AgentError;
};

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
] as const;

/** Why an agent failed to answer. */
export type ErrorKind = (typeof ERROR_KINDS)[number];

/** A failure of an agent: never an answer, always a state of its own. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
  readonly kind: ErrorKind;
  /** HTTP status or exit code, when there was one. */
  readonly status: number | null;
  /** As in `Answer`: only a replay of a failure has it. */
  readonly latencyMs: number | null | undefined;
  /** The provider's name for the failed request, for its support. */
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
    return new AgentError(kind, message, { status, latencyMs, requestId, progress, cause, ...facts });
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

/** The verdict of a rule on one answer. */
export type Score = {
  readonly correct: boolean;
  /** What was compared; null when no answer was found. */
  readonly answer: string | null;
  /** How the answer was found in the output ("final answer marker", "whole text", "as given", ...). */
  readonly how: string;
  /** The rule that was applied ("official", "set match", ...). */
  readonly rule: string;
  /** One sentence: what was compared, as what, and why it does or does not match. */
  readonly explanation: string;
  /** Partial credit, shown beside the verdict and never part of it. */
  readonly partial?: Readonly<Record<string, number>>;
};

/** The verdict on an output: a score and the state that follows from it. */
export type Grade = Score & {
  readonly state: 'correct' | 'incorrect' | 'no_answer';
  /** For `no_answer`: empty, refusal, conflict, placeholder and the like. */
  readonly reason: string | null;
  /** Verdict of every known rule on the extracted answer, for the rule audit. */
  readonly rules: Readonly<Record<string, boolean>> | null;
  /** What the output said of its own confidence, when it said so. */
  readonly confidence: string | number | null;
};

/** A new state: here, in a member of the union `SampleResult`, and its line in src/states.ts, which the compiler asks for. */
export type State = 'correct' | 'incorrect' | 'no_answer' | 'timed_out' | 'errored' | 'ungraded' | 'not_run';

/** What every row of samples.jsonl has. Times in ms, timestamps in ISO 8601. */
type ResultHead = {
  readonly version: 1;
  readonly suite: string;
  readonly dataset: string;
  readonly agent: string;
  readonly model: string | null;
  readonly id: string;
  /** 1 for the first trial. */
  readonly trial: number;
  readonly group: string;
  readonly target: string | null;
  /** The verdict of every rule on the answer; null where there are no rules or there is no answer. */
  readonly rules: Readonly<Record<string, boolean>> | null;
  readonly explanation: string;
  /** Time the agent worked, the deadline for `timed_out`; null when it is not known, or nothing ran. */
  readonly latency_ms: number | null;
  /** Time spent waiting for a provider to admit the call; part of no latency. */
  readonly waited_ms: number;
  readonly usage: Usage | null;
  readonly cost_usd: number | null;
  /** Present when the cost is estimated from token counts and a list of prices. */
  readonly cost_estimated?: true;
  readonly cached: boolean;
  readonly attempts: number;
  readonly steps: number | null;
  readonly confidence: string | number | null;
  /** How many calls its provider was admitted at once when this one ended; absent when nobody was asked. */
  readonly slots?: number;
  readonly started_at: string | null;
  readonly answered_at: string | null;
  readonly prompt_hash: string;
  readonly question_hash: string;
  /** How many options a multiple-choice question has, and whether several may be right (null: not known). */
  readonly options?: number;
  readonly multiple?: boolean | null;
  /** Partial credit by its name, 0 to 1: shown beside accuracy and never part of it. */
  readonly partial?: Readonly<Record<string, number>>;
  /**
   * Where options stood when EVAL_SHUFFLE_CHOICES put them into another order, 1 for the first: the right ones and the
   * chosen ones (null without an answer). `target` and `answer` of the row name them by the dataset's own labels.
   */
  readonly presented?: {
    readonly seed: number;
    readonly target: readonly number[];
    readonly answer: readonly number[] | null;
  };
};

type Scored = {
  readonly state: 'correct' | 'incorrect' | 'ungraded';
  /** Why the output was cut short; null when it was not. */
  readonly reason: CutShort | null;
  readonly output: string;
  readonly answer: string | null;
  readonly how: string;
  readonly error: null;
};

type Unanswered = {
  readonly state: 'no_answer';
  /** missing, empty, refusal, conflict, none_stated, placeholder, ... */
  readonly reason: string;
  readonly output: string | null;
  readonly answer: null;
  readonly how: string;
  readonly error: null;
};

type Failed = {
  readonly state: 'timed_out' | 'errored';
  readonly reason: string;
  readonly output: null;
  readonly answer: null;
  readonly how: null;
  readonly error: {
    readonly kind: ErrorKind;
    readonly message: string;
    readonly status: number | null;
    /** The provider's name for the failed request; absent in rows of older runs. */
    readonly request_id?: string | null;
  };
};

type NotRun = {
  readonly state: 'not_run';
  /** budget, quota, auth, disk, no_command, crash, interrupted, bail, missing. */
  readonly reason: string;
  readonly output: null;
  readonly answer: null;
  readonly how: null;
  readonly error: null;
};

/** One trial of one sample by one agent: a row of samples.jsonl. */
export type SampleResult = ResultHead & (Scored | Unanswered | Failed | NotRun);

/** Figures of one group of results. Rates are 0..1, times in ms; null means "not known", never 0. */
export type GroupSummary = {
  readonly group: string;
  /** Every selected result: questions times trials. */
  readonly n: number;
  /** Results with a known target: the denominator of accuracy. */
  readonly graded: number;
  readonly questions: number;
  /** Counts over all n, also without a target. */
  readonly states: Readonly<Record<State, number>>;
  /** Errors among the graded: what gates on errors look at. */
  readonly graded_errored: number;
  /** correct / graded; null while any graded result is not_run, and where none is graded. */
  readonly accuracy: number | null;
  /** Accuracy if all not_run were wrong, and if all were right. */
  readonly bounds: readonly [number, number] | null;
  /** Wilson interval over questions; null when accuracy is. */
  readonly ci95: readonly [number, number] | null;
  readonly median_latency_ms: number | null;
  /** True when the median is the deadline of a timed-out sample: the real value is at least that. */
  readonly median_censored: boolean;
  /** Null below 20 timed results. */
  readonly p95_latency_ms: number | null;
  readonly p95_censored: boolean;
  readonly tokens: { readonly input: number | null; readonly output: number | null };
  /** Of all results together; null when one that ran has no cost, and when none has. */
  readonly cost_usd: number | null;
  /** The sum of the known costs, and how many results have none; present where only some have. */
  readonly cost_at_least_usd?: number;
  readonly without_cost?: number;
  /** What this run itself spent; present where that is known and some results came from the answer cache. */
  readonly new_cost_usd?: number;
  /** Present when some of the cost is estimated from token counts and a list of prices. */
  readonly cost_estimated?: true;
  /** Results that came from the answer cache. */
  readonly cached: number;
  /** Results of second or later attempts, as EVAL_CACHE=retry makes them; present above 0. */
  readonly retried?: number;
};

/** Results whose answers stated their confidence alike; "not stated" for the answers that stated none. */
export type ConfidenceBucket = {
  readonly bucket: string;
  readonly n: number;
  readonly correct: number;
  readonly accuracy: number;
};

/** One place among the options as they were presented, 1 for the first. */
export type PositionFigures = {
  readonly position: number;
  /** Results of questions whose only right option stood here. */
  readonly n: number;
  readonly correct: number;
  /** Null where no right option stood here. */
  readonly accuracy: number | null;
  /** Answers that named the option here, right or wrong. */
  readonly chosen: number;
};

/** One suite, dataset and agent. The last group is "all". */
export type SuiteSummary = {
  readonly suite: string;
  readonly dataset: string;
  readonly agent: string;
  readonly groups: readonly GroupSummary[];
  /** Plain mean of the groups' accuracies when all groups are present and complete. */
  readonly macro_accuracy: number | null;
  /** By what answers said of their own confidence, the lowest first; empty where none said anything. */
  readonly confidence: readonly ConfidenceBucket[];
  /** Accuracy of choosing blindly; null where no question is known to have options. */
  readonly chance: number | null;
  /** Mean partial credit by its name, beside accuracy and never part of it; null without any, or while not complete. */
  readonly partial: Readonly<Record<string, number>> | null;
  /** By where the right option stood; empty where options were not put into another order. */
  readonly positions: readonly PositionFigures[];
};

/** Figures of a whole run, as in summary.json (which adds the gates). */
export type Summary = {
  readonly version: 1;
  /** False while any result is not_run. */
  readonly complete: boolean;
  readonly suites: readonly SuiteSummary[];
};
