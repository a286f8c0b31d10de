import { basename, dirname, join } from 'node:path';
import { findCalibrations } from '../src/compare/calibrations.ts';
import { readComparedRun } from '../src/compare/compared-run.ts';
import { toJudgeKey } from '../src/metrics/judge-calibration.ts';
import { hasRun } from '../src/states.ts';
import { readRun, type StoredRun } from '../src/store/stored-run.ts';
import type { PrivacySettings } from '../src/text/hide-records.ts';
import { tryOrUndefined } from '../src/text/thrown.ts';
import { evaluate, type RunOutcome } from './evaluate-run.ts';
import { readSummary } from './summary-file.ts';

type PastSettings = PrivacySettings & { readonly dir?: string };

/**
 * A run as its folder has it: all figures from its manifest, its rows and its end.json; the
 * comparison with its baseline from summary.json. `settings` say whether records must be hidden
 * now, and which EVAL_DIR has the calibrations of judges. Throws if the folder is no run, or has no
 * answers.
 */
export function evaluatePastRun(folder: string, settings: PastSettings): RunOutcome {
  const { dir } = settings;
  const run = readAnsweredRun(folder, settings);
  const calibrationOf = dir === undefined ? () => null : findCalibrations(dir, run.manifest);
  return evaluate(run, { calibrationOf, comparison: readSummary(folder)?.comparison ?? null });
}

/**
 * A run as it was when its files were written, with its own settings and calibrations, compared
 * again. `missing` are the runs that it was compared with, but that are not beside it.
 */
export function evaluateAsWritten(
  folder: string,
): RunOutcome & { readonly missing: readonly string[] } {
  const run = readAnsweredRun(folder);
  const { manifest, end } = run;
  const calibrations = new Map(end.calibrations);
  const stored = readSummary(folder)?.comparison ?? null;
  const readBeside = (name: string) =>
    tryOrUndefined(() => readComparedRun(join(dirname(folder), basename(name)), manifest.config));
  const baseline = stored === null ? undefined : readBeside(stored.a);
  const outcome = evaluate(run, {
    calibrationOf: (judge) => calibrations.get(toJudgeKey(judge)) ?? null,
    ...(baseline === undefined ? { comparison: stored } : { baseline }),
  });
  const compared = [stored?.a, end.before].flatMap((name) => name ?? []);
  return { ...outcome, missing: compared.filter((name) => readBeside(name) === undefined) };
}

function readAnsweredRun(folder: string, settings?: PrivacySettings): StoredRun {
  const run = readRun(folder, settings);
  if (run.results.some(hasRun)) return run;
  throw new Error(`${folder} has no answers. Name a run with answers.`);
}
