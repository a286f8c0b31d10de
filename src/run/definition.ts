// biome-ignore-all lint/suspicious/noExplicitAny: what a file contains has no type before a schema says it.
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { ExpectStatic } from 'vitest';
import type { KindSetting } from '../agents/own-kind.ts';
import type { HubProgress, HubSettings } from '../data/hub/hub-source.ts';
import type { OpenedRecords } from '../data/load.ts';
import type { MappedRecord } from '../data/prepare-records.ts';
import type { AnyJudge, Judge } from '../judge/judge.ts';
import type { matchers } from '../matchers/index.ts';
import type { EvalConfig } from '../settings.ts';
import type { Answer, AnswerContext, Progress, TraceStep, Usage } from '../words/answer.ts';
import type { ValueGrade } from '../words/row.ts';
import type { Dataset, Message, Note, Question, Sample } from '../words/sample.ts';
import type { ExportName } from './exports.ts';
import type {
  AnswerOf,
  InputOf,
  Late,
  Made,
  MetadataOf,
  OutputFrom,
  OutputsOf,
  RecordOf,
  Said,
  ScoreValues,
  TargetOf,
} from './inferred-types.ts';
import type { UserSimulation } from './simulate-user.ts';

/**
 * The options of `defineEval`. Paths are relative to the eval file. `Input` and `Target` are those
 * of the samples, `Output` is what the agent returns, `Row` a record before `map`: JSON values all.
 * Options that a helper makes have this type, which a generic helper declares, or `satisfies` it:
 *
 * @example
 * export const support = { data: './tickets.jsonl', prompt: './support.md' } satisfies EvalDefinition;
 */
export type EvalDefinition<Input = any, Target = any, Output = any, Row = any> = InferredDefinition<
  Input,
  Target,
  Output,
  Row,
  never,
  'json' | undefined,
  AgentResult<Output>,
  Readonly<Record<string, AgentResult<Output>>>,
  any,
  Readonly<Record<string, any>>,
  any
>;

/**
 * A definition of which TypeScript infers the types. `Mapped` is what `map` returns, `Format` is
 * 'json' for JSON in texts, `Result` and `Results` are what the agents return, `Value` and `Values` what
 * the scores, and `Found` what `extract`.
 */
export type InferredDefinition<
  Input,
  Target,
  Output,
  Row,
  Mapped,
  Format,
  Result,
  Results,
  Value,
  Values,
  Found,
> = Options<
  Input,
  Target,
  Output,
  Row,
  Mapped,
  Format,
  Result,
  Results,
  Value,
  Values,
  Found,
  NoInfer<Said<Input, InputOf<Made<Row, Mapped>>>>,
  OutputFrom<Output, Format, OutputsOf<Result, Results>>,
  Sample<
    Said<Input, InputOf<Made<Row, Mapped>>>,
    Said<Target, TargetOf<Made<Row, Mapped>>>,
    MetadataOf<Made<Row, Mapped>>
  >,
  ScoreInput<
    Said<Input, InputOf<Made<Row, Mapped>>>,
    Said<Target, TargetOf<Made<Row, Mapped>>>,
    OutputFrom<Output, Format, OutputsOf<Result, Results>>,
    RecordOf<Row>,
    MetadataOf<Made<Row, Mapped>>,
    AnswerOf<Found, OutputFrom<Output, Format, OutputsOf<Result, Results>>>
  >
>;

/** The options, where it is known what agents are asked (`In`), return (`Out`) and scores get. */
type Options<
  Input,
  Target,
  Output,
  Row,
  Mapped,
  Format,
  Result,
  Results,
  Value,
  Values,
  Found,
  In,
  Out,
  Asked,
  Scored,
> = {
  /**
   * The records: a list of them, a file (JSON lines, JSON, CSV or Parquet), a folder of such files,
   * "hf:owner/name[@revision][:files]", or a function that returns records or a dataset, as
   * `fromOtlp` of viva/otel does.
   */
  readonly data:
    | string
    | readonly Row[]
    | ((
        context: DataContext,
      ) => Loaded<Input, Target, Row> | Promise<Loaded<Input, Target, Row> | OpenedRecords<Row>>);
  /**
   * Checks the input and the target of each sample when they are loaded, and each output of the
   * agent, which is `no_answer` if it does not fit. Schemas of zod, valibot, arktype and the like.
   */
  readonly schema?: {
    readonly input?: StandardSchemaV1<unknown, Input>;
    readonly target?: StandardSchemaV1<unknown, Target>;
    readonly output?: StandardSchemaV1<unknown, Output>;
  };
  /**
   * Makes a sample from a record. Default: fields with the usual names (id, question or input,
   * answer or target). `index` is 0 for the first record.
   */
  map?(
    record: Row,
    index: number,
  ): Mapped | NoInfer<MappedRecord<Said<Input, any>, Said<Target, any>>>;
  /**
   * 'any' if a target that is a list has answers each of which is right alone; scores get the list.
   * Default: all of a list is expected.
   */
  readonly accepts?: 'any';
  /** The group of a sample in the tables. Default: the group of its record. */
  group?(sample: Asked): string;
  /**
   * Names of fields that group the samples: a table for each. They replace the group of the record.
   */
  readonly groups?: readonly [string, ...string[]];
  /**
   * What questions share, such as a passage, a table or a repository: the name of a field, or a
   * function that names it by the record (the sample, where `data` returns a dataset). Intervals and
   * tests are then over clusters. Default: that of a known dataset. null: the question is alone.
   */
  readonly cluster?: string | ((record: Row) => string | number | null | undefined);
  /**
   * A text or a file with {{question}}, or {{input}}, which is the same; also {{choices}}, {{attachments}} and {{group}}. Default:
   * the question and its options.
   */
  readonly prompt?: string;
  /**
   * The agent to ask if EVAL_AGENT is not set: a function, the path of a module, or a model as
   * EVAL_AGENT names it. viva assumes that it costs money.
   */
  readonly agent?: AgentReturning<In, Result> | string;
  /**
   * Several agents by name, each a column of the tables.
   */
  readonly agents?: {
    readonly [Name in keyof Results]: AgentReturning<In, Results[Name]> | string;
  } & Readonly<Record<string, AgentReturning<In, AgentResult> | string>>;
  /** The user who goes on after `input` or `turns` of a record: `simulateUser({ ... })`. */
  readonly user?: UserSimulation;
  /** 'json' if the agent writes JSON: scores get its value. Any other text is `no_answer`. */
  readonly output?: Format;
  /**
   * Finds the answer in an output; null or "" means no answer. Default: the whole output, of a string
   * what `withoutThoughts` leaves.
   */
  extract?(output: Out, sample: Asked): Found;
  /**
   * Judges an answer, once for each. Return true, false or `{ pass, explanation, diff }`, or assert
   * with the `expect` that it gets. Default: the answer equals the target. `target` is "" if no record
   * has a target.
   */
  readonly score?: ScoringOf<Scored, Value> | Judge<Value>;
  /**
   * Several scores by their names. An answer is right if each one that returns true or false returns
   * true; numbers from 0 to 1 inform, and null says that a score does not apply.
   */
  readonly scores?: {
    readonly [Name in keyof Values]: ScoringOf<Scored, Values[Name]> | Judge<Values[Name]>;
  };
  /** Says from all `scores` whether an answer is right. Default: none of them is false. */
  pass?(scores: ScoreValues<Value, Values>): boolean;
  /**
   * Has judges say which of two answers to a question is better: of several agents or prompts, and
   * beside the run of EVAL_BASELINE. Each pair is judged in both orders: who wins in one alone does
   * not win. It decides no score: wins, ties and losses stand beside the accuracies.
   */
  readonly prefer?: Judge;
  /**
   * False to ask the agent every time: for a score that looks at what the agent changed in the
   * world. Default: true.
   */
  readonly cache?: boolean;
  /** The most questions at a time, within EVAL_CONCURRENCY. */
  readonly concurrency?: number;
  /** How often each question is asked, default 1. EVAL_TRIALS overrides it. */
  readonly trials?: number;
  /** True to leave this suite out. */
  readonly skip?: boolean;
  /** True to leave out the other suites of the eval file. */
  readonly only?: boolean;
  /** Deadline of a question in seconds, default 120. EVAL_TIMEOUT overrides it. */
  readonly timeoutSeconds?: number | ((group: string) => number);
  /** True if `agent` costs nothing: watch mode then needs no limit, and a budget no price. */
  readonly free?: boolean;
  /**
   * Whether the records may be shown in CI. Default: true for a list whose texts are all in the
   * eval file.
   */
  readonly public?: boolean;
};

/**
 * What viva's own suites also say, for GAIA and its leaderboard: `evals/gaia` and `evals/mcq` alone.
 */
export type SuiteDefinition = Omit<EvalDefinition, 'score'> & {
  /** The file with the answers of `EVAL_AGENT=replay`, and the default agent. */
  readonly predictions?: string;
  /**
   * The matcher that the test uses. `score` then gets the whole output and returns that matcher's
   * grade.
   */
  readonly matcher?: Extract<keyof typeof matchers, `toMatch${string}`>;
  /** True if EVAL_LEVEL selects groups. The last group is the hardest. */
  readonly levels?: boolean;
  /** Files of GAIA's leaderboard that a run also writes for this suite. */
  readonly exports?: readonly ExportName[];
  readonly score?: ScoringOf<SuiteScoreInput, ScoreResult> | AnyJudge;
};

/** What the scores of viva's own suites get. */
type SuiteScoreInput = ScoreInput & {
  /** Whether the output is the bare answer, as in leaderboard files, so nothing is extracted from it. */
  readonly verbatim?: boolean;
};

/**
 * The argument of a function that loads data: the settings and the access to the Hub.
 *
 * @example
 * const readLines = ({ folder }: DataContext) =>
 *   readFileSync(join(folder, 'questions.txt'), 'utf8')
 *     .split('\n')
 *     .map((input) => ({ input }));
 * await defineEval('lines', { data: readLines, score: judge('It answers the question.') });
 */
export type DataContext = {
  /** The folder of the eval file. */
  readonly folder: string;
  /** All settings of the run; null where one is not set. */
  readonly settings: EvalConfig;
  readonly hub: HubSettings;
  readonly onProgress: (progress: HubProgress) => void;
  /** The folder for pictures that records contain. */
  readonly pictures: string;
  /** As the suite says them; of `cluster` the name of a field. */
  readonly accepts?: 'any' | undefined;
  readonly cluster?: string | undefined;
  /** Whether bad records are left out (EVAL_SKIP_BAD), instead of refused. */
  readonly skipBad: boolean;
};

/** The notes of a dataset that the user's own code makes may be sentences alone. */
type Loaded<Input, Target, Row> =
  | (Omit<Dataset<Input, Target>, 'notes'> & { readonly notes?: readonly (Note | string)[] })
  | readonly Row[];

type FunctionReturning<Input, Result> = (
  question: Question<Input>,
  context: AgentContext,
) => Result | Promise<Result>;

/** Tokens as the SDKs of OpenAI and the AI SDK return them. Those of Anthropic have viva's two names. */
type SdkUsage =
  | { readonly prompt_tokens: number; readonly completion_tokens: number }
  | {
      readonly inputTokens: number | undefined;
      readonly outputTokens: number | undefined;
    };

/** An Answer, or what was used of it so far, whose usage and trace may be incomplete. */
type Reported<T> = Omit<
  T,
  'usage' | 'trace' | 'sent' | 'messages' | 'conversation' | 'toolCalls'
> & {
  readonly usage?: (Pick<Usage, 'input_tokens' | 'output_tokens'> & Partial<Usage>) | SdkUsage;
  readonly trace?: readonly object[];
};

/**
 * What an agent returns: an object with its output and what is known about it, or a string alone.
 * Money is in US dollars, times in ms.
 *
 * @example
 * const result: AgentResult<string> = {
 *   output: 'Paris',
 *   costUsd: 0.002,
 *   usage: { input_tokens: 40, output_tokens: 5 },
 *   firstTokenMs: 310,
 * };
 */
export type AgentResult<Output = any> =
  | AgentAnswer<Output>
  | (string extends Output ? string : never);

/**
 * What an agent returns if none stands before the score, in whose types it is then missing. A text
 * fits, since scores then get one.
 */
export type WriteAgentBeforeScore = AgentResult<string> & Late;

/**
 * An output with what is known of it. A null output means that there is none, and `reason` says why.
 * Money is in US dollars, times in ms.
 *
 * @example
 * async function readInvoice({ prompt }: Question): Promise<AgentAnswer<{ total: number }>> {
 *   const text = await askMyAgent(prompt);
 *   if (text === '') return { output: null, reason: 'refusal' };
 *   return { output: JSON.parse(text), costUsd: 0.002, trace: [{ tool_calls: [{ name: 'ocr' }] }] };
 * }
 */
export interface AgentAnswer<Output> extends Reported<Omit<Answer, 'output'>> {
  readonly output: Output | null;
  /** No such field: an answer with it is refused. Write `costUsd`. */
  readonly cost?: never;
}

/**
 * The second argument of an agent: its signal and deadline (ms), its work folder, and where it reports
 * its steps.
 *
 * @example
 * export default async function agent({ prompt }: Question, { signal, onProgress }: AgentContext) {
 *   const reply = await fetch('https://agent.example/ask', { method: 'POST', body: prompt, signal });
 *   onProgress({ costUsd: 0.002, trace: [{ tool_calls: [{ name: 'search' }] }] });
 *   return await reply.text();
 * }
 */
export type AgentContext = Omit<AnswerContext, 'onProgress'> & {
  /**
   * Call it after each step with all that was used so far, so that a call that times out still
   * reports it.
   */
  onProgress(progress: Reported<Progress>): void;
};

/**
 * An agent: a function that returns a string or an AgentAnswer, or such a function with a name. `priced`:
 * every answer has `costUsd`, so that a run with EVAL_MAX_COST may ask it. What it throws is `errored`.
 *
 * @example
 * const withModel = (model: string): SuiteAgent<string, string> => ({
 *   name: model,
 *   priced: true,
 *   answer: async ({ prompt }) => ({ output: await askMyAgent(prompt, model), costUsd: 0.002 }),
 * });
 * await defineEval('capitals', {
 *   data: [{ input: 'What is the capital of France?', target: 'Paris' }],
 *   agents: { small: withModel('small'), large: withModel('large') },
 * });
 */
export type SuiteAgent<Input = any, Output = any> = AgentReturning<Input, AgentResult<Output>>;

type AgentReturning<Input, Result> =
  | FunctionReturning<Input, Result>
  | {
      readonly name?: string;
      readonly priced?: boolean;
      readonly answer: FunctionReturning<Input, Result>;
    };

/**
 * Makes an agent of a user's own kind, as `mine` in EVAL_AGENT=mine:x: the target is "x".
 *
 * @example
 * const mine: AgentFactory = (target, { params }) => ({
 *   name: target,
 *   answer: ({ prompt }) => askMyAgent(prompt, target, params['depth']),
 * });
 * export default defineConfig({ plugins: [viva({ agents: { mine } })] }); // EVAL_AGENT=mine:large?depth=2
 */
export type AgentFactory = (
  target: string,
  setting: KindSetting,
) => SuiteAgent | Promise<SuiteAgent>;

/** A function that judges one answer. */
export type Scoring<Input, Target, Output, Result> = ScoringOf<
  ScoreInput<Input, Target, Output>,
  Result
>;

type ScoringOf<Scored, Result> = (input: Scored) => Result | Promise<Result>;

/**
 * What a score gets. `Row` is a record before `map`, `Metadata` its fields that are no others of the
 * sample, and `Answer` what `extract` finds.
 *
 * @example
 * const isShort = ({ output }: ScoreInput<string, string, string>) => output.length < 200;
 */
export type ScoreInput<
  Input = any,
  Target = any,
  Output = any,
  Row = any,
  Metadata = any,
  Answer = Output,
> = {
  /** The agent's whole output, as a value where the suite has `output: 'json'`. */
  readonly output: Output;
  /** What `extract` found in it. */
  readonly answer: Answer;
  readonly input: Input;
  readonly target: Target;
  readonly sample: Sample<Input, Target, Metadata>;
  /**
   * The record before `map`, a copy: of a file what its line says. Where `data` returns a dataset it is
   * the sample's metadata.
   */
  readonly record: Row;
  /** What was said: the question and the answer, or a conversation. */
  readonly messages: readonly Message[];
  /** The agent's steps; empty if it reports none. */
  readonly trace: readonly TraceStep[];
  /**
   * Model calls or tool rounds, tokens, and the cost in US dollars. Null if the agent does not
   * report them.
   */
  readonly steps: number | null;
  readonly usage: Usage | null;
  readonly costUsd: number | null;
  /**
   * The milliseconds that the agent worked, and those until its first token, as in rows. Null where
   * they are not known.
   */
  readonly latencyMs: number | null;
  readonly firstTokenMs: number | null;
  /**
   * The work folder of the agent, with the files that it wrote; removed after the scores. Reading this
   * throws if the answer is a known one: set `cache: false`.
   */
  readonly workdir: string;
  /**
   * Vitest's `expect` of this case, with its snapshots, soft and polled assertions. Await those that
   * return a promise.
   */
  readonly expect: ExpectStatic;
};

/**
 * What a score may say of an answer.
 *
 * @example
 * const sameTotal = ({ output, target }: ScoreInput): Assessment => ({
 *   pass: output.total === target.total,
 *   explanation: `The total is ${output.total}.`,
 *   diff: { actual: output, expected: target },
 * });
 */
export type Assessment = {
  readonly pass: boolean;
  /** Why, in a sentence. */
  readonly explanation?: string | undefined;
  /** What differs: a text, or two values, of which Vitest shows the parts that differ. */
  readonly diff?: string | { readonly actual: unknown; readonly expected: unknown } | undefined;
};

/**
 * What the graders of viva return, such as `gradeMcq`.
 *
 * @example
 * const gradeYesNo = ({ output, target }: ScoreInput<string, string, string>): Verdict => {
 *   if (!/yes|no/i.test(output)) return { state: 'no_answer', reason: 'refusal' };
 *   return { state: output.toLowerCase().startsWith(target) ? 'correct' : 'incorrect' };
 * };
 */
export type Verdict = Pick<ValueGrade, 'state'> & Partial<Omit<ValueGrade, 'state' | 'correct'>>;

/**
 * What `score` may return: true or false, `{ pass, explanation, diff }`, a number from 0 to 1, or null
 * where it does not apply. With assertions, which throw, nothing means true.
 *
 * @example
 * const hasTotal = ({ output, target, expect }: ScoreInput): ScoreResult => {
 *   expect(output).toMatchObject({ total: target.total });
 * };
 */
export type ScoreResult = NamedScore;

/**
 * What a scorer of autoevals and the like returns: a number from 0 to 1, or null for no verdict.
 * `metadata.rationale` or `metadata.reason` says why.
 */
export type ScorerResult = {
  readonly score: number | null;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
};

/**
 * What one of `scores` may return: true or false, a number from 0 to 1, null, `{ pass, explanation,
 * diff }`, or what a scorer of autoevals says.
 *
 * @example
 * const citesSource = ({ output }: ScoreInput<string, string, string>): NamedScore =>
 *   output.includes('http') ? true : { pass: false, explanation: 'No link.' };
 * const closeness = ({ output, target }: ScoreInput<string, number, number>): NamedScore =>
 *   target === 0 ? null : 1 - Math.abs(output / target - 1);
 */
export type NamedScore =
  | boolean
  | number
  | null
  | Assessment
  | Verdict
  | ScorerResult
  | undefined
  // biome-ignore lint/suspicious/noConfusingVoidType: a function of assertions returns nothing.
  | void;
