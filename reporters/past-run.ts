import { hash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { findCalibrations } from '../src/compare/calibrations.ts';
import { readComparedRun } from '../src/compare/compared-run.ts';
import { toSuiteKey } from '../src/metrics/groups.ts';
import { toJudgeKey } from '../src/metrics/judge-calibration.ts';
import { hasRun } from '../src/states.ts';
import {
  listOwnQuestions,
  listVariants,
  nameStoredPrompt,
  readManifest,
  type SuiteManifest,
} from '../src/store/manifest.ts';
import { readEnd } from '../src/store/run-end.ts';
import { readRun, type StoredRun } from '../src/store/stored-run.ts';
import type { PrivacySettings } from '../src/text/hide-records.ts';
import { tryOrUndefined } from '../src/text/show.ts';
import type { GroupSummary, ScoreFigures, SuiteSummary } from '../src/types.ts';
import { evaluate, type RunOutcome } from './evaluate-run.ts';
import {
  formatAccuracy,
  formatInterval,
  formatScore,
  formatScoreWithInterval,
  formatTime,
  formatTotalCost,
} from './format-figures.ts';
import { readSummary } from './summary-file.ts';
import { nameCount, type Table } from './tables.ts';

type PastSettings = PrivacySettings & { readonly dir?: string };

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
 * again. `missing` are the runs that it was compared with, but that are not beside it.
 */
export function evaluateAsWritten(
  run: StoredRun,
): RunOutcome & { readonly missing: readonly string[] } {
  const { folder, manifest, end } = run;
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

/** Reads a run. Throws if it has no answers. */
export function readAnsweredRun(folder: string, settings?: PrivacySettings): StoredRun {
  const run = readRun(folder, settings);
  if (run.results.some(hasRun)) return run;
  throw new Error(`${folder} has no answers. Name a run with answers.`);
}

/** The figures of one suite, agent and prompt in an earlier run. */
export type PastVariant = Pick<SuiteSummary, 'suite' | 'dataset' | 'agent'> & {
  /** Name of the run folder. */
  readonly run: string;
  readonly folder: string;
  readonly started_at: string;
  readonly prompt: string;
  readonly prompt_hash: string;
  /** The hash of its agent; null if that is not known. */
  readonly fingerprint: string | null;
  /** Whether its answers are recorded ones. */
  readonly isReplay: boolean;
  /** The same text for runs on the same questions of the same dataset. */
  readonly selection: string;
  /** The figures of group "all". */
  readonly all: GroupSummary;
};

/**
 * The variants of a run: from its summary.json, or from its rows if it was killed before that was
 * written.
 */
export function readPastVariants(folder: string): readonly PastVariant[] {
  const manifest = readManifest(folder);
  const { suites } = readSummary(folder) ?? evaluatePastRun(folder, {}).summary;
  const { carried } = readEnd(folder);
  const shared = { run: basename(folder), folder, started_at: manifest.created_at };
  return manifest.suites.flatMap((entry) => {
    const { suite, dataset } = entry;
    // Those of an earlier watch run stand there.
    if (carried.includes(suite)) return [];
    return listVariants(entry).flatMap((variant): readonly PastVariant[] => {
      const key = toSuiteKey({ suite, dataset, ...variant });
      const all = suites.find((summary) => toSuiteKey(summary) === key)?.groups.at(-1);
      if (all === undefined) return [];
      const { agent, prompt_hash } = variant;
      const conditions = entry.conditions.find((one) => one.agent === agent);
      const isReplay = conditions?.recorded_prompt !== undefined;
      const asked = { prompt: nameStoredPrompt(entry, prompt_hash), prompt_hash, isReplay };
      return [
        {
          ...shared,
          suite,
          dataset,
          agent,
          ...asked,
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
  const asked = questions === ids.length ? chosen : folder;
  return hash('sha256', JSON.stringify([suite, dataset, dataset_hash, asked]));
}

const COUNT = 'n';
const SCORES = 'scores';

/** The head of their column with the intervals that charts have. */
export const SCORES_WITH_INTERVALS = 'scores, 95 % intervals';

/** "total 80.0 %, closeness 0.475". */
function listScores(
  { scores = {} }: GroupSummary,
  format: (figures: ScoreFigures) => string,
): string {
  return Object.entries(scores)
    .map(([name, figures]) => `${name} ${format(figures)}`)
    .join(', ');
}

const COLUMNS: readonly (readonly [
  head: string,
  align: 'left' | 'right',
  cell: (variant: PastVariant) => string,
])[] = [
  ['run', 'left', ({ run }) => run],
  ['started', 'left', ({ started_at }) => started_at.slice(0, 16).replace('T', ' ')],
  ['suite', 'left', ({ suite }) => suite],
  ['dataset', 'left', ({ dataset }) => dataset],
  ['agent', 'left', ({ agent }) => agent],
  ['prompt', 'left', ({ prompt }) => prompt],
  [COUNT, 'right', ({ all }) => String(all.n)],
  ['accuracy', 'right', ({ all }) => formatAccuracy(all)],
  ['95 % interval', 'right', ({ all }) => formatInterval(all.ci95)],
  [SCORES, 'left', ({ all }) => listScores(all, formatScore)],
  [SCORES_WITH_INTERVALS, 'left', ({ all }) => listScores(all, formatScoreWithInterval)],
  ['median', 'right', ({ all }) => formatTime(all.median_latency_ms, all.median_censored)],
  ['cost', 'right', ({ all }) => formatTotalCost(all)],
];

const ALL_HEADS = COLUMNS.flatMap(([head]) => (head === SCORES_WITH_INTERVALS ? [] : head));

/** A row for each variant, with these columns. */
export function toVariantsTable(
  variants: readonly PastVariant[],
  shown: readonly string[] = ALL_HEADS,
): Table {
  const isScored = variants.some(({ all }) => all.scores !== undefined);
  const columns = shown.flatMap((name) =>
    COLUMNS.filter(([head]) => head === name && (isScored || !head.startsWith(SCORES))),
  );
  const rows = variants.map((variant) => columns.map(([, , cell]) => cell(variant)));
  const count = nameCount(variants.map(({ all }) => all));
  const heads = columns.map(([head]) => (head === COUNT ? count : head));
  return { align: columns.map(([, align]) => align), rows: [heads, ...rows] };
}
