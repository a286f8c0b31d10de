import type { ConversationFacts, CutShort, ErrorKind, ToolCounts, Usage } from './answer.ts';
import type { Json, Sample } from './sample.ts';
import { toText } from './show.ts';

/**
 * Scores, and the row of a sample in samples.jsonl: the same value in memory, in the file and in the
 * public functions, so its fields have snake_case names.
 */

/**
 * The verdict of a rule on one answer.
 *
 * @example
 * const score: Score = scoreGaia('1,250', '1250');
 * console.log(score.correct, score.explanation); // true 'compared as number: 1250 is 1250'
 */
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
  /** The verdict of every rule on the extracted answer; null without rules. */
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

/** What one judge says: a verdict, a grade from 1 up, or "error" where it failed. */
export type JudgeWord = 'pass' | 'fail' | 'cannot_tell' | 'error' | number;

/** The verdicts, or the grades, of a panel of judges on an answer, by one criterion. */
export type CriterionVerdicts = {
  /** The specs of the judges, as EVAL_JUDGE names them. */
  readonly models: readonly string[];
  /** In the order of `models`. */
  readonly verdicts: readonly JudgeWord[];
  /** The highest grade, where judges give grades; the lowest is 1. */
  readonly scale?: number;
  /** Each judge's own words, or its error. */
  readonly reasons: readonly string[];
  /** Of viva's judge prompt. */
  readonly prompt_hash: string;
  /** As judges read it: with the levels of a scale. */
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

/**
 * What judges said of an answer and another one to the same question, in both orders. It is in the row
 * of the one that came later.
 */
export type PairVerdicts = {
  /** Whose the other answer is: another one of this run, or one of the `run` of EVAL_BASELINE. */
  readonly other: { readonly agent: string; readonly prompt?: string; readonly run?: string };
  /** Of the other answer: the verdicts are on it alone. An answer that took its place has none. */
  readonly other_hash: string;
  /**
   * Of this answer; null if half of the judges or more reached no verdict. Without a majority of wins or
   * losses it is a tie.
   */
  readonly outcome: 'win' | 'tie' | 'loss' | null;
  /** Why it is a tie without doubt: nobody was asked about equal answers, or a verdict turned with the order. */
  readonly tie?: 'equal' | 'turned';
  /** The specs of the judges; none for equal answers. */
  readonly models: readonly string[];
  /** Of each judge: with this answer first, then with the other one first. */
  readonly verdicts: readonly (readonly [PairVerdict, PairVerdict])[];
  /** Each judge's own words, or its error. */
  readonly reasons: readonly (readonly [string, string])[];
  /** Of viva's prompt for pairs. */
  readonly prompt_hash: string;
  readonly criterion: string;
  readonly reference: string | null;
  /** Of question, criterion, reference and both texts, in each order: a replay takes these verdicts. */
  readonly asked_hashes: readonly [string, string];
  /** Of all verdicts; null when it is not known. It is in no cost of an agent. */
  readonly cost_usd: number | null;
  /** What this run paid of it; present if some verdicts were known before. */
  readonly new_cost_usd?: number | null;
};

/** Which answer is better, by its place. "not_asked": the run had stopped, as for its budget. */
export type PairVerdict = 'first' | 'second' | 'tie' | 'cannot_tell' | 'error' | 'not_asked';

/**
 * What tools showed of a public benchmark: the text of the question, a page with records of the
 * benchmark, or nothing.
 */
export type SeenCopy = 'text' | 'page' | 'none';

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
  /** What the question shares with others, as a passage; absent without. Intervals are over clusters. */
  readonly cluster?: string;
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
  /**
   * The part of the latency for which the call surely waited for viva's process, busy with other
   * calls; absent when it is unknown.
   */
  readonly own_delay_ms?: number | undefined;
  /**
   * The share of all processors that the commands took which ended during the call, 0 to 1; absent
   * for 0, for a call that was alone, and when it is unknown.
   */
  readonly machine_load?: number | undefined;
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
   * How EVAL_SHUFFLE_CHOICES had the options shown in this trial: the dataset's own labels in the
   * order of the texts, which `target` and `answer` of the row use too, and the positions of the
   * right and the chosen options, 1 for the first; no right one where the target is hidden, and null
   * without an answer.
   */
  readonly presented?: {
    readonly seed: number;
    readonly order: readonly string[];
    readonly target: readonly number[];
    readonly answer: readonly number[] | null;
  };
  /** Present if judges were asked about the answer. */
  readonly judge?: JudgeVerdicts;
  /** Present if its suite has "prefer", and another answer to the question had come. */
  readonly pairs?: readonly PairVerdicts[];
  /** Present where a tool returned something while a public benchmark was asked. */
  readonly seen_copy?: SeenCopy | undefined;
  /** Present where tools of `recordTools` or `mockTools` were called. */
  readonly tool_calls?: ToolCounts | undefined;
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
   * budget, quota, auth, disk, no_command, crash, interrupted, bail, missing; changed: a file of the
   * agent changed meanwhile, `attempts` is 1 for an answer that was left out; judge: no verdict was
   * reached; score, user, bad_response: the score, the simulated user or the first answers failed.
   */
  readonly reason: string;
  /** Present if the agent answered and only a verdict is missing. */
  readonly output: Json;
  readonly answer: Json;
  readonly how: string | null;
  readonly error: null;
};

/**
 * One trial of one sample by one agent: a row of samples.jsonl. Times are in ms, costs in US dollars.
 *
 * @example
 * const rows: SampleResult[] = readFileSync('.evals/latest/samples.jsonl', 'utf8')
 *   .trim()
 *   .split('\n')
 *   .map((line) => JSON.parse(line));
 * const wrong = rows.filter(({ state }) => state === 'incorrect').map(({ id, answer }) => [id, answer]);
 */
export type SampleResult = ResultHead & (Scored | Unanswered | Failed | NotRun);

/** What a state means for counting and for showing results. */
export type StateFacts = Readonly<{
  /** Its name in reports. */
  label: string;
  /** Its column in the tables of figures; null if it has none. */
  column: Readonly<{ head: string; shown: 'always' | 'when any' }> | null;
  /** Whether the sample was asked, or its answer replayed or cached. */
  ran: boolean;
  /** Its verdict, "none" for an answer in which no answer was found; null if it has none. */
  verdict: 'right' | 'wrong' | 'none' | null;
  /** Whether the test of the sample fails. */
  fails: boolean;
  /** Whether an error came instead of an answer. */
  isError: boolean;
  /** "with target": in accuracy only if the target is known; true: always. */
  inAccuracy: boolean | 'with target';
  /**
   * Its latency: that of the answer, the deadline as a lower bound, or null if no figure uses it.
   */
  latency: 'answer' | 'deadline' | null;
  /**
   * Who may have written its reason if it has no output, and its explanation if the reason is
   * "score". Where records are hidden, only the words of viva are shown: those of an agent or of a
   * score may quote a record.
   */
  reasonBy: 'viva' | 'agent';
  explanationBy: 'viva' | 'score';
}>;

const VIVA = { reasonBy: 'viva', explanationBy: 'viva' } as const;
const RAN = {
  ran: true,
  verdict: 'wrong',
  fails: true,
  isError: false,
  latency: 'answer',
} as const;

/** All states in the order of reports. To add one: an entry. */
const FACTS = {
  correct: {
    ...RAN,
    ...VIVA,
    label: 'correct',
    column: null,
    verdict: 'right',
    fails: false,
    inAccuracy: true,
  },
  incorrect: { ...RAN, ...VIVA, label: 'incorrect', column: null, inAccuracy: true },
  no_answer: {
    ...RAN,
    reasonBy: 'agent',
    explanationBy: 'viva',
    verdict: 'none',
    label: 'no answer',
    column: { head: 'no answer', shown: 'always' },
    inAccuracy: 'with target',
  },
  timed_out: {
    ...RAN,
    ...VIVA,
    label: 'timed out',
    column: { head: 'timed out', shown: 'when any' },
    inAccuracy: 'with target',
    latency: 'deadline',
  },
  errored: {
    ...RAN,
    ...VIVA,
    label: 'errored',
    column: { head: 'errors', shown: 'always' },
    isError: true,
    inAccuracy: 'with target',
    latency: null,
  },
  ungraded: {
    ...RAN,
    ...VIVA,
    verdict: null,
    label: 'ungraded',
    column: { head: 'ungraded', shown: 'when any' },
    fails: false,
    inAccuracy: false,
  },
  not_run: {
    ...RAN,
    reasonBy: 'viva',
    explanationBy: 'score',
    verdict: null,
    label: 'not run',
    column: { head: 'NOT RUN', shown: 'when any' },
    ran: false,
    fails: false,
    inAccuracy: 'with target',
    latency: null,
  },
} as const satisfies Readonly<Record<string, StateFacts>>;

/** The end of a sample. */
export type State = keyof typeof FACTS;

export const STATES: Readonly<Record<State, StateFacts>> = FACTS;

export const ALL_STATES = Object.keys(STATES) as readonly State[];

/** Whether the sample of a result was asked, or its answer replayed or cached. */
export function hasRun({ state }: Pick<SampleResult, 'state'>): boolean {
  return STATES[state].ran;
}

/**
 * Whether the agent gave an answer, or failed to: also where only the verdict of a judge is
 * missing.
 */
export function wasAsked(row: Pick<SampleResult, 'state' | 'output'>): boolean {
  return hasRun(row) || row.output !== null;
}

/**
 * Whether the next run asks again after an error: one of the provider, the connection or this
 * machine. All other outcomes are cached.
 */
export function isAskedAgain(reason: string | null): boolean {
  return ASKED_AGAIN.some((kind) => kind === reason);
}

/** What one error of each kind is called, and several. */
export const ERROR_NAMES: Readonly<Record<ErrorKind, readonly [one: string, several: string]>> = {
  rate_limit: ['call over the rate limit', 'calls over the rate limit'],
  quota: ['call over the quota', 'calls over the quota'],
  auth: ['call with a refused key', 'calls with a refused key'],
  bad_request: ['refused request', 'refused requests'],
  server: ['server error', 'server errors'],
  network: ['network error', 'network errors'],
  machine: ['fault of this machine', 'faults of this machine'],
  timed_out: ['timeout', 'timeouts'],
  bad_response: ['unreadable answer', 'unreadable answers'],
  step_limit: ['step limit reached', 'step limits reached'],
  agent_crash: ['crash', 'crashes'],
  tool_not_recorded: [
    'tool call without recording or mock',
    'tool calls without recording or mock',
  ],
};

const ASKED_AGAIN: readonly ErrorKind[] = [
  'rate_limit',
  'quota',
  'auth',
  'server',
  'network',
  'machine',
];

type Costs = Readonly<{ total: number | null; newlySpent: number | null }>;

/**
 * What a result cost with its judges, and what its run added to that: cached parts cost nothing.
 * Null if not known.
 */
export function costOf({
  cost_usd,
  cached,
  judge,
}: Pick<SampleResult, 'cost_usd' | 'cached' | 'judge'>): Costs {
  const asking = cached ? 0 : cost_usd;
  if (judge === undefined) return { total: cost_usd, newlySpent: asking };
  const { cost_usd: judging, new_cost_usd: judged = judging } = judge;
  const add = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);
  return { total: add(cost_usd, judging), newlySpent: add(asking, judged) };
}

/** What the run of a result has spent on it: with its judges, and those of its pairs. Null if not known. */
export function spentOn(row: Pick<SampleResult, 'cost_usd' | 'cached' | 'judge' | 'pairs'>) {
  const { newlySpent } = costOf(row);
  const pairs = (row.pairs ?? []).flatMap((pair) => pair.new_cost_usd ?? pair.cost_usd ?? []);
  if (newlySpent === null && pairs.length === 0) return null;
  return pairs.reduce((sum, cost) => sum + cost, newlySpent ?? 0);
}

export function isCorrect({ state }: Pick<SampleResult, 'state'>): boolean {
  return STATES[state].verdict === 'right';
}

/** Whether the target is known. Without one a result is in no accuracy, whatever its state. */
export function hasTarget({ state, target }: Pick<SampleResult, 'state' | 'target'>): boolean {
  const { inAccuracy } = STATES[state];
  return inAccuracy === 'with target' ? target !== null : inAccuracy;
}

/** The texts any one of which is the right answer of a sample, or of its row: one, unless it accepts several. */
export function listAccepted({
  target,
  accepts,
}: Pick<Sample | SampleResult, 'target' | 'accepts'>): readonly string[] {
  const isAny = accepts === 'any' && Array.isArray(target);
  return isAny ? target.map((each) => toText(each)) : [toText(target)];
}

/** Whether a result counts in accuracy. Errors, timeouts and missing answers count as wrong. */
export function isCounted(result: Pick<SampleResult, 'state' | 'target'>): boolean {
  return hasTarget(result) && hasRun(result);
}

/** How many results are in each state. Every state has an entry. */
export function countStates(results: readonly SampleResult[]): Readonly<Record<State, number>> {
  const counts = Object.fromEntries(ALL_STATES.map((state) => [state, 0])) as Record<State, number>;
  for (const { state } of results) counts[state] += 1;
  return counts;
}
