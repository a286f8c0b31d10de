import { hash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { readComparedRun } from '../src/figures/compare-runs.ts';
import { evaluate, type RunOutcome } from '../src/figures/evaluate-run.ts';
import { toSuiteKey } from '../src/figures/groups.ts';
import { type CalibrationOf, toJudgeKey } from '../src/figures/judge-calibration.ts';
import { findCalibrations } from '../src/figures/stored-calibrations.ts';
import {
  listOwnQuestions,
  listVariants,
  nameStoredPrompt,
  readManifest,
  type SuiteManifest,
} from '../src/store/manifest.ts';
import { readRun, type StoredRun } from '../src/store/run-reader.ts';
import type { Audience } from '../src/words/audience.ts';
import type { GroupSummary, SuiteSummary } from '../src/words/figures.ts';
import { hasRun } from '../src/words/row.ts';
import { lineIf, tryOrUndefined } from '../src/words/show.ts';
import { formatScore } from './format-figures.ts';
import { readSummary } from './summary-file.ts';
import { pickOverview, type Table, toTable } from './tables.ts';

type PastSettings = Audience & { readonly dir?: string };

/**
 * A run as its folder has it: all figures from its manifest, its rows and its end.json; the
 * comparison with its baseline from summary.json. `settings` say whether records must be hidden
 * now, and which EVAL_DIR has the calibrations of judges. Throws if the folder is not a run, or has no
 * answers.
 */
export function evaluatePastRun(folder: string, settings: PastSettings): RunOutcome {
  return evaluateNow(readAnsweredRun(folder, settings), settings.dir);
}

/** A run with the calibrations of today, and its stored comparison. */
export function evaluateNow(run: StoredRun, dir?: string): RunOutcome {
  const calibrationOf = dir === undefined ? () => null : findCalibrations(dir, run.manifest);
  const comparison = readSummary(run.folder)?.comparison ?? null;
  return evaluate(run, { calibrationOf, comparison });
}

/**
 * A run as it was when its files were written, with its own settings and calibrations, compared
 * again. `missing` is the name of its baseline if that is not beside it: the stored comparison is
 * taken then.
 */
export function evaluateAsWritten(run: StoredRun): RunOutcome & { readonly missing?: string } {
  const { folder, audience, end } = run;
  const calibrations = new Map(end.calibrations);
  const stored = readSummary(folder)?.comparison ?? null;
  const calibrationOf: CalibrationOf = (judge) => calibrations.get(toJudgeKey(judge)) ?? null;
  if (stored === null) return evaluate(run, { calibrationOf });
  const name = basename(stored.a);
  // A run of another EVAL_DIR that began in the same second has this run's own name.
  const baseline =
    name === basename(folder)
      ? undefined
      : tryOrUndefined(() => readComparedRun(join(dirname(folder), name), audience));
  return baseline === undefined
    ? { ...evaluate(run, { calibrationOf, comparison: stored }), missing: name }
    : evaluate(run, { calibrationOf, baseline });
}

/** Reads a run. Throws if it has no answers. */
export function readAnsweredRun(folder: string, audience?: Audience): StoredRun {
  const run = readRun(folder, audience);
  if (run.results.some(hasRun)) return run;
  throw new Error(`${folder} has no answers. Name a run with answers.`);
}

/** The figures of one suite, agent and prompt in an earlier run. */
export type PastVariant = Pick<SuiteSummary, 'suite' | 'dataset' | 'agent'> &
  Readonly<{
    /** Name of the run folder. */
    run: string;
    folder: string;
    started_at: string;
    prompt: string;
    prompt_hash: string;
    /** The hash of its agent; null if that is not known. */
    fingerprint: string | null;
    /** Whether its answers are recorded ones. */
    isReplay: boolean;
    /** The same text for runs on the same questions of the same dataset. */
    selection: string;
    /** The figures of group "all". */
    all: GroupSummary;
  }>;

/**
 * The variants of a run: from its summary.json, or from its rows if it was killed before that was
 * written.
 */
export function readPastVariants(
  folder: string,
  manifest = readManifest(folder),
): readonly PastVariant[] {
  const { suites } = readSummary(folder) ?? evaluatePastRun(folder, {}).summary;
  const shared = { run: basename(folder), folder, started_at: manifest.created_at };
  return manifest.suites.flatMap((entry) => {
    const { suite, dataset } = entry;
    return listVariants(entry).flatMap((variant): readonly PastVariant[] => {
      const key = toSuiteKey({ suite, dataset, ...variant });
      const all = suites.find((summary) => toSuiteKey(summary) === key)?.groups.at(-1);
      if (all === undefined) return [];
      const { agent, prompt_hash } = variant;
      const conditions = entry.conditions.find((one) => one.agent === agent);
      const isReplay = conditions?.recorded_prompt !== undefined;
      return [
        {
          ...shared,
          suite,
          dataset,
          agent,
          prompt: nameStoredPrompt(entry, prompt_hash),
          prompt_hash,
          isReplay,
          fingerprint: conditions?.fingerprint ?? null,
          selection: toSelection(entry, all, folder),
          all,
        },
      ];
    });
  });
}

/** What a name or a tag has left out is not known here: such a run is like no other. */
function toSelection(entry: SuiteManifest, { questions }: GroupSummary, folder: string): string {
  const { suite, dataset, dataset_hash } = entry;
  const ids = listOwnQuestions(entry).map(({ id }) => id);
  const whole = entry.group_sizes.reduce((sum, [, size]) => sum + size, 0);
  const chosen = ids.length === whole ? 'all' : ids.toSorted();
  const scope = questions === ids.length ? chosen : folder;
  return hash('sha256', JSON.stringify([suite, dataset, dataset_hash, scope]));
}

/** Columns of a table of variants by their heads. */
type TextColumns<Variant> = Readonly<Record<string, (variant: Variant) => string>>;

const RUN_COLUMNS: TextColumns<PastVariant> = {
  run: ({ run }) => run,
  started: ({ started_at }) => started_at.slice(0, 16).replace('T', ' '),
  suite: ({ suite }) => suite,
  dataset: ({ dataset }) => dataset,
  agent: ({ agent }) => agent,
  prompt: ({ prompt }) => prompt,
};

/** A row for each variant: its figures, and these texts before and after them. */
export function toVariantsTable<Variant extends PastVariant>(
  variants: readonly Variant[],
  before: TextColumns<Variant> = RUN_COLUMNS,
  after: TextColumns<Variant> = {},
): Table {
  const wholes = variants.map(({ all }) => all);
  const columns = pickOverview(wholes);
  const scored = lineIf(
    wholes.some(({ scores }) => scores !== undefined),
    SCORES,
  );
  const read = (cells: TextColumns<Variant>, variant: Variant) =>
    Object.values(cells).map((cell) => cell(variant));
  const rows = variants.map((variant) => [
    ...read(before, variant),
    ...columns.map(({ cell }) => cell(variant.all)),
    ...scored.map(() => listScores(variant.all)),
    ...read(after, variant),
  ]);
  const texts = [...Object.keys(before), ...Object.keys(after), SCORES];
  const heads = columns.map(({ head }) => head);
  return toTable(
    [...Object.keys(before), ...heads, ...scored, ...Object.keys(after)],
    rows,
    // Times and counts are not cut.
    texts.filter((head) => head !== 'runs' && head !== 'started'),
  );
}

const SCORES = 'scores';

/** "total 80.0 %, closeness 0.475". */
function listScores({ scores = {} }: GroupSummary): string {
  const named = Object.entries(scores).map(([name, figures]) => `${name} ${formatScore(figures)}`);
  return named.join(', ');
}
