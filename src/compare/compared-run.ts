import { basename } from 'node:path';
import type { EvalConfig } from '../config.ts';
import type { ProvidedBaseline } from '../run/provided-run.ts';
import { hasRun } from '../states.ts';
import { findRun } from '../store/find-run.ts';
import { GRADER_VERSION, type Manifest } from '../store/manifest.ts';
import { readQuestions } from '../store/run-folder.ts';
import { readRun, type StoredRun } from '../store/stored-run.ts';
import type { PrivacySettings } from '../text/hide-records.ts';
import { quote } from '../text/show.ts';
import { pickVariant } from '../text/wording.ts';
import { type ComparedSide, findPartner, type SideIdentity, toSides } from './compare-runs.ts';
import { isChoice, regradeChoice } from './regrade.ts';

/** A run that is compared with another run. */
export type ComparedRun = Pick<StoredRun, 'folder' | 'unreadable' | 'duplicates'> & {
  /** The last part of `folder`. */
  readonly name: string;
  readonly sides: readonly ComparedSide[];
};

/**
 * Reads a run folder to compare it. Choices that another grader graded are graded again. Throws as
 * `readRun`, and if the run has no answer. `settings` say whether records must be hidden.
 */
export function readComparedRun(folder: string, settings: PrivacySettings = {}): ComparedRun {
  const { manifest, results, unreadable, duplicates } = readRun(folder, settings);
  if (!results.some(hasRun)) {
    throw new Error(`${folder} has no answers to compare. Name a run with answers.`);
  }
  const sides = toSides(folder, manifest, results, settings).map((side) =>
    gradeAgain(folder, manifest, side),
  );
  return { folder, name: basename(folder), sides, unreadable, duplicates };
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

/** The baseline as workers need it, without results. */
export function toProvidedBaseline(baseline: ComparedRun | null): ProvidedBaseline | null {
  if (baseline === null) return null;
  const sides = baseline.sides.map(
    ({ suite, dataset, dataset_hash, prompt_hash, judges = [], ...side }) => {
      return { suite, dataset, dataset_hash, prompt_hash, judges, ...pickVariant(side) };
    },
  );
  return { name: baseline.name, sides };
}

/**
 * Throws if nothing of a suite can be compared with the baseline. If several suites run, the
 * baseline may lack some of them.
 */
export function checkBaseline(
  baseline: ProvidedBaseline | null,
  sides: readonly SideIdentity[],
  { suites }: { readonly suites: number },
): void {
  if (baseline === null) return;
  const isThere = baseline.sides.some(({ suite }) => sides.some((side) => side.suite === suite));
  if (!isThere && suites > 1) return;
  const reasons = sides.map((side) => findPartner(side, baseline.sides, sides));
  const [first] = reasons;
  if (typeof first !== 'string' || reasons.some((partner) => typeof partner !== 'string')) return;
  throw new Error(
    `EVAL_BASELINE names ${quote(baseline.name)} (A), but this run (B) cannot be compared with it: ${first} ` +
      'Name another run, or leave EVAL_BASELINE out.',
  );
}

/**
 * A side with the verdicts of the current grader, if another one graded it. Questions that
 * cannot be graded again are `ungradable`.
 */
function gradeAgain(folder: string, { suites }: Manifest, side: ComparedSide): ComparedSide {
  const { grader } = suites.find(({ suite }) => suite === side.suite) ?? {};
  if (grader === GRADER_VERSION || !side.results.some(isChoice)) return side;
  const questions = readQuestions(folder, side.suite);
  const rows = side.results.map((before) => {
    return {
      before,
      after: isChoice(before) ? regradeChoice(before, questions.get(before.id)) : before,
    };
  });
  const changed = rows.filter(({ before, after }) => {
    return after !== null && (before.state !== after.state || before.answer !== after.answer);
  });
  return {
    ...side,
    results: rows.map(({ before, after }) => after ?? before),
    ungradable: rows.filter(({ after }) => after === null).map(({ before }) => before.id),
    regraded: changed.length,
  };
}
