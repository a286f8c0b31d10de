import { basename } from 'node:path';
import type { EvalConfig } from '../settings.ts';
import { findRun } from '../store/find-run.ts';
import { listVariants, type SuiteManifest } from '../store/manifest.ts';
import { readPrompt } from '../store/run-folder.ts';
import { readRun, type StoredRun } from '../store/run-reader.ts';
import type { Audience } from '../words/audience.ts';
import { hasRun, type SampleResult } from '../words/row.ts';
import { lineIf, listIds, listUp, quote } from '../words/show.ts';
import { didYouMean } from '../words/similar-names.ts';
import { namePrompt, nameVariant, pickVariant, type Variant } from '../words/variant.ts';
import { type ChangedAnswer, listChangedAnswers } from './changed-answers.ts';
import {
  type ComparedVariant,
  type Fact,
  findChangedQuestions,
  listFacts,
} from './comparison-facts.ts';
import { groupBy, groupByVariant, toSuiteKey } from './groups.ts';
import { agree, type Comparison, compare } from './paired-comparison.ts';
import { adjustByHolm } from './paired-test.ts';
import { computePreference, type Preference } from './preference.ts';
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
    b.variants.some((other) => nameInSuite(other) === nameInSuite(variant));
  const alone = a.variants.filter((variant) => !partners.has(variant) && !isNamed(variant));
  const isOfB = ({ suite }: VariantIdentity) => b.variants.some((other) => other.suite === suite);
  const missing = new Set(alone.filter((each) => !isOfB(each)).map(({ suite }) => suite));
  const paid = new Set<string>();
  const are =
    missing.size === 1
      ? 'is not compared: B does not have this suite'
      : 'are not compared: B does not have these suites';
  return {
    version: 1,
    a: a.name,
    b: b.name,
    suites: adjustPairs(
      matches.flatMap(({ variant, partner }) =>
        typeof partner === 'string' ? [] : [compareVariants(partner, variant, paid)],
      ),
    ),
    not_compared: [
      ...lineIf(a.folder === b.folder && matches.some(isSelf), 'A and B are the same run.'),
      ...matches.flatMap(({ partner }) => (typeof partner === 'string' ? [partner] : [])),
      ...alone
        .filter(isOfB)
        .map((variant) => `${nameInSuite(variant)} of A is not compared: B does not have it.`),
      ...lineIf(missing.size > 0, `${listUp([...missing])} of A ${are}.`),
    ],
  };
}

function isSelf({ variant, partner }: Match): boolean {
  return typeof partner !== 'string' && nameInSuite(partner) === nameInSuite(variant);
}

/** A variant of B, and what it is compared with or why with none. */
type Match = Readonly<{ variant: ComparedVariant; partner: ComparedVariant | string }>;

/** Compares two variants of a suite on the questions that are the same and finished in both. `paid` as for preferences. */
export function compareVariants(
  a: ComparedVariant,
  b: ComparedVariant,
  paid?: Set<string>,
): SuiteComparison {
  const changed = findChangedQuestions(a.results, b.results);
  const isCompared = ({ id }: SampleResult) => !changed.has(id);
  // Questions are paired by dataset too, but its file may have been renamed.
  const before = a.results.filter(isCompared).map((row) => ({ ...row, dataset: b.dataset }));
  const figures = compare(before, b.results.filter(isCompared));
  const clustered_by = b.clustered_by ?? a.clustered_by;
  const preference = computePreference(a, b, paid);
  return {
    suite: b.suite,
    dataset: b.dataset,
    a: toAgent(a),
    b: toAgent(b),
    ...(clustered_by === undefined ? {} : { clustered_by }),
    figures,
    ...(preference === null ? {} : { preference }),
    ...(a.hidden || b.hidden
      ? {}
      : { changed_answers: listChangedAnswers(figures, before, b.results) }),
    ...describePromptEdit(a, b),
    changed_questions: [...changed],
    facts: listFacts({ a, b, unpaired: figures.unpaired, changed: [...changed] }),
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

/** With its models as rows name them. */
function toAgent(variant: ComparedVariant) {
  const { run, prompt_hash, trials } = variant;
  return { run, ...pickVariant(variant), models: listModels(variant), prompt_hash, trials };
}

/** The models that a variant's rows name, in alphabetical order. */
function listModels({ results }: ComparedVariant): readonly string[] {
  return [...new Set(results.map(({ model }) => model).filter((model) => model !== null))].sort();
}

type ComparedAgent = Readonly<ReturnType<typeof toAgent>>;

export type ComparedRun = Readonly<{
  folder: string;
  /** The last part of `folder`. */
  name: string;
  variants: readonly ComparedVariant[];
}>;

/** Reads a run folder to compare it. Throws as `readRun`, and if the run has no answer. */
export function readComparedRun(folder: string, audience: Audience = {}): ComparedRun {
  const run = readRun(folder, audience);
  if (!run.results.some(hasRun)) {
    throw new Error(`${folder} has no answers to compare. Name a run with answers.`);
  }
  return { folder, name: basename(folder), variants: toVariants(run) };
}

/**
 * The variants of a run, one for each suite, agent and prompt, in the order of its manifest. `run`
 * is how comparisons name it.
 */
export function toVariants(
  { folder, manifest, results, isHidden }: StoredRun,
  run = basename(folder),
): readonly ComparedVariant[] {
  const byVariant = groupByVariant(results);
  return manifest.suites.flatMap((entry) => {
    const { suite, dataset, dataset_hash, trials, shard, grader, matcher, judges = [] } = entry;
    const { clustered_by, prefer } = entry;
    return listVariants(entry).map((variant) => {
      const rows = byVariant.get(toSuiteKey({ suite, dataset, ...variant })) ?? [];
      const user = rows.find(({ conversation }) => conversation?.user)?.conversation?.user?.name;
      return {
        ...{ run, suite, dataset, dataset_hash, trials, shard, grader, matcher, judges },
        clustered_by,
        prefers: prefer !== undefined,
        ...variant,
        conditions: entry.conditions.find(({ agent }) => agent === variant.agent) ?? null,
        user: user ?? null,
        prompt_text: readPrompt(folder, suite, variant.prompt_hash),
        hidden: isHidden(suite),
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
  /** The field that names the clusters of `figures`; absent without one. */
  clustered_by?: string;
  figures: Comparison;
  /** Holm's p of this pair among all that are shown of its suite; absent for one pair. */
  among_pairs?: PairOfMany;
  /** Whose answers judges prefer; absent where none were judged in pairs. */
  preference?: Preference & { readonly among_pairs?: PairOfMany };
  /** The answers to the questions of `flips` and `shifts`; absent if they must be hidden. */
  changed_answers?: readonly ChangedAnswer[];
  /**
   * How the prompt of b differs from that of a, as lines with "-" and "+"; absent if it does not,
   * or is not known.
   */
  prompt_diff?: readonly string[];
  /**
   * Ids that both runs have, but with another question or expected answer. They are in no figure.
   */
  changed_questions: readonly string[];
  /** What else "A" and "B" differ in, and what is not compared. */
  facts: readonly Fact[];
}>;

/** A comparison as one of several: each is likelier to be luck then. */
export type PairOfMany = Readonly<{ pairs: number; p_value: number }>;

/**
 * Comparisons that are shown together, with Holm's p of each among those of its suite. Suites are
 * families of their own.
 */
function adjustPairs(comparisons: readonly SuiteComparison[]): readonly SuiteComparison[] {
  const ofAccuracy = findFamilies(comparisons, ({ figures }) => figures.p_value);
  const ofPreference = findFamilies(comparisons, ({ preference }) => preference?.p_value ?? null);
  return comparisons.map(({ preference, ...one }, index) => {
    const [among_pairs, among] = [ofAccuracy.get(index), ofPreference.get(index)];
    return {
      ...one,
      ...(among_pairs && { figures: agree(one.figures, among_pairs.p_value), among_pairs }),
      ...(preference && { preference }),
      ...(preference &&
        among && { preference: { ...agree(preference, among.p_value), among_pairs: among } }),
    };
  });
}

/** Holm's p of each comparison with a p, by its place, where its suite has several. */
function findFamilies(
  comparisons: readonly SuiteComparison[],
  readP: (comparison: SuiteComparison) => number | null,
): ReadonlyMap<number, PairOfMany> {
  const tested = comparisons.flatMap(({ suite, dataset, ...rest }, index) => {
    const p = readP({ suite, dataset, ...rest });
    return p === null ? [] : [{ key: JSON.stringify([suite, dataset]), p, index }];
  });
  const families = [...groupBy(tested, ({ key }) => key).values()];
  return new Map(
    families.flatMap((family) => {
      const adjusted = adjustByHolm(family.map(({ p }) => p));
      if (family.length === 1) return [];
      return family.map(({ index, p }, place): [number, PairOfMany] => [
        index,
        { pairs: family.length, p_value: adjusted[place] ?? p },
      ]);
    }),
  );
}

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
  if (first === undefined) return `${nameInSuite(b)} is not compared: A does not have this suite.`;
  // A dataset may have been renamed or may have grown: its questions are compared one by one.
  if (first.dataset !== b.dataset && first.dataset_hash !== b.dataset_hash) {
    return `${nameInSuite(b)} is not compared: A asked the dataset ${first.dataset}, B asked ${b.dataset}.`;
  }
  if (!isJudgedAlike(first, b)) {
    return `${nameInSuite(b)} is not compared: ${nameJudges('A', first)}, ${nameJudges('B', b)}.`;
  }
  const named = ofSuite.filter(({ agent }) => agent === b.agent);
  const agents = listAgents(ofSuite);
  const isAlone =
    agents.length === 1 &&
    listAgents(variantsB.filter(({ suite }) => suite === b.suite)).length === 1;
  const ofAgent = isAlone ? ofSuite : named;
  const [only, ...others] = ofAgent;
  if (only === undefined) {
    return `${nameInSuite(b)} is not compared: A does not have this agent. Its agents: ${agents.join(', ')}.`;
  }
  const partner = ofAgent.find((variant) => variant.prompt_hash === b.prompt_hash);
  if (partner !== undefined) return partner;
  if (others.length === 0) return only;
  const prompts = ofAgent.flatMap(({ prompt }) => prompt ?? []);
  return `${nameInSuite(b)} is not compared: A does not have this prompt. Its prompts: ${prompts.join(', ')}.`;
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

/** "gaia, replay": a variant with its suite. */
function nameInSuite({ suite, ...variant }: VariantIdentity): string {
  return `${suite}, ${nameVariant(variant)}`;
}

/** Of more variants of a suite, each is compared with the first one alone: the pairs are many. */
const MOST_PAIRED = 6;

/** Whether two of `count` variants of a suite are compared, by their places. */
export function isPaired(one: number, other: number, count: number): boolean {
  return one !== other && (count <= MOST_PAIRED || one === 0 || other === 0);
}

/**
 * Compares the variants of each suite of a run in pairs. The earlier one is the baseline; the pairs
 * with the first one come first.
 */
export function comparePairs(variants: readonly ComparedVariant[]): readonly SuiteComparison[] {
  const bySuite = Map.groupBy(variants, ({ suite, dataset }) => JSON.stringify([suite, dataset]));
  const paid = new Set<string>();
  return adjustPairs(
    [...bySuite.values()].flatMap((ofSuite) =>
      ofSuite.flatMap((a, one) =>
        ofSuite.flatMap((b, other) =>
          one < other && isPaired(one, other, ofSuite.length) ? [compareVariants(a, b, paid)] : [],
        ),
      ),
    ),
  );
}

/**
 * A run with only those variants that a name means: an agent, a prompt, its file, or both as tables
 * name them. Throws if it means none; `argument` names the run for the error.
 */
export function pickVariants(run: ComparedRun, name: string, argument: string): ComparedRun {
  const { variants } = run;
  for (const nameOf of NAMES_OF_VARIANTS) {
    const named = variants.filter((variant) => nameOf(variant) === name);
    if (named.length > 0) return { ...run, variants: named };
  }
  const agents = variants.map(({ agent }) => agent);
  const names = [...new Set([...agents, ...variants.flatMap(({ prompt }) => prompt ?? [])])];
  throw new Error(
    `${argument} must name an agent or prompt of ${run.name}, got ${quote(name)}.${didYouMean(name, names)}\n` +
      `It has: ${listIds(names, 600)}.`,
  );
}

const NAMES_OF_VARIANTS: readonly ((variant: Variant) => string | undefined)[] = [
  nameVariant,
  ({ agent }) => agent,
  ({ prompt }) => prompt,
  (variant) => namePrompt(variant) || undefined,
];

/**
 * The run that EVAL_BASELINE names; null without one. Throws if there is no such run or it cannot
 * be compared.
 */
export function readBaseline(
  config: Pick<EvalConfig, 'baseline' | 'dir' | 'ci' | 'showGated'>,
): ComparedRun | null {
  return config.baseline === null
    ? null
    : readComparedRun(findRun(config.baseline, config.dir, 'EVAL_BASELINE'), config);
}

/** What the worker needs to know about the run in EVAL_BASELINE. */
export type ProvidedBaseline = Readonly<{
  /** Absolute path. */
  folder: string;
  /** Name of its folder. */
  name: string;
  variants: readonly BaselineVariant[];
}>;

type BaselineVariant = Pick<
  SuiteManifest,
  'suite' | 'dataset' | 'dataset_hash' | 'prompt_hash' | 'judges'
> &
  Pick<SampleResult, 'agent' | 'prompt'>;

/** The baseline as workers need it, without results. */
export function toProvidedBaseline(baseline: ComparedRun | null): ProvidedBaseline | null {
  if (baseline === null) return null;
  const variants = baseline.variants.map(
    ({ suite, dataset, dataset_hash, prompt_hash, judges = [], ...variant }) => {
      return { suite, dataset, dataset_hash, prompt_hash, judges, ...pickVariant(variant) };
    },
  );
  return { folder: baseline.folder, name: baseline.name, variants };
}

/**
 * Throws if nothing of a suite can be compared with the baseline. If several suites run, the
 * baseline may lack some of them.
 */
export function checkBaseline(
  baseline: Pick<ProvidedBaseline, 'name' | 'variants'> | null,
  variants: readonly VariantIdentity[],
  { suites }: { readonly suites: number | null },
): void {
  if (baseline === null) return;
  const isThere = baseline.variants.some(({ suite }) =>
    variants.some((variant) => variant.suite === suite),
  );
  if (!isThere && suites !== 1) return;
  const reasons = variants.map((variant) => findPartner(variant, baseline.variants, variants));
  const [first] = reasons;
  if (typeof first !== 'string' || reasons.some((partner) => typeof partner !== 'string')) return;
  throw new Error(
    `EVAL_BASELINE names ${quote(baseline.name)} (A), but this run (B) cannot be compared with it: ${first} ` +
      'Name another run, or leave EVAL_BASELINE out.',
  );
}
