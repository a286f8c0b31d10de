import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readRegular } from '../data/files/read-file.ts';
import type { AgentPrice, ToolUse } from '../words/answer.ts';
import type { SampleResult } from '../words/row.ts';
import type { DatasetSource, NoteKind } from '../words/sample.ts';
import { tryOrUndefined } from '../words/show.ts';
import { labelPrompt } from '../words/variant.ts';
import {
  anything,
  assertValid,
  type Checked,
  fields,
  flag,
  listOf,
  mapOf,
  number,
  oneVersion,
  optional,
  orNull,
  roughly,
  text,
  yes,
} from './field-checks.ts';
import { RUN_FILES } from './run-folder.ts';

/**
 * Version of the grader. Raise it if an output may get another grade than before. 2 reads choices
 * with src/scoring/mcq/forms.ts; 3 takes headings, notes and unoffered answers for what they are;
 * 4 reads refusals, Chinese and lower-case choices, and final answers behind lead-ins, in loose JSON
 * and before invented questions. GAIA's rules have not changed since version 1.
 */
export const GRADER_VERSION = 4;

/** A prompt of a suite, stored in the run folder. */
const PROMPT = fields({
  hash: text,
  /** Inside the run folder. */
  file: text,
  /** Name of the file that it was read from; null for a text of the eval file. */
  name: orNull(text),
  /** Present if it is the prompt of a replayed run. */
  recorded: optional(yes),
});
export type KeptPrompt = Checked<typeof PROMPT>;

/** The price list that costs are estimated with; absent without an estimate. */
const PRICE = optional(roughly<AgentPrice>(fields({})));

/** A judge of a suite. Runs are compared only if all of them judged alike. */
const JUDGE = fields({
  /** Its spec, as in rows. */
  judge: text,
  /** Hash of its model, parameters, server or code, and of EVAL_CACHE_KEY. */
  fingerprint: text,
  /** Of viva's judge prompt. */
  prompt_hash: text,
  price: PRICE,
});
export type JudgeFacts = Checked<typeof JUDGE>;

const KIND = roughly<NoteKind>(text);
const NOTE = fields({ kind: KIND, text });
const AGENT_NOTE = fields({ agent: text, kind: KIND, text });
export type AgentNote = Checked<typeof AGENT_NOTE>;

/**
 * What else an agent's answers depend on, besides questions and prompt. Shards of one run must
 * agree in it.
 */
const CONDITIONS = fields({
  agent: text,
  /** Hash of its code, model, parameters and tools; null for a replay. */
  fingerprint: orNull(text),
  /** Hash of EVAL_CACHE_KEY; null without one. */
  cache_key: orNull(text),
  /** Seconds that a question of each group may take. */
  deadlines: listOf(roughly<readonly [group: string, seconds: number]>(listOf(anything))),
  max_steps: orNull(number),
  /** EVAL_TIMEOUT; null without it. */
  timeout_seconds: optional(orNull(number)),
  /** The address of a model server that is not the provider's own. */
  server: optional(text),
  /**
   * Of a replay: the prompt of the answers, "" if it is not known. The suite's own one was not
   * asked.
   */
  recorded_prompt: optional(text),
  /** Of a replay of a run: the agent that was asked. */
  recorded_agent: optional(text),
});
export type AgentConditions = Checked<typeof CONDITIONS>;

/** A question of a suite. `hash` is the `question_hash` of its rows. */
const QUESTION = fields({
  id: text,
  group: text,
  groups: optional(mapOf(text)),
  cluster: optional(text),
  hash: text,
  /** Present if its target is hidden. */
  hidden: optional(yes),
  /** Present if another shard asks it. */
  elsewhere: optional(yes),
});
export type PlannedQuestion = Checked<typeof QUESTION>;

/** The plan of a suite for one agent. */
const PLAN = fields({
  agent: text,
  /** As in rows; absent if the suite has one prompt. */
  prompt: optional(text),
  /** Whether the agent's answers are cached. A replay's are not. */
  kept: flag,
  trials: number,
  /** How many trials have a cached answer, and the times of the oldest and the newest of these. */
  cached: number,
  oldest: orNull(text),
  newest: orNull(text),
  to_ask: number,
  /** Expected cost of the trials to ask, from the mean cost of the cached ones; null if not known. */
  expected_cost_usd: orNull(number),
  price: PRICE,
  /** Present if it is code of the suite, which says whether it is free. */
  own: optional(yes),
  /** Which edits of the agent's files ask again; absent if all do. */
  seen_edits: optional(text),
  /** Why trials are not cached: what changed, and for how many. */
  missed_because: orNull(text),
});
export type AgentPlan = Checked<typeof PLAN>;

/** The plan of one suite of a run, written before its first call. */
const SUITE = fields({
  suite: text,
  /** The eval file, and the files of records, prompt and predictions, relative to the root. */
  eval_file: text,
  files: listOf(text),
  /** Present if the records may be shown in CI. */
  public: optional(yes),
  /** Other files that the run folder gets for this suite. */
  exports: listOf(text),
  dataset: text,
  /** The source of the records; null if the loader does not say. */
  source: orNull(roughly<DatasetSource>(fields({}))),
  /** The field that names the clusters; absent without one, and where a function of the suite does. */
  clustered_by: optional(text),
  /** Ids of rows that are not questions, but that a complete submission must have. */
  placeholders: listOf(text),
  /** Where bad records were that EVAL_SKIP_BAD left out, as in "questions.jsonl:3". */
  left_out: optional(listOf(text)),
  dataset_hash: text,
  /** Of the first prompt, where there are several. */
  prompt_hash: text,
  /** The prompts that each agent is asked with. */
  prompts: listOf(PROMPT),
  /** Version of the grader. */
  grader: number,
  /** The matcher whose grader judges whole outputs; null for a suite with a score of its own. */
  matcher: orNull(text),
  agents: listOf(text),
  conditions: listOf(CONDITIONS),
  /** The judges that the suite's score asks; absent if it asked none. */
  judges: optional(listOf(JUDGE)),
  /**
   * What is judged in pairs: by whom, the hash of the criterion, how many pairs of answers, and how many
   * of their verdicts were known before; absent for none.
   */
  prefer: optional(
    fields({ judges: listOf(JUDGE), criterion_hash: text, pairs: number, known: optional(number) }),
  ),
  /** The model that plays the users of its conversations, and what its messages depend on. */
  user: optional(fields({ name: text, fingerprint: text, price: PRICE })),
  trials: number,
  /** Notes of the loader: layout, skipped rows. */
  notes: listOf(NOTE),
  /** Notes on single agents. */
  agent_notes: listOf(AGENT_NOTE),
  /** The selection of all shards together, in the order of the dataset. */
  questions: listOf(QUESTION),
  /** How many samples of each group the whole dataset has. */
  group_sizes: listOf(roughly<readonly [group: string, samples: number]>(listOf(anything))),
  /** The shard of this run; null for the whole selection. */
  shard: orNull(fields({ index: number, count: number })),
  /** Patterns of EVAL_IDS that match no sample of this suite. */
  unmatched_ids: listOf(text),
  /** The ids that EVAL_IDS left out, and of how many questions; absent for none. */
  excluded: optional(fields({ ids: listOf(text), of: number })),
  plans: listOf(PLAN),
  /** The tools of each agent to which viva gives tools. */
  tools: listOf(
    roughly<ToolUse & { readonly agent: string }>(
      fields({ agent: text, own: listOf(text), hosted: listOf(text), mcp: listOf(fields({})) }),
    ),
  ),
});
export type SuiteManifest = Checked<typeof SUITE>;

/**
 * manifest.json: what produced a run. It has settings and versions, never a secret or the
 * environment.
 */
const MANIFEST = fields({
  version: oneVersion,
  /** The name of its run folder when it began, also where the folder was copied. */
  run: text,
  created_at: text,
  versions: roughly<Readonly<Record<string, string>>>(fields({})),
  git_commit: orNull(text),
  config: mapOf(anything),
  suites: listOf(SUITE),
  /** Names of the run folders of the shards that this run was merged from; absent in other runs. */
  merged_from: optional(listOf(text)),
});
export type Manifest = Checked<typeof MANIFEST>;

/** The questions that a run asks itself. */
export function listOwnQuestions({ questions }: SuiteManifest): readonly PlannedQuestion[] {
  return questions.filter(({ elsewhere }) => elsewhere !== true);
}

export function hasManifest(folder: string): boolean {
  return existsSync(join(folder, RUN_FILES.manifest.name));
}

/** Reads a run folder's manifest. Throws if there is none, or it is of another version. */
export function readManifest(runFolder: string): Manifest {
  if (!hasManifest(runFolder)) {
    throw new Error(
      `Not a run folder: ${runFolder} has no ${RUN_FILES.manifest.name}. Name a folder under runs/ of EVAL_DIR.`,
    );
  }
  const file = join(runFolder, RUN_FILES.manifest.name);
  const written = readRegular(file).toString('utf8');
  const value = tryOrUndefined((): unknown => JSON.parse(written));
  assertValid(MANIFEST, value, file);
  return value;
}

/** Each agent of a suite with each of its prompts. */
export function listVariants({
  agents,
  prompts,
  prompt_hash,
  conditions,
}: Pick<
  SuiteManifest,
  'agents' | 'prompts' | 'prompt_hash' | 'conditions'
>): readonly StoredVariant[] {
  const labelled = prompts
    .filter(({ recorded }) => recorded !== true)
    .map(({ name, hash }) => ({ prompt: labelPrompt(name, hash), prompt_hash: hash }));
  const variants = labelled.length < 2 ? [{ prompt_hash }] : labelled;
  return agents.flatMap((agent): readonly StoredVariant[] => {
    const { recorded_prompt } = conditions.find((other) => other.agent === agent) ?? {};
    if (recorded_prompt !== undefined) return [{ agent, prompt_hash: recorded_prompt }];
    return variants.map((prompt) => ({ agent, ...prompt }));
  });
}

type StoredVariant = Pick<SampleResult, 'agent' | 'prompt' | 'prompt_hash'>;

/**
 * "short.md@1a2b3c4d", or the digits alone where the run does not name the file; predictions name
 * no prompt.
 */
export function nameStoredPrompt({ prompts }: SuiteManifest, prompt_hash: string): string {
  if (prompt_hash === '') return 'not known';
  const kept = prompts.find(({ hash }) => hash === prompt_hash);
  return kept === undefined ? prompt_hash.slice(0, 8) : labelPrompt(kept.name, prompt_hash);
}
