import type { JudgeVerdicts, State } from './row.ts';

/**
 * The figures of a run, as summary.json has them, and what its gates are on.
 */

/** The ends of a 95 % interval of a time in ms; null for an end that is not known. */
export type TimeInterval = readonly [low: number | null, high: number | null];

/** A rate (0..1) seen in `n` cases, with its 95 % interval. */
export type Rate = {
  readonly value: number;
  readonly n: number;
  /** How many independent cases they are worth; absent where it is `n`. */
  readonly worth?: number;
  readonly ci95: readonly [number, number];
};

/** How judges agree with people who labelled the same answers. */
export type Calibration = {
  readonly labels: number;
  /**
   * Of the answers that people pass, the share that the judges pass; null without such an answer, and
   * for grades.
   */
  readonly tpr: Rate | null;
  /**
   * Of the answers that people fail, the share that the judges fail; null without such an answer, and
   * for grades.
   */
  readonly tnr: Rate | null;
  /** The share of labels that equal the verdict. */
  readonly agreement: number;
  /** Cohen's kappa, of grades with quadratic weights; null where chance alone agrees always. */
  readonly kappa: number | null;
  /** Present for grades, which have no TPR and TNR. */
  readonly kappa_ci95?: readonly [number, number];
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
export type JudgeFigures = Pick<JudgeVerdicts, 'models' | 'prompt_hash' | 'score' | 'scale'> & {
  /** Results that it was asked about. */
  readonly judged: number;
  /** Those of them on which one of the models failed; absent without one. */
  readonly failed?: number;
  /** Null until people have labelled a sample of its verdicts. */
  readonly calibration: Calibration | null;
};

/** The figures of a named score in one group of results. */
export type ScoreFigures = {
  /** The number of results with a value: questions times trials. */
  readonly n: number;
  /** The number of questions with a value, and of clusters as in `GroupSummary`. */
  readonly questions: number;
  readonly clusters?: number;
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
  /** Questions with a known target. */
  readonly graded_questions: number;
  /** Counts over all n, including results without a target. */
  readonly states: Readonly<Record<State, number>>;
  /** Counts over the graded. Tables and gates use these. */
  readonly graded_states: Readonly<Record<State, number>>;
  /** correct / graded; null while any graded result is not_run, and when none is graded. */
  readonly accuracy: number | null;
  /** Accuracy if all not_run were wrong, and if all were right. */
  readonly bounds: readonly [number, number] | null;
  /** Over questions, or over their clusters; null when accuracy is. */
  readonly ci95: readonly [number, number] | null;
  /** How many clusters the counted questions are in; absent where none has a cluster. */
  readonly clusters?: number;
  /** Present if a judge decided some results. */
  readonly corrected?: CorrectedAccuracy;
  /** The named scores of the graded results; absent without one. */
  readonly scores?: Readonly<Record<string, ScoreFigures>>;
  /**
   * Where the suite's expected answers are labels, and nothing is missing: the mean of the F1 of those
   * that are expected here; null for fewer than two.
   */
  readonly macro_f1?: number | null;
  readonly macro_f1_ci95?: readonly [number, number] | null;
  readonly median_latency_ms: number | null;
  /** Null without an end. */
  readonly median_latency_ci95: TimeInterval | null;
  /**
   * True when the median is the deadline of a timed-out sample. The real value is at least that.
   */
  readonly median_censored: boolean;
  /** Null below 20 timed results. */
  readonly p95_latency_ms: number | null;
  readonly p95_latency_ci95: TimeInterval | null;
  readonly p95_censored: boolean;
  /**
   * The time until the first token came, of the results that report it; absent when none does. p95 is
   * null below 20 of them.
   */
  readonly median_first_token_ms?: number;
  readonly median_first_token_ci95?: TimeInterval | null;
  readonly p95_first_token_ms?: number | null;
  readonly p95_first_token_ci95?: TimeInterval | null;
  /**
   * Of the timed results that know it: the median wait for viva's busy process, which is part of the
   * latency; absent when none does. By how much p95 would be lower without each result's wait; absent
   * where p95 is. The median load of the machine by commands, 0 to 1; absent for 0.
   */
  readonly median_own_delay_ms?: number;
  readonly own_delay_in_p95_ms?: number;
  readonly machine_load?: number;
  /** `cached` is the part of the input that providers read from their prompt caches; absent for 0. */
  readonly tokens: {
    readonly input: number | null;
    readonly output: number | null;
    readonly cached?: number;
  };
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

/** How well one label is found among the graded results. Null without a denominator. */
export type LabelSummary = {
  readonly label: string;
  /** Results that should have it, that have it, and that are right to. */
  readonly expected: number;
  readonly given: number;
  readonly right: number;
  /** right / given. */
  readonly precision: Estimate | null;
  /** right / expected. */
  readonly recall: Estimate | null;
  readonly f1: Estimate | null;
};

/** A figure of 0 to 1 with its 95 % interval. */
type Estimate = Readonly<{ value: number; ci95: readonly [number, number] }>;

/** Questions of a public benchmark of which tools showed a copy in some trial. */
type CopyFigures = {
  /** Questions for which a tool returned something. */
  readonly checked: number;
  /** The ids of those whose text was seen: twelve words in a row. */
  readonly text: readonly string[];
  /** The ids of others, for which a page with records of the benchmark was seen. */
  readonly page: readonly string[];
  /** All results without those of these questions. */
  readonly without: Pick<GroupSummary, 'questions' | 'graded' | 'accuracy' | 'ci95'>;
};

/** Answers of agents whose tools did not all answer themselves. */
type ReplacedTools = {
  /** Results that ran. */
  readonly results: number;
  /** Those in which a tool's call was answered by a recording. */
  readonly replayed: number;
  /** Those in which a mock answered. */
  readonly mocked: number;
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
  /** Its interval; null where it is, and where a cluster is in two groups. */
  readonly macro_ci95: readonly [number, number] | null;
  /** What names the clusters: the field, or "cluster" of the suite's own function. Absent without. */
  readonly clustered_by?: string;
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
  /** Present for a public benchmark whose agents' tools returned something. */
  readonly copies?: CopyFigures;
  /** Present if recordings or mocks answered calls of tools. */
  readonly replaced_tools?: ReplacedTools;
  /** The accuracy of random choice; null when no question has known options. */
  readonly chance: number | null;
  /** Figures by the position of the right option; empty when the options were not reordered. */
  readonly positions: readonly PositionFigures[];
  /**
   * The labels that answers are to be, with how many answers are no label and how many results have no
   * answer; absent where expected answers are no labels, and where a result is missing.
   */
  readonly labels?: Readonly<{ each: readonly LabelSummary[]; other: number; none: number }>;
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

/**
 * What a gate of evals/gates.json is on. Its limits are what MEASURES of src/figures/measures.ts
 * allows.
 */
export type GateScope = {
  readonly suite: string;
  /** Absent for whichever dataset the suite has. */
  readonly dataset?: string;
  readonly group: string;
  /** Shown, but without effect on the exit code. */
  readonly advisory?: boolean;
};
