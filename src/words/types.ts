/**
 * The types that the whole project shares. This file imports nothing, and every file may import it.
 *
 * Values that are written to disk (`SampleResult`, `Summary`, `Usage`) have snake_case fields, so a
 * row of samples.jsonl is the same value in memory, in the file and in the public functions.
 */

/** A value as JSON has it. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [field: string]: Json };

/** A file that belongs to a sample. `path` is absolute and inside the dataset's folder. */
export type Attachment = {
  readonly name: string;
  readonly path: string;
};

/** One message of a conversation, in the words of the user or of the agent ("assistant"). */
export type Message = { readonly role: 'user' | 'assistant'; readonly content: string };

/** The user whom a model plays. Never shown to the agent. */
export type SimulatedUser = {
  readonly persona: string | null;
  readonly goal: string;
  /** The most messages of the user, with those of the record. */
  readonly maxTurns: number;
};

/** One question of a dataset, in the same form for every layout. `Input` and `Target` are JSON. */
export type Sample<Input = Json, Target = Json> = {
  readonly id: string;
  readonly suite: string;
  /** The dataset's question, without a prompt around it. For `turns` it is all of them, a paragraph each. */
  readonly input: Input;
  /**
   * The user's messages, each sent after the agent's reply to the one before; empty where a simulated
   * user speaks first.
   */
  readonly turns?: readonly string[];
  /** The user who goes on after `turns` or `input`. */
  readonly user?: SimulatedUser;
  /**
   * The expected answer; null when the dataset hides it (such a sample is `ungraded`). For multiple
   * choice: the labels of the right options joined by "," ("B", "A,D"), or "NONE" when no option is
   * right.
   */
  readonly target: Target | null;
  /**
   * 'any' if the target is a list of answers (for multiple choice: of labels) any one of which is right;
   * absent if all of it is expected.
   */
  readonly accepts?: 'any';
  /**
   * "level 1" to "level 3" for GAIA, the subject for multiple choice, the record's group for own
   * suites; "all" without one.
   */
  readonly group: string;
  /** Groupings by name, the first being that of `group`, as {level: "2", topic: "law"}; absent if unnamed. */
  readonly groups?: Readonly<Record<string, string>>;
  /** Option texts by label, in the order in which the agent sees them. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Present when the question itself lists its options, so they are neither shown again nor shuffled. */
  readonly choicesInside?: true;
  /** Whether several options may be right; absent when the dataset does not say. */
  readonly multiple?: boolean;
  readonly attachments: readonly Attachment[];
  /**
   * All other fields of the record. Never shown to an agent: GAIA's annotator metadata contains the
   * solution.
   */
  readonly metadata: Readonly<Record<string, unknown>>;
  /**
   * Present when the order of the options differs from the dataset's. `target` and `choices` then
   * follow the new order.
   */
  readonly presentation?: Presentation;
};

/** The new order of a question's options. Never shown to an agent. */
type Presentation = {
  readonly seed: number;
  /** The dataset's label of each option, by the label that the agent sees. */
  readonly ownLabels: Readonly<Record<string, string>>;
};

/**
 * What notes are about: how records were read, what the user's own function for data says, agents and
 * their answers. `reporters/remarks.ts` says where each kind is shown.
 */
export const NOTE_KINDS = [
  'layout',
  'left out',
  'unread',
  'no target',
  'no id',
  'matched by all',
  'source',
  'order',
  'index base',
  'accepts any',
  'placeholder',
  'submission',
  'own',
  'tools',
  'leak guard',
  'no leak guard',
  'unknown ids',
  'unknown fields',
  'own delay',
] as const;

export type NoteKind = (typeof NOTE_KINDS)[number];

/** A sentence for the report, made where its fact is known. */
export type Note = { readonly kind: NoteKind; readonly text: string };

/** The result of a loader: the samples, and notes on how they were read. */
export type Dataset<Input = Json, Target = Json> = {
  /** A short name for gates and reports; "sample" for the committed samples. */
  readonly name: string;
  readonly samples: readonly Sample<Input, Target>[];
  /** The recognised layout, skipped rows and the like, in one sentence each. */
  readonly notes: readonly Note[];
  /** Which fields were read as what, in the form of EVAL_MCQ_FIELDS. */
  readonly shape?: string;
  readonly source?: DatasetSource;
  /**
   * Ids of rows that are not questions but that a complete submission to the leaderboard must list.
   */
  readonly placeholders?: readonly string[];
  /** Where the bad records were that EVAL_SKIP_BAD left out: "questions.jsonl:3". */
  readonly leftOut?: readonly string[] | undefined;
  /**
   * Downloads the attachments of the samples to run. Await it before the first question is asked.
   */
  fetch?(samples: readonly Sample<Input, Target>[]): Promise<void>;
};

/** One part of a selection of samples. `index` is 1 for the first part, as in `--shard=1/4`. */
export type Shard = { readonly index: number; readonly count: number };

/** Where records came from, so a figure can be traced to them. */
export type DatasetSource = {
  /** The source as the user gave it: a path, or "hf:owner/name@revision". */
  readonly uri: string;
  /** The commit of the revision on the Hub; null for local files. */
  readonly revision: string | null;
  /** SHA-256 of the files with the records. */
  readonly hash: string;
};

/** The input of an agent: a sample without what only graders may know, with what the user says. */
export type Question<Input = string> = Omit<
  Sample<Input>,
  'target' | 'accepts' | 'metadata' | 'presentation' | 'groups' | 'turns' | 'user'
> & {
  /** The text to answer. In a conversation it is the user's last message. */
  readonly prompt: string;
  /** The conversation so far. Its last message is the user's and has the text of `prompt`. */
  readonly messages: readonly Message[];
};

/** Token counts. `input_tokens` includes the cached ones, `output_tokens` the reasoning ones. */
export type Usage = {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_tokens: number;
  readonly reasoning_tokens: number;
};

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

/** The answer of an agent. */
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
  readonly cost?: number;
  /** True if viva has estimated the cost (tokens times list price). */
  readonly costEstimated?: true;
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
};

/** How a conversation went. */
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
  | 'model'
  | 'usage'
  | 'cost'
  | 'costEstimated'
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

/** The context of one call of an agent. */
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
  }[];
  /**
   * Whether tools refuse copies of the benchmark on the web: all tools that read the web ("on"),
   * some ("in part"), or none ("off").
   */
  readonly leak_guard: 'on' | 'in part' | 'off' | 'no web';
};

/** An agent answers questions. Reports show its `name`. */
export type Agent = {
  readonly name: string;
  /**
   * Identifies what answers depend on besides the question, the prompt and the limits: model,
   * parameters, server, code. Answers of an agent without a fingerprint are never cached.
   */
  readonly fingerprint?: string;
  /** True when every answer has a cost, so a budget can be enforced. */
  readonly priced?: boolean;
  /** The prices by which costs are estimated; absent when costs are not estimated. */
  readonly price?: AgentPrice;
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
  /** Which edits of its files change the fingerprint, if not all do. One sentence. */
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
  /** The agent that was asked. */
  readonly agent: string;
  readonly prompt: { readonly text: string; readonly hash: string; readonly name: string | null };
  /** EVAL_TIMEOUT and EVAL_MAX_STEPS; null for the defaults. */
  readonly timeout_seconds: number | null;
  readonly max_steps: number | null;
  /** Seconds that a question of each group could take. */
  readonly deadlines: readonly (readonly [group: string, seconds: number])[];
  /** When a trial was answered; undefined if the run has no answer. */
  timesOf(
    id: string,
    trial: number,
  ): { readonly started_at: string; readonly answered_at: string } | undefined;
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

/**
 * A failure of an agent. It is not an answer: the sample gets the state `errored` or `timed_out`.
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

/** The verdict of a rule on one answer. */
export type Score = {
  readonly correct: boolean;
  /** The answer that was compared; null when none was found. */
  readonly answer: string | null;
  /**
   * How the answer was found in the output ("final answer marker", "whole text", "as given", ...).
   */
  readonly how: string;
  /** The rule that was applied ("official", "set match", ...). */
  readonly rule: string;
  /** One sentence: how the answer was compared, and why it does or does not match. */
  readonly explanation: string;
  /** Other scores of the answer, by name. The verdict does not depend on them here. */
  readonly scores?: NamedScores;
};

/**
 * Scores of one answer by name: true or false, or a number from 0 to 1. Null where there is no value,
 * as for a judge that gave no verdict, or a score that does not apply to the question.
 */
export type NamedScores = Readonly<Record<string, boolean | number | null>>;

/** The verdict on an output: a score and the state that follows from it. */
export type Grade = Score & {
  readonly state: 'correct' | 'incorrect' | 'no_answer';
  /** For `no_answer`: empty, refusal, conflict, placeholder and the like. */
  readonly reason: string | null;
  /** The verdict of every rule on the extracted answer, for the rule audit; null without rules. */
  readonly rules: Readonly<Record<string, boolean>> | null;
  /** The confidence that the output states; null when it states none. */
  readonly confidence: string | number | null;
  /** Whether viva's readers surely read what the output answers; absent where they read nothing. */
  readonly certain?: boolean;
  /** Of several accepted answers the one that the answer matched. */
  readonly accepted?: string;
};

/** A grade whose answer may be any JSON value. */
export type ValueGrade = Omit<Grade, 'answer' | 'accepted'> & {
  readonly answer: Json;
  readonly accepted?: Json;
};

/**
 * To add a state: name it here and in a member of the union `SampleResult`, and add its line in
 * src/words/states.ts. The compiler asks for it.
 */
export type State =
  | 'correct'
  | 'incorrect'
  | 'no_answer'
  | 'timed_out'
  | 'errored'
  | 'ungraded'
  | 'not_run';

/** The verdicts of a panel of judges on an answer, by one criterion. */
export type CriterionVerdicts = {
  /** The specs of the judges, as EVAL_JUDGE names them. */
  readonly models: readonly string[];
  /** In the order of `models`. */
  readonly verdicts: readonly ('pass' | 'fail' | 'cannot_tell' | 'error')[];
  /** Each judge's own words, or its error. */
  readonly reasons: readonly string[];
  /** Of viva's judge prompt. */
  readonly prompt_hash: string;
  readonly criterion: string;
  /** The named score that asked; absent where a suite has one score without a name. */
  readonly score?: string;
  readonly reference: string | null;
  /**
   * Of question, criterion, reference and the text that was judged: a replay takes the verdicts on
   * equal ones.
   */
  readonly asked_hash?: string;
};

/** The verdicts of judges on an answer, by the criterion that decided. */
export type JudgeVerdicts = CriterionVerdicts & {
  /**
   * By the other criteria, in the order of the verdicts; absent where one criterion judges an
   * answer.
   */
  readonly others?: readonly CriterionVerdicts[];
  /** Of all verdicts on this answer; null when it is not known. */
  readonly cost_usd: number | null;
  /** What this run paid of it; present if some verdicts were known before. */
  readonly new_cost_usd?: number | null;
};

/** The fields of every row of samples.jsonl. Times are in ms, timestamps in ISO 8601. */
type ResultHead = {
  readonly version: 1;
  readonly suite: string;
  readonly dataset: string;
  readonly agent: string;
  /**
   * "<file name>@<first 8 digits of prompt_hash>", as in "short.md@1a2b3c4d"; absent where the
   * suite has one prompt.
   */
  readonly prompt?: string;
  readonly model: string | null;
  readonly id: string;
  /** 1 for the first trial. */
  readonly trial: number;
  readonly group: string;
  /** Groupings by name, the first being that of `group`, as {level: "2", topic: "law"}; absent if unnamed. */
  readonly groups?: Readonly<Record<string, string>>;
  readonly target: Json;
  /** 'any' if any one answer of `target` is right. */
  readonly accepts?: 'any';
  /** The one of these that the answer matched. */
  readonly accepted?: Json;
  /** The verdict of every rule on the answer; null without rules or without an answer. */
  readonly rules: Readonly<Record<string, boolean>> | null;
  readonly explanation: string;
  /**
   * The time that the agent worked; for `timed_out` the deadline. Null when it is unknown, or when
   * nothing ran.
   */
  readonly latency_ms: number | null;
  /** The time until the first token of the answer came; absent when it is unknown. */
  readonly first_token_ms?: number;
  /** The time of waiting for a busy provider. It is not part of the latency. */
  readonly waited_ms: number;
  readonly usage: Usage | null;
  readonly cost_usd: number | null;
  /** Present when the cost is estimated from token counts and list prices. */
  readonly cost_estimated?: true;
  readonly cached: boolean;
  readonly attempts: number;
  readonly steps: number | null;
  readonly confidence: string | number | null;
  /** Whether the answer was surely read from the output; absent where viva's readers read nothing. */
  readonly certain?: boolean;
  /**
   * How many concurrent calls the provider was allowed when this call ended; absent when no agent
   * was asked.
   */
  readonly slots?: number;
  readonly started_at: string | null;
  readonly answered_at: string | null;
  readonly prompt_hash: string;
  readonly question_hash: string;
  /**
   * How many options a multiple-choice question has, and whether several may be right (null:
   * unknown).
   */
  readonly options?: number;
  readonly multiple?: boolean | null;
  /** Absent where nothing was scored, as after an error. docs/scoring.md says how figures count it. */
  readonly scores?: NamedScores;
  /**
   * The positions of the right and the chosen options (null without an answer) in the order that
   * EVAL_SHUFFLE_CHOICES made, 1 for the first. `target` and `answer` of the row use the dataset's
   * own labels.
   */
  readonly presented?: {
    readonly seed: number;
    readonly target: readonly number[];
    readonly answer: readonly number[] | null;
  };
  /** Present if judges were asked about the answer. */
  readonly judge?: JudgeVerdicts;
  /** Present for a conversation. `cost_usd` and the budget count both sides, all else the agent's. */
  readonly conversation?: ConversationFacts;
};

type Scored = {
  readonly state: 'correct' | 'incorrect' | 'ungraded';
  /** Why the output was cut short; null when it was not. */
  readonly reason: CutShort | null;
  readonly output: Json;
  readonly answer: Json;
  readonly how: string;
  readonly error: null;
};

type Unanswered = {
  readonly state: 'no_answer';
  /** missing, empty, refusal, conflict, none_stated, placeholder, ... */
  readonly reason: string;
  readonly output: Json;
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
    /** The provider's id of the failed request; absent in rows of older runs. */
    readonly request_id?: string | null;
  };
};

type NotRun = {
  readonly state: 'not_run';
  /**
   * budget, quota, auth, disk, no_command, crash, interrupted, bail, missing; judge: no verdict was
   * reached.
   */
  readonly reason: string;
  /** Present if the agent answered and only a verdict is missing. */
  readonly output: Json;
  readonly answer: Json;
  readonly how: string | null;
  readonly error: null;
};

/** One trial of one sample by one agent: a row of samples.jsonl. */
export type SampleResult = ResultHead & (Scored | Unanswered | Failed | NotRun);

/** A rate (0..1) seen in `n` cases, with its 95 % Wilson interval. */
export type Rate = {
  readonly value: number;
  readonly n: number;
  readonly ci95: readonly [number, number];
};

/** How judges agree with people who labelled the same answers. */
export type Calibration = {
  readonly labels: number;
  /**
   * Of the answers that people pass, the share that the judges pass; null without such an answer.
   */
  readonly tpr: Rate | null;
  /**
   * Of the answers that people fail, the share that the judges fail; null without such an answer.
   */
  readonly tnr: Rate | null;
  /** The share of labels that equal the verdict. */
  readonly agreement: number;
  /** Cohen's kappa; null where chance alone agrees always. */
  readonly kappa: number | null;
  /**
   * Present if the judge's code, parameters, server or EVAL_CACHE_KEY were others when the labelled
   * answers were judged.
   */
  readonly changed?: true;
};

/** Accuracy corrected for the known errors of a judge (Rogan-Gladen). */
export type CorrectedAccuracy = {
  /** Results that a judge decided. The others are counted as they are. */
  readonly judged: number;
  /** Null where it is not known; `why` says why. */
  readonly accuracy: number | null;
  /** Lang-Reiczigel interval: it has the uncertainty of the answers and of the labels. */
  readonly ci95: readonly [number, number] | null;
  readonly why: 'uncalibrated' | 'no better than chance' | 'several judges' | 'not run' | null;
};

/** One panel of judges with one criterion, and how it was calibrated. */
export type JudgeFigures = Pick<JudgeVerdicts, 'models' | 'prompt_hash' | 'score'> & {
  /** Results that it was asked about. */
  readonly judged: number;
  /** Null until people have labelled a sample of its verdicts. */
  readonly calibration: Calibration | null;
};

/** The figures of a named score in one group of results. */
export type ScoreFigures = {
  /** The number of results with a value: questions times trials. */
  readonly n: number;
  /** Null while a value is missing, and when no result has one. */
  readonly mean: number | null;
  readonly ci95: readonly [number, number] | null;
  /** How many values are missing (not run, or no verdict), and the mean if all were 0, or 1. */
  readonly open?: number;
  readonly bounds?: readonly [number, number];
  /** "rate": the share that is true; "mean": the mean of numbers from 0 to 1. */
  readonly kind: 'rate' | 'mean';
  /** Present if a judge gave some of the values. */
  readonly corrected?: CorrectedAccuracy;
};

/**
 * Figures of one group of results. Rates are 0 to 1, times in ms. Null means "unknown", never 0.
 */
export type GroupSummary = {
  readonly group: string;
  /** The number of selected results: questions times trials. */
  readonly n: number;
  /** Results with a known target: the denominator of accuracy. */
  readonly graded: number;
  readonly questions: number;
  /** Counts over all n, including results without a target. */
  readonly states: Readonly<Record<State, number>>;
  /** Errors among the graded. Gates on errors use this count. */
  readonly graded_errored: number;
  /** correct / graded; null while any graded result is not_run, and when none is graded. */
  readonly accuracy: number | null;
  /** Accuracy if all not_run were wrong, and if all were right. */
  readonly bounds: readonly [number, number] | null;
  /** Wilson interval over questions; null when accuracy is. */
  readonly ci95: readonly [number, number] | null;
  /** Present if a judge decided some results. */
  readonly corrected?: CorrectedAccuracy;
  /** The named scores of the graded results; absent without one. */
  readonly scores?: Readonly<Record<string, ScoreFigures>>;
  readonly median_latency_ms: number | null;
  /**
   * True when the median is the deadline of a timed-out sample. The real value is at least that.
   */
  readonly median_censored: boolean;
  /** Null below 20 timed results. */
  readonly p95_latency_ms: number | null;
  readonly p95_censored: boolean;
  /**
   * The time until the first token came, of the results that report it; absent when none does. p95 is
   * null below 20 of them.
   */
  readonly median_first_token_ms?: number;
  readonly p95_first_token_ms?: number | null;
  readonly tokens: { readonly input: number | null; readonly output: number | null };
  /**
   * The cost of all results; null when any result that ran has no cost, when none has one, and when
   * calls were cut off.
   */
  readonly cost_usd: number | null;
  /**
   * The sum of the known costs; present when others are not known. `without_cost` counts results
   * without one.
   */
  readonly cost_at_least_usd?: number;
  readonly without_cost?: number;
  /**
   * The cost of this run's own calls; present when it is known and some results came from the
   * answer cache.
   */
  readonly new_cost_usd?: number;
  /** Present when some of the cost is estimated from token counts and list prices. */
  readonly cost_estimated?: true;
  /** Results that came from the answer cache. */
  readonly cached: number;
  /**
   * Results of second or later attempts, which EVAL_CACHE=retry makes; absent when there are none.
   */
  readonly retried?: number;
};

/**
 * The results whose answers state the same confidence; "not stated" for answers that state none.
 */
export type ConfidenceBucket = {
  readonly bucket: string;
  readonly n: number;
  readonly correct: number;
  readonly accuracy: number;
};

/** How well answers know whether they are right, by the probabilities that they state. */
export type ProbabilityFigures = {
  /** Answers that state one. */
  readonly n: number;
  /** The mean of (probability - right or not)^2: 0 is best. */
  readonly brier: Rate;
  /**
   * The chance that a right answer states a higher probability than a wrong one: 0.5 tells nothing.
   * Null without a right or a wrong answer.
   */
  readonly auroc: Rate | null;
};

/**
 * The figures of one position among the options, 1 for the first, in the order that the agent saw.
 */
export type PositionFigures = {
  readonly position: number;
  /** Results of questions whose only right option was here. */
  readonly n: number;
  readonly correct: number;
  /** Null when no right option was here. */
  readonly accuracy: number | null;
  /** Answers that chose the option here, right or wrong. */
  readonly chosen: number;
};

/** One suite, dataset, agent and prompt. The last group is "all". */
export type SuiteSummary = {
  readonly suite: string;
  readonly dataset: string;
  readonly agent: string;
  /** As in rows; absent where the suite has one prompt. */
  readonly prompt?: string;
  readonly groups: readonly GroupSummary[];
  /** The name of the first grouping, if it has one. */
  readonly grouped_by?: string;
  /** The same results by each further grouping, without "all"; absent without one. */
  readonly slices?: readonly { readonly by: string; readonly groups: readonly GroupSummary[] }[];
  /**
   * The unweighted mean of the groups' accuracies; null unless all groups are present and complete.
   */
  readonly macro_accuracy: number | null;
  /** Results by the confidence that answers state, the lowest first; empty when none states any. */
  readonly confidence: readonly ConfidenceBucket[];
  /**
   * The highest number of the scale of stated numbers: 1, 10 or 100. Absent without numbers, or if
   * they are on several.
   */
  readonly confidence_scale?: number;
  /** Absent where no answer states a number, or they are on several scales. */
  readonly probability?: ProbabilityFigures;
  /**
   * How many outputs were read with doubt (an answer that may be another one), and how many not at
   * all (no answer, or two). Absent where viva's readers read nothing.
   */
  readonly readings?: Readonly<{ uncertain: number; unread: number }>;
  /** The accuracy of random choice; null when no question has known options. */
  readonly chance: number | null;
  /** Figures by the position of the right option; empty when the options were not reordered. */
  readonly positions: readonly PositionFigures[];
  /** The judges that decided results; absent without one. */
  readonly judges?: readonly JudgeFigures[];
};

/** The figures of a whole run. summary.json adds the gates to them. */
export type Summary = {
  readonly version: 1;
  /** False while any result is not_run. */
  readonly complete: boolean;
  readonly suites: readonly SuiteSummary[];
};

/** A limit on a named score, 0..1. */
export type ScoreLimit = {
  readonly name: string;
  readonly at_least?: number;
  readonly at_most?: number;
};

/** Thresholds on one group of one suite and dataset, as in evals/gates.json; rates are 0..1. */
export type Gate = {
  readonly suite: string;
  readonly dataset: string;
  readonly group: string;
  /** Accuracy must be at least this. */
  readonly min_accuracy?: number;
  /** Each question must be right in at least this share of its trials. */
  readonly min_pass_rate_per_case?: number;
  /**
   * The 95 % interval of the difference from the baseline must not go further below 0 than this.
   */
  readonly max_drop?: number;
  /**
   * Largest share of errored results. Time-outs do not count here: they are the agent's fault, and
   * accuracy counts them.
   */
  readonly max_errored?: number;
  /** The mean of a named score must be `at_least` this. */
  readonly min_score?: ScoreLimit | readonly ScoreLimit[];
  /** Like `max_drop`, for the drop of a named score: `at_most` this. */
  readonly max_score_drop?: ScoreLimit | readonly ScoreLimit[];
  /** The largest cost of all results in US dollars, and the largest latencies. */
  readonly max_cost_usd?: number;
  readonly max_median_ms?: number;
  readonly max_p95_ms?: number;
  /**
   * The 95 % intervals of the judges' TPR and TNR must begin at this or above: few labels do not
   * meet it by luck.
   */
  readonly min_judge_tpr?: number;
  readonly min_judge_tnr?: number;
  /** Shown, but without effect on the exit code. */
  readonly advisory?: boolean;
};
