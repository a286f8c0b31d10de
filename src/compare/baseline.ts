import type { EvalConfig } from '../config.ts';
import { hidesRecords } from '../hides-records.ts';
import type { SideIdentity } from './find-partner.ts';
import { findRun } from './find-run.ts';
import { type ComparedRun, readRun } from './read-run.ts';

/** What workers must know of the run that EVAL_BASELINE names: what there is to be compared with. */
export type ProvidedBaseline = {
  /** Name of its folder. */
  readonly name: string;
  readonly sides: readonly SideIdentity[];
};

/** The run that EVAL_BASELINE names; null without one. Throws when there is no such run, or it cannot be compared with. */
export function readBaseline(
  config: Pick<EvalConfig, 'baseline' | 'dir' | 'ci' | 'showGated'> | null,
): ComparedRun | null {
  if (config === null || config.baseline === null) return null;
  return readRun(findRun(config.baseline, config.dir, 'EVAL_BASELINE'), hidesRecords(config));
}

/** Without its results, which only the main process needs. */
export function toProvidedBaseline(baseline: ComparedRun | null): ProvidedBaseline | null {
  if (baseline === null) return null;
  const { name, sides } = baseline;
  return {
    name,
    sides: sides.map(({ suite, dataset, dataset_hash, agent }) => ({ suite, dataset, dataset_hash, agent })),
  };
}
