import { basename } from 'node:path';
import type { EvalConfig } from '../settings.ts';
import { findRun } from '../store/find-run.ts';
import type { SuiteManifest } from '../store/manifest.ts';
import { readRun } from '../store/stored-run.ts';
import type { PrivacySettings } from '../words/audience.ts';
import { hasRun, type SampleResult } from '../words/row.ts';
import { quote } from '../words/show.ts';
import { pickVariant } from '../words/wording.ts';
import { type ComparedRun, findPartner, toVariants, type VariantIdentity } from './compare-runs.ts';

/**
 * Reads a run folder to compare it. Throws as `readRun`, and if the run has no answer. `settings` say whether records must be hidden.
 */
export function readComparedRun(folder: string, settings: PrivacySettings = {}): ComparedRun {
  const { manifest, results, unreadable, duplicates } = readRun(folder, settings);
  if (!results.some(hasRun)) {
    throw new Error(`${folder} has no answers to compare. Name a run with answers.`);
  }
  const variants = toVariants(folder, manifest, results, settings);
  return { folder, name: basename(folder), variants, unreadable, duplicates };
}

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
  return { name: baseline.name, variants };
}

/**
 * Throws if nothing of a suite can be compared with the baseline. If several suites run, the
 * baseline may lack some of them.
 */
export function checkBaseline(
  baseline: ProvidedBaseline | null,
  variants: readonly VariantIdentity[],
  { suites }: { readonly suites: number },
): void {
  if (baseline === null) return;
  const isThere = baseline.variants.some(({ suite }) =>
    variants.some((variant) => variant.suite === suite),
  );
  if (!isThere && suites > 1) return;
  const reasons = variants.map((variant) => findPartner(variant, baseline.variants, variants));
  const [first] = reasons;
  if (typeof first !== 'string' || reasons.some((partner) => typeof partner !== 'string')) return;
  throw new Error(
    `EVAL_BASELINE names ${quote(baseline.name)} (A), but this run (B) cannot be compared with it: ${first} ` +
      'Name another run, or leave EVAL_BASELINE out.',
  );
}
