/**
 * Samples and datasets, in the words that all rooms share.
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

/**
 * One message of a conversation, in the words of the user or of the agent ("assistant").
 *
 * @example
 * const countReplies = (messages: readonly Message[]) =>
 *   messages.filter(({ role }) => role === 'assistant').length;
 * await defineEval('support', { data: './talks.jsonl', score: ({ messages }) => countReplies(messages) < 5 });
 */
export type Message = { readonly role: 'user' | 'assistant'; readonly content: string };

/** The user whom a model plays. Never shown to the agent. */
export type SimulatedUser = {
  readonly persona: string | null;
  readonly goal: string;
  /** The most messages of the user, with those of the record. */
  readonly maxTurns: number;
};

/**
 * One question of a dataset, in the same form for every layout. `Input` and `Target` are JSON.
 *
 * @example
 * const bySize = ({ input }: Sample<string>) => (input.length > 200 ? 'long' : 'short');
 * await defineEval('tickets', { data: './tickets.jsonl', group: bySize });
 */
export type Sample<Input = Json, Target = Json, Metadata = Readonly<Record<string, unknown>>> = {
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
  /** Names what the question shares with others, as a passage. Never shown to the agent. */
  readonly cluster?: string;
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
  readonly metadata: Metadata;
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
  'hidden target',
  'misspelt target',
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
  'recorded tools',
  'leak guard',
  'no leak guard',
  'unknown ids',
  'unknown fields',
  'clusters',
] as const;

export type NoteKind = (typeof NOTE_KINDS)[number];

/** A sentence for the report, made where its fact is known. */
export type Note = {
  readonly kind: NoteKind;
  readonly text: string;
  /** The field of records that it is about, where it need not be said if the suite reads that field. */
  readonly field?: string;
};

/**
 * The result of a loader: the samples, and notes on how they were read.
 *
 * @example
 * const load = async (): Promise<Dataset<string, string>> => ({
 *   name: 'faq',
 *   samples: [
 *     { id: 'a', suite: 'faq', input: 'Do you ship to Norway?', target: 'yes', group: 'all', attachments: [], metadata: {} },
 *   ],
 *   notes: [],
 * });
 * await defineEval('faq', { data: load });
 */
export type Dataset<Input = Json, Target = Json> = {
  /** A short name for gates and reports; "sample" for the committed samples. */
  readonly name: string;
  readonly samples: readonly Sample<Input, Target>[];
  /** The recognised layout, skipped rows and the like, in one sentence each. */
  readonly notes: readonly Note[];
  /** Which fields were read as what, in the form of EVAL_MCQ_FIELDS. */
  readonly shape?: string;
  readonly source?: DatasetSource;
  /** The field that names clusters; absent without one, and where a function of the suite does. */
  readonly clusteredBy?: string;
  readonly layout?: Layout;
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

/** How the records of a dataset are laid out. */
type Layout = {
  /** The public dataset of multiple choice whose fields they have; null for any other. */
  readonly known: string | null;
  /** Whether a context stands above some questions. */
  readonly hasContext: boolean;
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

/**
 * The input of an agent: a sample without what only graders may know, with what the user says.
 *
 * @example
 * async function refund({ input, messages }: Question<{ order: string }>) {
 *   const text = await askMyAgent(messages.map(({ content }) => content).join('\n'));
 *   return { output: { order: input.order, approved: text.includes('yes') } };
 * }
 */
export type Question<Input = string> = Omit<
  Sample<Input>,
  'target' | 'accepts' | 'metadata' | 'presentation' | 'groups' | 'cluster' | 'turns' | 'user'
> & {
  /** The text to answer. In a conversation it is the user's last message. */
  readonly prompt: string;
  /** The conversation so far. Its last message is the user's and has the text of `prompt`. */
  readonly messages: readonly Message[];
};
