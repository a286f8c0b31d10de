import { basename } from 'node:path';
import { type Comparison, compare } from '../figures/compare.ts';
import { groupByVariant, toSuiteKey } from '../figures/groups.ts';
import { gateSettingsOf, listVariants, type Manifest } from '../store/manifest.ts';
import { readPrompt } from '../store/run-folder.ts';
import type { StoredRun } from '../store/stored-run.ts';
import { hidesDataset, type PrivacySettings } from '../words/audience.ts';
import type { SampleResult } from '../words/row.ts';
import { lineIf, plural } from '../words/show.ts';
import { nameVariant, pickVariant } from '../words/wording.ts';
import { type ChangedAnswer, listChangedAnswers } from './changed-answers.ts';
import {
  type Change,
  type ComparedVariant,
  describeConditions,
  describeDifferences,
  findChangedQuestions,
  findChanges,
  listModels,
  SETTING_NAMES,
} from './differences.ts';
import { diffPrompts } from './prompt-diff.ts';

/**
 * Compares run b with baseline a, suite by suite and agent by agent. Lists what has no counterpart.
 */
export function compareRuns(a: ComparedRun, b: ComparedRun): RunComparison {
  const matches = b.variants.map((variant) => ({
    variant,
    partner: findPartner(variant, a.variants, b.variants),
  }));
  const partners = new Set(matches.map(({ partner }) => partner));
  const isNamed = (variant: VariantIdentity) =>
    b.variants.some((other) => describe(other) === describe(variant));
  const alone = a.variants.filter((variant) => !partners.has(variant) && !isNamed(variant));
  return {
    version: 1,
    a: a.name,
    b: b.name,
    suites: matches.flatMap(({ variant, partner }) =>
      typeof partner === 'string' ? [] : [compareVariants(partner, variant)],
    ),
    not_compared: [
      ...lineIf(a.folder === b.folder && matches.some(isSelf), 'A and B are the same run.'),
      ...matches.flatMap(({ partner }) => (typeof partner === 'string' ? [partner] : [])),
      ...alone.map((variant) => `${describe(variant)} of A is not compared: B does not have it.`),
      ...describeRows('A', a),
      ...describeRows('B', b),
    ],
  };
}

function isSelf({ variant, partner }: Match): boolean {
  return typeof partner !== 'string' && describe(partner) === describe(variant);
}

/** A variant of B, and what it is compared with or why with none. */
type Match = Readonly<{ variant: ComparedVariant; partner: ComparedVariant | string }>;

function describeRows(name: string, { unreadable, duplicates }: ComparedRun): readonly string[] {
  const torn = `In samples.jsonl of ${name}, ${plural(unreadable, 'line is', 'lines are')} cut off: their trials count as not run.`;
  const several = `In samples.jsonl of ${name}, ${plural(duplicates.length, 'row repeats', 'rows repeat')} a trial: the last row of each counts.`;
  return [...lineIf(unreadable > 0, torn), ...lineIf(duplicates.length > 0, several)];
}

/** Compares two variants of a suite on the questions that are the same and finished in both. */
export function compareVariants(a: ComparedVariant, b: ComparedVariant): SuiteComparison {
  const changed = findChangedQuestions(a.results, b.results);
  const isCompared = ({ id }: SampleResult) => !changed.has(id);
  // Questions are paired by dataset too, but its file may have been renamed.
  const before = a.results.filter(isCompared).map((row) => ({ ...row, dataset: b.dataset }));
  const figures = compare(before, b.results.filter(isCompared));
  return {
    suite: b.suite,
    dataset: b.dataset,
    a: toAgent(a),
    b: toAgent(b),
    figures,
    ...(a.hidden || b.hidden
      ? {}
      : { changed_answers: listChangedAnswers(figures, before, b.results) }),
    ...describePromptEdit(a, b),
    changes: findChanges(a, b),
    changed_questions: [...changed],
    notes: describeDifferences(a, b, figures, [...changed]),
    conditions: describeConditions(a, b),
  };
}

function describePromptEdit(
  a: ComparedVariant,
  b: ComparedVariant,
): Pick<SuiteComparison, 'prompt_diff'> {
  if (a.prompt_hash === b.prompt_hash || a.prompt_text === null || b.prompt_text === null)
    return {};
  return { prompt_diff: diffPrompts(a.prompt_text, b.prompt_text) };
}

/** The agent of one variant of a comparison, its models as rows name them, and how it was asked. */
function toAgent(variant: ComparedVariant) {
  const { run, prompt_hash, trials } = variant;
  return { run, ...pickVariant(variant), models: listModels(variant), prompt_hash, trials };
}

type ComparedAgent = Readonly<ReturnType<typeof toAgent>>;

/** A run that is compared with another run. */
export type ComparedRun = Pick<StoredRun, 'folder' | 'unreadable' | 'duplicates'> &
  Readonly<{
    /** The last part of `folder`. */
    name: string;
    variants: readonly ComparedVariant[];
  }>;

/**
 * The variants of a run, one for each suite, agent and prompt, in the order of its manifest. The
 * last argument says whether answers are shown now; the default is what the run itself may show.
 */
export function toVariants(
  folder: string,
  manifest: Manifest,
  results: readonly SampleResult[],
  { ci, showGated }: PrivacySettings = manifest.config,
  run = basename(folder),
): readonly ComparedVariant[] {
  const gate = { ...gateSettingsOf(manifest), ci, showGated };
  const settings = Object.fromEntries(
    Object.keys(SETTING_NAMES).map((name) => [name, manifest.config[name] ?? null]),
  );
  const byVariant = groupByVariant(results);
  return manifest.suites.flatMap((entry) => {
    const { suite, dataset, dataset_hash, trials, shard, conditions, judges = [] } = entry;
    return listVariants(entry).map((variant) => {
      const own = conditions.find(({ agent }) => agent === variant.agent) ?? null;
      // Those of a replay are of the run that it repeats.
      const { timeout_seconds: timeoutSeconds = null, max_steps: maxSteps = null } = own ?? {};
      const rows = byVariant.get(toSuiteKey({ suite, dataset, ...variant })) ?? [];
      const user = rows.find(({ conversation }) => conversation?.user)?.conversation?.user?.name;
      return {
        ...{ run, suite, dataset, dataset_hash, trials, shard, judges, ...variant },
        settings: { ...settings, timeoutSeconds, maxSteps, user: user ?? null },
        conditions: own,
        prompt_text: readPrompt(folder, suite, variant.prompt_hash),
        hidden: hidesDataset({ suite, dataset }, gate),
        results: rows,
      };
    });
  });
}

/** One suite in two runs, by one agent each. */
export type SuiteComparison = Readonly<{
  suite: string;
  /** As run b names it. */
  dataset: string;
  a: ComparedAgent;
  b: ComparedAgent;
  figures: Comparison;
  /** The answers to the questions of `flips` and `shifts`; absent if they must be hidden. */
  changed_answers?: readonly ChangedAnswer[];
  /**
   * How the prompt of b differs from that of a, as lines with "-" and "+"; absent if it does not,
   * or is not known.
   */
  prompt_diff?: readonly string[];
  /** What else differs between the variants, besides their answers. */
  changes: readonly Change[];
  /**
   * Ids that both runs have, but with another question or expected answer. They are in no figure.
   */
  changed_questions: readonly string[];
  /** What is not compared, and why the figures are less certain, a sentence each. */
  notes: readonly string[];
  /** What else differs between "A" and "B": prompts, models, settings. */
  conditions: readonly string[];
}>;

/** Two runs compared, as JSON shows them; a is the baseline. */
export type RunComparison = Readonly<{
  version: 1;
  /** Names of the run folders. */
  a: string;
  b: string;
  suites: readonly SuiteComparison[];
  /** What has no counterpart or cannot be read, a sentence each. */
  not_compared: readonly string[];
}>;

/** What is known of a variant before it has any result. */
export type VariantIdentity = Pick<
  ComparedVariant,
  'suite' | 'dataset' | 'dataset_hash' | 'agent' | 'prompt' | 'prompt_hash' | 'judges'
>;

/**
 * The variant of run a to compare with a variant of run b: the agent of the same name, or the only
 * agent if b has only one too, with the same prompt, or with its only prompt. If there is none, a
 * sentence with the reason.
 */
export function findPartner<One extends VariantIdentity>(
  b: VariantIdentity,
  variantsA: readonly One[],
  variantsB: readonly VariantIdentity[],
): One | string {
  const ofSuite = variantsA.filter(({ suite }) => suite === b.suite);
  const [first] = ofSuite;
  if (first === undefined) return `${describe(b)} is not compared: A does not have this suite.`;
  // A dataset may have been renamed or may have grown: its questions are compared one by one.
  if (first.dataset !== b.dataset && first.dataset_hash !== b.dataset_hash) {
    return `${describe(b)} is not compared: A asked the dataset ${first.dataset}, B asked ${b.dataset}.`;
  }
  if (!isJudgedAlike(first, b)) {
    return `${describe(b)} is not compared: ${nameJudges('A', first)}, ${nameJudges('B', b)}.`;
  }
  const named = ofSuite.filter(({ agent }) => agent === b.agent);
  const agents = listAgents(ofSuite);
  const isAlone =
    agents.length === 1 &&
    listAgents(variantsB.filter(({ suite }) => suite === b.suite)).length === 1;
  const ofAgent = isAlone ? ofSuite : named;
  const [only, ...others] = ofAgent;
  if (only === undefined) {
    return `${describe(b)} is not compared: A does not have this agent. Its agents: ${agents.join(', ')}.`;
  }
  const partner = ofAgent.find((variant) => variant.prompt_hash === b.prompt_hash);
  if (partner !== undefined) return partner;
  if (others.length === 0) return only;
  const prompts = ofAgent.flatMap(({ prompt }) => prompt ?? []);
  return `${describe(b)} is not compared: A does not have this prompt. Its prompts: ${prompts.join(', ')}.`;
}

/**
 * Whether the same judges, asked with the same prompt, judged two variants, as far as both are
 * known.
 */
export function isJudgedAlike(
  a: Pick<VariantIdentity, 'judges'>,
  b: Pick<VariantIdentity, 'judges'>,
): boolean {
  const listKeys = ({ judges = [] }: typeof a) =>
    judges
      .map(({ judge, fingerprint, prompt_hash }) =>
        JSON.stringify([judge, fingerprint, prompt_hash]),
      )
      .sort();
  const areKnown = a.judges !== undefined && b.judges !== undefined;
  return !areKnown || listKeys(a).join() === listKeys(b).join();
}

function nameJudges(run: string, { judges = [] }: Pick<VariantIdentity, 'judges'>): string {
  const names = judges.map(({ judge, fingerprint, prompt_hash }) => {
    return `${judge} (${fingerprint.slice(0, 8)}, judge prompt ${prompt_hash.slice(0, 8)})`;
  });
  return `${run} was judged by ${names.join(' and ') || 'no model'}`;
}

function listAgents(variants: readonly VariantIdentity[]): readonly string[] {
  return [...new Set(variants.map(({ agent }) => agent))];
}

function describe({ suite, ...variant }: VariantIdentity): string {
  return `${suite}, ${nameVariant(variant)}`;
}
