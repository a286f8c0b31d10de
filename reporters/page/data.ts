import type { Outcomes } from '../../src/figures/populations.ts';
import type { PassRate, TrialFigures } from '../../src/figures/summarize.ts';
import type { Turn } from '../../src/words/conversation.ts';
import type { GroupSummary, SuiteSummary } from '../../src/words/figures.ts';
import type { State } from '../../src/words/row.ts';

/**
 * What the page shows. `report.html` has it inside, and `viva view` sends it. Every figure is one that
 * viva computed: the page counts answers, and computes nothing else.
 */

/** The head of a run: all that its overview shows. */
export type Head = Readonly<{
  version: 1;
  run: RunFacts;
  /** Which banner stands above its texts, if any. */
  banner: 'hidden' | 'private' | null;
  states: Readonly<Record<State, StateOnPage>>;
  /** Suite, agent and prompt, in the order of the tables. Answers name one by its place. */
  variants: readonly PageVariant[];
  /** In the order of the tables. */
  figures: readonly PageFigures[];
  /** The names of all named scores; an answer has their values in this order. */
  scores: readonly string[];
  /** Null while the run goes on; a null code leaves it to Vitest. */
  exit: Readonly<{ code: number | null; reason: string; problems: readonly string[] }> | null;
  gates: readonly PageGate[];
  remarks: readonly PageRemark[];
  prompts: readonly PagePrompt[];
  /** Agents and prompts with each other. */
  pairs: readonly PageComparison[];
  /** With EVAL_BASELINE; null without. */
  baseline: PageRunComparison | null;
  /** With an earlier turn of watch mode. */
  flips: readonly PageComparison[];
  /** The path from the page to the run folder, if it is another folder. */
  base?: string;
  /** Why the file has not all texts; absent if it has, and in `viva view`. */
  left_out?: LeftOut;
}>;

type RunFacts = Readonly<{
  name: string;
  started_at: string;
  is_live: boolean;
  is_complete: boolean;
  versions: Readonly<Record<string, string>>;
  commit: string | null;
  questions: number;
}>;

export type StateOnPage = Readonly<{
  label: string;
  is_right: boolean;
  fails: boolean;
  is_error: boolean;
}>;

export type PageVariant = Readonly<{
  suite: string;
  dataset: string;
  agent: string;
  prompt?: string;
  prompt_hash: string;
  /** As columns of tables name it: its prompt alone where one agent was asked. */
  name: string;
  /** Whether its answers are those of the committed samples. */
  is_made_up?: true;
  /** How many answers are planned. */
  planned: number;
}>;

/** A group with its results as tables count them. */
export type PageGroup = Omit<GroupSummary, 'states' | 'graded_states'> &
  Readonly<{ outcomes: Outcomes }>;

/** The figures of a variant, and what stands below its table. */
export type PageFigures = Omit<SuiteSummary, 'groups' | 'slices'> &
  Readonly<{
    groups: readonly PageGroup[];
    slices?: readonly Readonly<{ by: string; groups: readonly PageGroup[] }>[] | undefined;
    variant: number;
    notes: readonly string[];
    /** Present with several trials. */
    trials?: PageTrials;
    /** Answers that judges doubt: they disagree, or one cannot tell or failed. */
    doubted: number;
    confusion?: Confusion;
  }>;

/** Which expected label got which answer. */
export type Confusion = Readonly<{
  labels: readonly string[];
  /** The labels, then "(other)" and "(none)" where they occur. */
  columns: readonly string[];
  /** A row for each label. */
  counts: readonly (readonly number[])[];
}>;

export type PageGate = Readonly<{
  suite: string;
  /** Of the agent and prompt. */
  name: string;
  /** Null if it cannot be judged. */
  holds: boolean | null;
  is_advisory: boolean;
  explanation: string;
}>;

export type PagePrompt = Readonly<{
  suite: string;
  name: string;
  hash: string;
  text: string;
  /** How it differs from the first one of its suite, as lines with "-" and "+". */
  diff?: readonly string[];
}>;

type PageRemark = Readonly<{ text: string; level: 'note' | 'good' | 'warning' | 'bad' }>;

/** Figures of repeated trials, as `computeTrialFigures` has them. */
export type PageTrials = Readonly<{
  /** Of the largest k; null if a trial is missing. */
  rate: PassRate | null;
  /** How many questions are right in some trials only; null if a trial is missing. */
  unstable: number | null;
}> &
  Pick<TrialFigures, 'outcome_consistency' | 'cost_consistency'>;

/**
 * A comparison of `SuiteComparison` with the ids that changed. The texts of their answers are with all
 * others.
 */
export type PageComparison = Readonly<{
  suite: string;
  dataset: string;
  a: PageSide;
  b: PageSide;
  figures: PageDifference &
    Readonly<{
      flips: Readonly<{ fixed: readonly string[]; broken: readonly string[] }>;
      shifts: Readonly<{ improved: readonly string[]; worsened: readonly string[] }>;
      p_value: number | null;
      detectable_drop: number | null;
      latency_ratio: number | null;
      cost_ratio: number | null;
      groups: readonly PageGroupDifference[];
      slices?: readonly Readonly<{ by: string; groups: readonly PageGroupDifference[] }>[];
      scores?: Readonly<Record<string, PageScoreDifference>>;
    }>;
  /** Holm's p among the pairs of the suite; absent for one pair. */
  among_pairs?: Readonly<{ pairs: number; p_value: number }>;
  /** Of answers that were judged in pairs. */
  preference?: PagePreference;
  prompt_diff?: readonly string[];
  /** What the other run answered to the questions that changed, by their ids; of a shown suite. */
  before?: Readonly<Record<string, string>>;
  facts: readonly Readonly<{ name: string; text: string }>[];
}>;

type PagePreference = Pick<PageDifference, 'questions' | 'difference' | 'ci95'> &
  Readonly<{
    wins: number;
    ties: number;
    losses: number;
    turned: number;
    missing: number;
    no_verdict: number;
    not_asked: number;
    p_value: number | null;
    among_pairs?: Readonly<{ pairs: number; p_value: number }>;
    models: readonly string[];
  }>;

type PageSide = Readonly<{
  run: string;
  agent: string;
  prompt?: string;
  prompt_hash: string;
}>;

type PageInterval = readonly [low: number, high: number];

export type PageDifference = Readonly<{
  questions: number;
  /** Absent where none has a cluster. */
  clusters?: number;
  accuracy_a: number | null;
  accuracy_b: number | null;
  /** b - a. */
  difference: number | null;
  ci95: PageInterval | null;
}>;

type PageGroupDifference = PageDifference & Readonly<{ group: string }>;

type PageScoreDifference = Pick<PageDifference, 'questions' | 'difference' | 'ci95'> &
  Readonly<{ mean_a: number | null; mean_b: number | null; kind: 'rate' | 'mean' }>;

export type PageRunComparison = Readonly<{
  a: string;
  b: string;
  suites: readonly PageComparison[];
  not_compared: readonly string[];
}>;

export type LeftOut = Readonly<{
  /** How many answers have no texts here, and how many no conversation, though one was kept. */
  texts: number;
  conversations: number;
  pictures: number;
}>;

/** The questions and answers of a run without their texts. */
export type Answers = Readonly<{
  questions: readonly PageQuestion[];
  /** Those to one question stand together, in the order of variants and trials. */
  answers: readonly PageAnswer[];
}>;

export type PageQuestion = Readonly<{
  suite: string;
  id: string;
  group: string;
  groups?: Readonly<Record<string, string>>;
  /** Present if it has no known target and others of its suite have one: it counts as ungraded. */
  is_ungraded?: true;
  /** Present if its texts must not be shown. */
  is_hidden?: true;
}>;

/** The facts of one answer. A field is missing if it is not known, 0, or does not apply. */
export type PageAnswer = Readonly<{
  /** Places of its question and of its variant. */
  q: number;
  v: number;
  trial: number;
  state: State;
  reason?: string;
  /** Milliseconds. */
  latency?: number;
  first_token?: number;
  own_delay?: number;
  /** US dollars. */
  cost?: number;
  tokens?: readonly [input: number, output: number];
  steps?: number;
  is_cached?: true;
  /** Where it is another than that of its variant's first answer. */
  model?: string;
  scores?: readonly (boolean | number | null)[];
  /** Present if viva's readers doubt what it says. */
  is_uncertain?: true;
  /** Present if its judges disagree, or one cannot tell or failed. */
  is_doubted?: true;
  /** What a tool showed of its question: a copy of the text, or a page with records of the benchmark. */
  seen_copy?: 'text' | 'page';
  /** When it came; in a live run alone. */
  at?: string;
  /** The block with its conversation; absent without one. */
  talk?: number;
}>;

/** Texts of some questions and answers, by their places. */
export type Texts = Readonly<{
  questions: readonly (readonly [place: number, texts: QuestionTexts])[];
  answers: readonly (readonly [place: number, texts: AnswerTexts])[];
}>;

export type QuestionTexts = Readonly<{
  input?: string;
  choices?: readonly (readonly [label: string, text: string])[];
  files?: readonly PageFile[];
  target?: string;
  /** Present if any one of these answers is right. */
  accepts?: readonly string[];
  /** What a simulated user wants. */
  goal?: string;
}>;

export type PageFile = Readonly<{
  name: string;
  /** Relative to the run folder; absent if the file is not known to be there. */
  path?: string;
  /** The block of the page with its picture, or true where the server has it. */
  picture?: number | true;
}>;

export type AnswerTexts = Readonly<{
  answer?: string;
  /** The labels of the question's options in the order that this trial showed, if shuffled. */
  order?: readonly string[];
  /** Only if it is not the answer. */
  output?: string;
  why?: string;
  how?: string;
  confidence?: string;
  /** The verdict of each rule. */
  rules?: Readonly<Record<string, boolean>>;
  error?: Readonly<{ kind: string; message: string; status: number | null }>;
  judges?: readonly PageJudge[];
  claims?: readonly PageClaim[];
}>;

export type PageJudge = Readonly<{
  score?: string;
  criterion: string;
  verdicts: readonly (readonly [judge: string, verdict: string, reason: string])[];
}>;

/** What one form of answers read in an output. */
export type PageClaim = Readonly<{
  text: string;
  form: string;
  says: string | null;
  won: boolean;
  why: string;
}>;

/** Conversations by the places of their answers. */
export type Talks = readonly (readonly [place: number, turns: readonly Turn[]])[];

/** A run in the list of runs. */
export type RunEntry = Readonly<{
  name: string;
  started_at: string;
  state: 'running' | 'finished' | 'partial' | 'stopped' | 'unreadable';
  suites: readonly string[];
  variants: readonly EntryVariant[];
  /** Of the gates that decide: how many hold, and how many there are. */
  gates: readonly [holding: number, all: number];
  /** Why it cannot be read. */
  problem?: string;
}>;

export type EntryVariant = Readonly<{
  suite: string;
  dataset: string;
  agent: string;
  prompt: string;
  /** The same text for variants whose figures can be compared. */
  series: string;
  is_replay?: true;
  all: Pick<
    GroupSummary,
    'n' | 'questions' | 'accuracy' | 'bounds' | 'ci95' | 'cost_usd' | 'cost_at_least_usd'
  > &
    Readonly<{ not_run: number }>;
}>;

/** What a page wants to label, as its address has it. */
export type WantedLabels = Readonly<{
  sample: string;
  seed: string;
  suite: string;
  criterion: string;
  isGated: boolean;
}>;

/** Answers for a person to label. */
export type LabelPage = Readonly<{
  /** The text of a file of labels. */
  csv: string;
  /** Why some are left out; absent if none is. */
  note?: string;
}>;
