import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readRegular } from '../records/record.ts';
import type { PrivacySettings } from '../text/hide-records.ts';
import { tryOrUndefined } from '../text/show.ts';
import { labelPrompt } from '../text/wording.ts';
import type { AgentPrice, DatasetSource, SampleResult, Shard, ToolUse } from '../types.ts';
import {
  anything,
  assertValid,
  fields,
  listOf,
  mapOf,
  number,
  oneVersion,
  optional,
  orNull,
  text,
} from './field-checks.ts';
import { writeJson } from './line-file.ts';

/**
 * Version of the grader. Raise it if an output may get another grade than before. 2 reads choices
 * with src/scoring/mcq/readers.ts; 3 takes headings, notes and unoffered answers for what they are.
 * GAIA's rules have not changed since version 1, its extraction has.
 */
export const GRADER_VERSION = 3;

/** The model that plays users, and what its messages depend on. */
type UserFacts = {
  readonly name: string;
  readonly fingerprint: string;
  readonly price?: AgentPrice;
};

/** The plan of one suite of a run, written before its first call. */
export type SuiteManifest = {
  readonly suite: string;
  /** The eval file, and the files of records, prompt and predictions, relative to the root. */
  readonly eval_file: string;
  readonly files: readonly string[];
  /** Present if the records may be shown in CI. */
  readonly public?: true;
  /** Other files that the run folder gets for this suite. */
  readonly exports: readonly string[];
  readonly dataset: string;
  /** The source of the records; null if the loader does not say. */
  readonly source: DatasetSource | null;
  /** Ids of rows that are not questions, but that a complete submission must have. */
  readonly placeholders: readonly string[];
  readonly dataset_hash: string;
  /** Of the first prompt, where there are several. */
  readonly prompt_hash: string;
  /** The prompts that each agent is asked with. */
  readonly prompts: readonly KeptPrompt[];
  /** Version of the grader. */
  readonly grader: number;
  /** The matcher whose grader judges whole outputs; null for a suite with a score of its own. */
  readonly matcher: string | null;
  readonly agents: readonly string[];
  /** What the answers of each agent depend on. */
  readonly conditions: readonly AgentConditions[];
  /** The judges that the suite's score asks; absent if it asked none. */
  readonly judges?: readonly JudgeFacts[];
  /** Who plays the users of its conversations; absent without any. */
  readonly user?: UserFacts;
  readonly trials: number;
  /** Notes of the loader: layout, skipped rows. */
  readonly notes: readonly string[];
  /** Notes on single agents. */
  readonly agent_notes: readonly AgentNote[];
  /** The selection of all shards together, in the order of the dataset. */
  readonly questions: readonly PlannedQuestion[];
  /** How many samples of each group the whole dataset has. */
  readonly group_sizes: readonly (readonly [group: string, samples: number])[];
  /** The shard of this run; null for the whole selection. */
  readonly shard: Shard | null;
  /** Patterns of EVAL_IDS that match no sample of this suite. */
  readonly unmatched_ids: readonly string[];
  readonly plans: readonly AgentPlan[];
  /** The tools of each agent to which viva gives tools. */
  readonly tools: readonly (ToolUse & { readonly agent: string })[];
};

/** A question of a suite. `hash` is the `question_hash` of its rows. */
export type PlannedQuestion = Pick<SampleResult, 'id' | 'group' | 'groups'> & {
  readonly hash: string;
  /** Present if its target is hidden. */
  readonly hidden?: true;
  /** Present if another shard asks it. */
  readonly elsewhere?: true;
};

/** The questions that a run asks itself. */
export function listOwnQuestions({ questions }: SuiteManifest): readonly PlannedQuestion[] {
  return questions.filter(({ elsewhere }) => elsewhere !== true);
}

/** A prompt of a suite, stored in the run folder. */
export type KeptPrompt = {
  readonly hash: string;
  /** Inside the run folder. */
  readonly file: string;
  /** Name of the file that it was read from; null for a prompt written in the eval file. */
  readonly name: string | null;
  /** Present if it is the prompt of a replayed run. */
  readonly recorded?: true;
};

/** A judge of a suite. Runs are compared only if all of them judged alike. */
export type JudgeFacts = {
  /** Its spec, as in rows. */
  readonly judge: string;
  /** Hash of its model, parameters, server or code, and of EVAL_CACHE_KEY. */
  readonly fingerprint: string;
  /** Of viva's judge prompt. */
  readonly prompt_hash: string;
  /** The price list that costs are estimated with; absent without an estimate. */
  readonly price?: AgentPrice;
};

export type AgentNote = { readonly agent: string; readonly text: string };

/**
 * What else an agent's answers depend on, besides questions and prompt. Shards of one run must
 * agree in it.
 */
export type AgentConditions = {
  readonly agent: string;
  /** Hash of its code, model, parameters and tools; null for a replay. */
  readonly fingerprint: string | null;
  /** Hash of EVAL_CACHE_KEY; null without one. */
  readonly cache_key: string | null;
  /** Seconds that a question of each group may take. */
  readonly deadlines: readonly (readonly [group: string, seconds: number])[];
  readonly max_steps: number | null;
  /** EVAL_TIMEOUT; null without it. */
  readonly timeout_seconds?: number | null;
  /** The address of a model server that is not the provider's own. */
  readonly server?: string;
  /**
   * Of a replay: the prompt of the answers, "" if it is not known. The suite's own one was not
   * asked.
   */
  readonly recorded_prompt?: string;
  /** Of a replay of a run: the agent that was asked. */
  readonly recorded_agent?: string;
};

/** The plan of a suite for one agent. */
export type AgentPlan = {
  readonly agent: string;
  /** As in rows; absent if the suite has one prompt. */
  readonly prompt?: string;
  /** Whether the agent's answers are cached. A replay's are not. */
  readonly kept: boolean;
  readonly trials: number;
  /** How many trials have a cached answer, and the times of the oldest and the newest of these. */
  readonly cached: number;
  readonly oldest: string | null;
  readonly newest: string | null;
  readonly to_ask: number;
  /**
   * Expected cost of the trials to ask, from the mean cost of the cached ones; null if not known.
   */
  readonly expected_cost_usd: number | null;
  /** The price list that costs are estimated with; absent without an estimate. */
  readonly price?: AgentPrice;
  /** Which edits of the agent's files ask again; absent if all do. */
  readonly seen_edits?: string;
  /** Why trials are not cached: what changed, and for how many. */
  readonly missed_because: string | null;
};

/**
 * manifest.json: what produced a run. It has settings and versions, never a secret or the
 * environment.
 */
export type Manifest = {
  readonly version: 1;
  /** The name of its run folder when it began, also where the folder was copied. */
  readonly run: string;
  readonly created_at: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly git_commit: string | null;
  readonly config: Readonly<Record<string, unknown>>;
  readonly suites: readonly SuiteManifest[];
  /** Names of the run folders of the shards that this run was merged from; absent in other runs. */
  readonly merged_from?: readonly string[];
};

const FILE = 'manifest.json';

export function writeManifest(runFolder: string, manifest: Manifest): void {
  writeJson(join(runFolder, FILE), manifest);
}

/** Adds a suite to a run's manifest, or replaces its entry from an earlier watch run. */
export function recordSuite(runFolder: string, suite: SuiteManifest): void {
  const manifest = readManifest(runFolder);
  const others = manifest.suites.filter((other) => other.suite !== suite.suite);
  writeManifest(runFolder, { ...manifest, suites: [...others, suite] });
}

/** Changes the entry of a suite, if it is in the manifest. */
function changeSuite(
  runFolder: string,
  suite: string,
  change: (own: SuiteManifest) => Partial<SuiteManifest>,
): void {
  const manifest = readManifest(runFolder);
  const suites = manifest.suites.map((own) =>
    own.suite === suite ? { ...own, ...change(own) } : own,
  );
  writeManifest(runFolder, { ...manifest, suites });
}

/** Adds notes to a suite after it ran. */
export function addNotes(
  runFolder: string,
  suite: string,
  added: Pick<SuiteManifest, 'notes' | 'agent_notes'>,
): void {
  changeSuite(runFolder, suite, ({ notes, agent_notes }) => ({
    notes: [...notes, ...added.notes],
    agent_notes: [...agent_notes, ...added.agent_notes],
  }));
}

/** Names a judge of a suite: it may be made when the first answer is judged. */
export function recordJudge(runFolder: string, suite: string, fact: JudgeFacts): void {
  // A judge that is calibrated again has no run.
  if (!hasManifest(runFolder)) return;
  changeSuite(runFolder, suite, ({ judges = [] }) => ({
    judges: [...judges.filter(({ judge }) => judge !== fact.judge), fact],
  }));
}

/** The settings that decide which records of a run may be shown. */
export function gateSettingsOf({
  config,
  suites,
}: Pick<Manifest, 'config' | 'suites'>): PrivacySettings {
  return {
    ...config,
    open: suites.flatMap(({ suite, public: isOpen }) => (isOpen === true ? [suite] : [])),
  };
}

export function hasManifest(folder: string): boolean {
  return existsSync(join(folder, FILE));
}

/** Reads a run folder's manifest. Throws if there is none, or it is of another version. */
export function readManifest(runFolder: string): Manifest {
  if (!hasManifest(runFolder)) {
    throw new Error(
      `Not a run folder: ${runFolder} has no ${FILE}. Name a folder under runs/ of EVAL_DIR.`,
    );
  }
  const file = join(runFolder, FILE);
  const written = readRegular(file).toString('utf8');
  const value = tryOrUndefined((): unknown => JSON.parse(written));
  assertValid<Manifest>(MANIFEST, value, file);
  return value;
}

const SUITE = fields({
  suite: text,
  eval_file: text,
  files: listOf(text),
  exports: listOf(text),
  dataset: text,
  source: orNull(fields({})),
  placeholders: listOf(text),
  dataset_hash: text,
  prompt_hash: text,
  prompts: listOf(fields({ hash: text, file: text, name: orNull(text) })),
  grader: number,
  matcher: orNull(text),
  agents: listOf(text),
  conditions: listOf(
    fields({ agent: text, fingerprint: orNull(text), deadlines: listOf(listOf(anything)) }),
  ),
  judges: optional(listOf(fields({ judge: text, fingerprint: text, prompt_hash: text }))),
  user: optional(fields({ name: text, fingerprint: text })),
  trials: number,
  notes: listOf(text),
  agent_notes: listOf(fields({ agent: text, text })),
  questions: listOf(fields({ id: text, group: text, groups: optional(mapOf(text)), hash: text })),
  group_sizes: listOf(listOf(anything)),
  shard: orNull(fields({ index: number, count: number })),
  unmatched_ids: listOf(text),
  plans: listOf(fields({ agent: text, trials: number, cached: number, to_ask: number })),
  tools: listOf(
    fields({ agent: text, own: listOf(text), hosted: listOf(text), mcp: listOf(fields({})) }),
  ),
});

const MANIFEST = fields({
  version: oneVersion,
  run: text,
  created_at: text,
  versions: fields({}),
  git_commit: orNull(text),
  config: fields({}),
  suites: listOf(SUITE),
  merged_from: optional(listOf(text)),
});

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
  const asked = labelled.length < 2 ? [{ prompt_hash }] : labelled;
  return agents.flatMap((agent): readonly StoredVariant[] => {
    const { recorded_prompt } = conditions.find((own) => own.agent === agent) ?? {};
    if (recorded_prompt !== undefined) return [{ agent, prompt_hash: recorded_prompt }];
    return asked.map((prompt) => ({ agent, ...prompt }));
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
