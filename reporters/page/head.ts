import { isGaiaItself } from '../../src/data/gaia.ts';
import type { RunComparison, SuiteComparison } from '../../src/figures/compare-runs.ts';
import type { RunOutcome } from '../../src/figures/evaluate-run.ts';
import { toSuiteKey } from '../../src/figures/groups.ts';
import { isDoubted } from '../../src/figures/judge-calibration.ts';
import { countOutcomes } from '../../src/figures/populations.ts';
import { diffPrompts } from '../../src/figures/prompt-diff.ts';
import type { SuiteManifest } from '../../src/store/manifest.ts';
import { readPrompt } from '../../src/store/run-folder.ts';
import type { GroupSummary, Summary } from '../../src/words/figures.ts';
import { ALL_STATES, type SampleResult, STATES, type State } from '../../src/words/row.ts';
import { isOfVariant, labelPrompt, namePrompt } from '../../src/words/variant.ts';
import { toSuiteLines } from '../remarks.ts';
import { nameColumns } from '../tables.ts';
import type { Line } from '../terminal.ts';
import { countConfusion } from './confusion.ts';
import type {
  Head,
  PageComparison,
  PageFigures,
  PageGate,
  PageGroup,
  PagePrompt,
  PageRunComparison,
  PageTrials,
  PageVariant,
  StateOnPage,
} from './data.ts';

/** The parts of a run that the page shows. */
export type ShownRun = Pick<
  RunOutcome,
  | 'folder'
  | 'manifest'
  | 'summary'
  | 'variants'
  | 'results'
  | 'isHidden'
  | 'comparison'
  | 'pairs'
  | 'flips'
  | 'gates'
  | 'exit'
  | 'trials'
>;

/** What the overview of a run shows. `remarks` are all lines on it; `isLive` while it goes on. */
export function toHead(run: ShownRun, remarks: readonly Line[], isLive = false): Head {
  const { manifest, summary, variants, results, gates, exit, pairs, comparison, flips } = run;
  const questions = new Set(results.map(({ suite, id }) => `${suite}\n${id}`));
  return {
    version: 1,
    run: {
      name: manifest.run,
      started_at: manifest.created_at,
      is_live: isLive,
      is_complete: summary.complete,
      versions: manifest.versions,
      commit: manifest.git_commit,
      questions: questions.size,
    },
    banner: chooseBanner(run),
    states: STATES_ON_PAGE,
    variants: listVariants(summary, variants),
    figures: listFigures(run),
    scores: listScores(results),
    exit: isLive ? null : exit,
    gates: gates.map((gate) => toPageGate(gate, summary)),
    remarks: remarks.flatMap(({ isFigure, ...line }) => (isFigure ? [] : [line])),
    prompts: manifest.suites.flatMap((suite) => listPrompts(run.folder, suite)),
    pairs: pairs.map((pair) => toPageComparison(pair)),
    baseline: comparison === null ? null : toPageRunComparison(comparison, run.isHidden),
    flips: flips.map((flip) => toPageComparison(flip, run.isHidden)),
  };
}

const STATES_ON_PAGE = Object.fromEntries(
  ALL_STATES.map((state) => {
    const { label, verdict, fails, isError } = STATES[state];
    return [state, { label, is_right: verdict === 'right', fails, is_error: isError }];
  }),
) as Readonly<Record<State, StateOnPage>>;

/** GAIA asks its users not to publish its questions and answers where they can be crawled. */
function chooseBanner({
  results,
  manifest,
  isHidden,
}: Pick<ShownRun, 'results' | 'manifest' | 'isHidden'>): Head['banner'] {
  if (results.some(({ suite }) => isHidden(suite))) return 'hidden';
  const isGaia = results.some(({ dataset }) => isGaiaItself({ dataset, source: null }));
  // A file may have GAIA's records: they have levels.
  const isInItsForm = manifest.suites.some(
    ({ exports, dataset, questions }) =>
      exports.length > 0 &&
      dataset !== 'sample' &&
      questions.some(({ group }) => /^level [123]$/.test(group)),
  );
  return isGaia || isInItsForm ? 'private' : null;
}

/** The names of the named scores, in the order in which answers have their values. */
function listScores(results: readonly SampleResult[]): readonly string[] {
  return [...new Set(results.flatMap(({ scores = {} }) => Object.keys(scores)))];
}

function listVariants(summary: Summary, rows: ShownRun['variants']): readonly PageVariant[] {
  return summary.suites.map((variant) => {
    const { suite, dataset, agent, prompt } = variant;
    const own = rows.get(toSuiteKey(variant));
    return {
      suite,
      dataset,
      agent,
      prompt,
      prompt_hash: own?.[0].prompt_hash ?? '',
      name: nameVariantOf(variant, summary),
      is_made_up: (dataset === 'sample' && agent === 'replay') || undefined,
      planned: own?.length ?? 0,
    };
  });
}

/** As columns of tables do, without the hashes of prompts where their files tell them apart. */
function nameVariantOf(variant: Summary['suites'][number], { suites }: Summary): string {
  const { suite, dataset, agent } = variant;
  const ofSuite = suites.filter((other) => other.suite === suite && other.dataset === dataset);
  const all = nameColumns(ofSuite);
  const short = nameColumns(
    ofSuite.map((each) => ({ ...each, prompt: each.prompt && namePrompt(each) })),
  );
  const names = new Set(short).size === all.length ? short : all;
  const name = names[ofSuite.indexOf(variant)] ?? agent;
  return agent === `${suite} agent` ? name.replace(agent, 'own agent') : name;
}

function listFigures({ summary, variants, trials }: ShownRun): readonly PageFigures[] {
  return summary.suites.map((suite, variant) => {
    const own = variants.get(toSuiteKey(suite)) ?? [];
    const labels = suite.labels?.each.map(({ label }) => label);
    return {
      ...suite,
      groups: suite.groups.map(toPageGroup),
      slices: suite.slices?.map(({ by, groups }) => ({ by, groups: groups.map(toPageGroup) })),
      variant,
      notes: toSuiteLines(suite, 'all').flatMap(({ text, isFigure }) => (isFigure ? [] : text)),
      trials: toPageTrials(trials.find((each) => toSuiteKey(each) === toSuiteKey(suite))),
      doubted: own.filter(isDoubted).length,
      confusion: (labels && countConfusion(own, labels)) ?? undefined,
    };
  });
}

function toPageGroup({ states, graded_states, ...group }: GroupSummary): PageGroup {
  return { ...group, outcomes: countOutcomes({ ...group, states, graded_states }) };
}

function toPageTrials(trials: ShownRun['trials'][number] | undefined): PageTrials | undefined {
  if (trials === undefined) return undefined;
  const { rates, unstable, outcome_consistency, cost_consistency } = trials;
  return {
    rate: rates.at(-1) ?? null,
    unstable: rates.length === 0 ? null : unstable.length,
    outcome_consistency,
    cost_consistency,
  };
}

function toPageGate(
  { gate, holds, explanation, ...of }: ShownRun['gates'][number],
  summary: Summary,
): PageGate {
  const { suite, advisory = false } = gate;
  const variant = summary.suites.find((each) => each.suite === suite && isOfVariant(each, of));
  const name = variant === undefined ? of.agent : nameVariantOf(variant, summary);
  return { suite, name, holds, is_advisory: advisory, explanation };
}

/** The prompts of a suite that the run has kept, and how the others differ from the first. */
function listPrompts(folder: string, { suite, prompts }: SuiteManifest): readonly PagePrompt[] {
  const kept = prompts.flatMap(({ name, hash }): readonly PagePrompt[] => {
    const text = readPrompt(folder, suite, hash);
    return text === null ? [] : [{ suite, name: labelPrompt(name, hash), hash, text }];
  });
  const [first, ...others] = kept;
  if (first === undefined) return [];
  return [
    first,
    ...others.map((prompt) => ({ ...prompt, diff: diffPrompts(first.text, prompt.text) })),
  ];
}

/**
 * The answers that changed are shown with all others. `isHidden` is given where those of the other
 * side are in another run: what it answered then comes along.
 */
function toPageComparison(
  { changed_answers: changed, ...comparison }: SuiteComparison,
  isHidden?: ShownRun['isHidden'],
): PageComparison {
  if (isHidden === undefined || isHidden(comparison.suite)) return comparison;
  return {
    ...comparison,
    before: Object.fromEntries((changed ?? []).map(({ id, a }) => [id, a])),
  };
}

export function toPageRunComparison(
  { a, b, suites, not_compared }: RunComparison,
  isHidden?: ShownRun['isHidden'],
): PageRunComparison {
  return { a, b, suites: suites.map((suite) => toPageComparison(suite, isHidden)), not_compared };
}
